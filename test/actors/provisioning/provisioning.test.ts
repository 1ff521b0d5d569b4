import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { credentialName } from '../../../actors/keys/credentials.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { createLiveTable } from '../../../actors/rates/live-table.ts'
import demoParties from '../../../data/demo.json' with { type: 'json' }
import { acceptRead, refuseRead } from '../../../persistence/queries/rates.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)

const secret = 'a secret with thirty-two characters or more'.replaceAll(' ', '-')

/** Every table that a file can change, to see that nothing was. */
async function everything(world: OrderWorld): Promise<unknown> {
  const tables = [
    'parties',
    'credentials',
    'pairs',
    'networks',
    'rates',
    'account_deposits',
    'accounts',
  ] as const
  return Promise.all([...tables, 'postings' as const, 'facts' as const].map((table) => world.rows(table)))
}

function merchant(members: Record<string, unknown>): Record<string, unknown> {
  return { merchants: [{ name: 'Kiosk', ...members }] }
}

function provider(members: Record<string, unknown>): Record<string, unknown> {
  return { providers: [{ name: 'Tills', ...members }] }
}

function rate(members: Record<string, unknown>): Record<string, unknown> {
  return {
    rates: [
      { blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN', rate: '17.25', ...members },
    ],
  }
}

const pair = { country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00' }
const deposit = { currency: 'MXN', amount: '100.00', reference: 'one' }

play('the example file makes parties, limits, money and rates', async (world) => {
  const { ask, vault } = operatorOf(world)
  const applied = await ask(apply, demoParties)
  const made = applied.merchants[0]?.credentials[0]?.secret ?? ''
  assert.match(made, /^[\w-]{43}$/)
  assert.equal(
    [applied.merchants.map(({ name }) => name), applied.providers.map(({ name }) => name)],
    [['Demo Shop'], ['Demo Network']],
  )
  const shop = (await world.rows('parties')).find(({ name }) => name === 'Demo Shop')
  assert.equal([shop?.kind, shop?.contact, shop?.requests_per_minute], ['merchant', 'ops@shop.example', null])
  const credential = (await world.rows('credentials')).find(({ key }) => key === 'mk_demo')
  assert.is(vault.open(credentialName('mk_demo'), credential?.secret_ciphertext ?? ''), made)
  assert.equal(await world.rows('pairs'), [
    {
      merchant_id: shop?.id,
      country: 'MX',
      currency: 'MXN',
      min_minor: 1000n,
      max_minor: 5_000_000n,
      cash_increment_minor: 50n,
      pay_out: 1,
      pay_in: 1,
    },
  ])
  assert.equal(
    (await world.rows('networks')).map(({ network_id }) => network_id),
    ['0001', 'demo_shops'],
  )
  assert.is(await world.balance({ ownerId: shop?.id ?? '' }), 10_000_000n)
  assert.is(await world.balance({ kind: 'bank', ownerId: '' }), -10_000_000n)
  const rates = await world.rows('rates')
  assert.equal(
    rates.map(({ blockchain, rate: of, fee_fixed, fee_bps, updated_at }) => [
      blockchain,
      of,
      fee_fixed,
      fee_bps,
      updated_at,
    ]),
    ['MONAD', 'SOLANA', 'STELLAR'].map((chain) => [chain, '17.25', '0.5', 100, world.clock.now()]),
  )
})

play('a file applied again changes nothing, and tells no secret again', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, demoParties)
  const before = await everything(world)
  world.clock.advance(60_000)
  const again = await ask(apply, demoParties)
  assert.equal(again, {
    merchants: [{ name: 'Demo Shop', credentials: [{ key: 'mk_demo' }] }],
    providers: [{ name: 'Demo Network', credentials: [{ key: 'pk_demo' }] }],
    changes: [],
  })
  assert.equal(await everything(world), before)
})

play('what a file does not mention stays', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, demoParties)
  const kept = await everything(world)
  await ask(apply, {
    merchants: [{ name: 'Demo Shop', pairs: [{ ...pair, max: '50000' }] }],
    providers: [{ name: 'Demo Network' }],
    rates: [rate({}).rates].flat(),
  })
  const [parties, credentials, pairs, networks, rates] = (await everything(world)) as unknown[]
  const [keptParties, keptCredentials, keptPairs, keptNetworks, keptRates] = kept as unknown[]
  assert.equal(
    [parties, credentials, pairs, networks, rates],
    [keptParties, keptCredentials, keptPairs, keptNetworks, keptRates],
  )
})

play('what a file mentions is changed', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, demoParties)
  await ask(apply, {
    merchants: [
      {
        name: 'Demo Shop',
        contact: 'desk@shop.example',
        limits: { requestsPerMinute: 5000 },
        pairs: [{ ...pair, min: '20.00', directions: ['PAY_OUT'] }],
        deposits: [{ ...deposit, reference: 'second' }],
      },
    ],
    rates: [rate({ rate: '18.500', feeFixed: '0', maxAgeSeconds: 600 }).rates].flat(),
  })
  const shop = (await world.rows('parties')).find(({ name }) => name === 'Demo Shop')
  assert.equal([shop?.contact, shop?.requests_per_minute], ['desk@shop.example', 5000])
  const [changed] = await world.rows('pairs')
  assert.equal(
    [changed?.min_minor, changed?.cash_increment_minor, changed?.pay_out, changed?.pay_in],
    [2000n, 50n, 1, 0],
  )
  assert.is(await world.balance({ ownerId: shop?.id ?? '' }), 10_010_000n)
  const solana = (await world.rows('rates')).find(({ blockchain }) => blockchain === 'SOLANA')
  assert.equal(
    [solana?.rate, solana?.fee_fixed, solana?.fee_bps, solana?.max_age_seconds],
    ['18.5', '0', 100, 600],
  )
  await ask(apply, merchant({ name: 'Demo Shop', limits: { requestsPerMinute: null } }))
  const again = (await world.rows('parties')).find(({ name }) => name === 'Demo Shop')
  assert.is(again?.requests_per_minute, null)
})

play('a rate that ages is confirmed by applying it again, a fixed one is left alone', async (world) => {
  const { ask } = operatorOf(world)
  const file = { rates: [rate({ maxAgeSeconds: 60 }).rates, rate({ send: 'EURC' }).rates].flat() }
  await ask(apply, file)
  const first = world.clock.now()
  world.clock.advance(30_000)
  await ask(apply, file)
  const updated = (await world.rows('rates')).map(({ send_currency, updated_at }) => [
    send_currency,
    updated_at,
  ])
  assert.equal(Object.fromEntries(updated), { USDC: first + 30_000, EURC: first })
})

const source = { url: 'https://rates.example/usdc', pointer: '/mxn' }

function sourced(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const pair = { blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN' }
  // As it comes from a file: what is undefined is not there.
  return JSON.parse(JSON.stringify({ rates: [{ ...pair, source, ...changes }] }))
}

play('what was read stays while its sources do, and a fixed rate ends it', async (world) => {
  const { ask } = operatorOf(world)
  const stored = async () => {
    const [row] = await world.rows('rates')
    return [row?.rate, row?.updated_at, row?.reading_json, row?.problem, row?.fee_bps]
  }
  await ask(apply, sourced())
  const first = world.clock.now()
  assert.equal(await stored(), [null, first, null, null, 0], 'an expectation is no rate')
  const [row] = await world.rows('rates')
  const key = { blockchain: 'SOLANA', send: 'USDC', country: 'MX', target: 'MXN' }
  const read = { ...key, sourceJson: row?.source_json ?? '', rate: '17.3', at: first + 5, readingJson: '{}' }
  const base = { before: first, base: '17.3', baseAt: first }
  await world.store.execute(acceptRead, { ...read, ...base })
  world.clock.advance(60_000)
  assert.equal((await ask(apply, sourced())).changes, [])
  await ask(apply, sourced({ feeBps: 50 }))
  assert.equal(await stored(), ['17.3', first + 5, '{}', null, 50])
  const refused = { before: first + 5, problem: 'it tells null', doubtJson: null }
  await world.store.execute(refuseRead, { ...key, sourceJson: read.sourceJson, ...refused })
  await ask(apply, sourced({ feeBps: 60 }))
  assert.equal((await stored())[3], 'it tells null')
  await ask(apply, sourced({ source: { ...source, pointer: '/other' } }))
  assert.equal(await stored(), [null, first + 60_000, null, null, 60])
  // What comes late from the sources that were is not taken.
  await world.store.execute(acceptRead, { ...read, ...base, before: first + 60_000 })
  assert.equal((await stored())[0], null)
  await ask(apply, rate({ rate: '18' }))
  assert.equal(await stored(), ['18', first + 60_000, null, null, 60])
})

play('a source is kept with all that is usual filled in', async (world) => {
  const { ask } = operatorOf(world)
  const usual = {
    inverse: false,
    spreadBps: 0,
    refreshSeconds: 60,
    timeoutSeconds: 5,
    maxAgeSeconds: 300,
  }
  const stored = async () => {
    const [row] = await world.rows('rates')
    return [JSON.parse(row?.source_json ?? 'null'), row?.max_age_seconds]
  }
  await ask(apply, sourced({ rate: '17.250' }))
  assert.equal(await stored(), [{ expected: '17.25', sources: [{ ...source, ...usual }] }, null])
  const given = { inverse: true, spreadBps: 25, refreshSeconds: 10, timeoutSeconds: 2, maxAgeSeconds: 30 }
  await ask(
    apply,
    sourced({ source: undefined, sources: [{ ...source, ...given }, source], maxAgeSeconds: 90 }),
  )
  const sources = [
    { ...source, ...given },
    { ...source, ...usual, maxAgeSeconds: 90 },
  ]
  assert.equal(await stored(), [{ expected: null, sources }, 90])
  await ask(
    apply,
    sourced({
      source: undefined,
      sources: ['bitso-usdc-mxn', { preset: 'coingecko-usdc-mxn', spreadBps: 50 }],
    }),
  )
  const named = [
    { url: 'https://api.bitso.com/v3/ticker?book=usdc_mxn', pointer: '/payload/bid', ...usual },
    {
      url: 'https://api.coingecko.com/api/v3/simple/price?ids=usd-coin&vs_currencies=mxn&precision=full',
      pointer: '/usd-coin/mxn',
      ...usual,
      spreadBps: 50,
    },
  ]
  assert.equal(await stored(), [{ expected: null, sources: named }, null])
})

play('in production a source is public, and asked over https', async (world) => {
  const rules = { allowPrivate: false, ports: [443], exemptOrigins: [], ownAddresses: () => [] }
  const { refusal } = operatorOf({ ...world, rates: { table: createLiveTable(), rules } }, 'production')
  const rows: [url: string, problem: string][] = [
    ['http://rates.example/', 'The URL must use https.'],
    ['https://127.0.0.1/', 'The URL must be public; its address is not (loopback).'],
    ['https://localhost/', 'The URL must be public; it names the local host.'],
    ['https://10.1.2.3/', 'The URL must be public; its address is not (private).'],
    ['https://[::1]/', 'The URL must be public; its address is not (loopback).'],
    ['https://169.254.169.254/', 'The URL must be public; its address is not (link-local).'],
    ['https://rates.example:8443/', 'The URL must use port 443.'],
    ['https://u:p@rates.example/', 'The URL must not contain a user name or a password.'],
  ]
  for (const [url, problem] of rows) {
    const { details } = await refusal('apply', sourced({ source: { ...source, url } }))
    assert.equal(details, [`rates[0].source.url: ${JSON.stringify(url)} cannot be asked. ${problem}`])
  }
})

play('a second secret may be given for the change over, and a third is an error', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, merchant({ credentials: [{ key: 'mk_1' }] }))
  const second = await ask(apply, merchant({ credentials: [{ key: 'mk_1' }, { key: 'mk_2', secret }] }))
  assert.equal(second.merchants[0]?.credentials, [{ key: 'mk_1' }, { key: 'mk_2' }])
  const third = await refusal('apply', merchant({ credentials: [{ key: 'mk_3' }] }))
  assert.equal(third.details, [
    'merchants[0].credentials[0]: key mk_3 would be a third live secret of merchant Kiosk; it may have 2',
  ])
  const given = await ask(apply, merchant({ credentials: [{ key: 'mk_2', secret }] }))
  assert.equal(given.changes, [])
})

/** A file that is wrong in itself, and each place it has to name. */
const wrongFiles: [what: string, file: Record<string, unknown>, lines: string[]][] = [
  ['unknown keys', { merchant: [] }, ['merchant: is unknown; there are merchants, providers, rates']],
  ['no list', { merchants: {} }, ['merchants: {} is not a list']],
  [
    'no object',
    { merchants: ['Kiosk'], rates: [null] },
    [
      'merchants[0]: "Kiosk" is not an object with name, contact, credentials, limits, pairs, deposits',
      'rates[0]: null is not an object with blockchains, send, country, target, rate, feeFixed, feeBps, maxAgeSeconds, maxJumpPercent, source, sources',
    ],
  ],
  ['no name', { providers: [{}] }, ['providers[0].name: is missing']],
  ['an empty name', { providers: [{ name: ' ' }] }, ['providers[0].name: " " is empty']],
  ['a name that is no text', merchant({ name: 7 }), ['merchants[0].name: 7 is not a text']],
  [
    'a control character',
    merchant({ name: 'a\u0007' }),
    ['merchants[0].name: "a\\u0007" has control characters in it'],
  ],
  [
    'a long name',
    merchant({ name: 'x'.repeat(201) }),
    [`merchants[0].name: "${'x'.repeat(58)}… is longer than 200 characters`],
  ],
  [
    'limits',
    merchant({ limits: { requestsPerMinute: 0, perHour: 3 } }),
    [
      'merchants[0].limits.perHour: is unknown; there are requestsPerMinute',
      'merchants[0].limits.requestsPerMinute: 0 is not a whole number from 1 to 10000000',
    ],
  ],
  [
    'a key with a colon',
    merchant({ credentials: [{ key: 'mk:1' }] }),
    [
      'merchants[0].credentials[0].key: "mk:1" is not an identifier: 1 to 64 letters, digits, points, hyphens and underscores',
    ],
  ],
  [
    'a short secret, which is not repeated',
    merchant({ credentials: [{ key: 'mk_1', secret: 'short' }] }),
    ['merchants[0].credentials[0].secret: is not 32 to 128 printable ASCII characters'],
  ],
  [
    'amounts',
    merchant({ pairs: [pair, { ...pair, country: 'CL', currency: 'CLP', min: 'abc', max: '10.5' }] }),
    [
      'merchants[0].pairs[1].min: "abc" is not an amount of CLP',
      'merchants[0].pairs[1].max: "10.5" has more decimals than CLP',
    ],
  ],
  [
    'an amount that is a number',
    merchant({ pairs: [{ ...pair, min: 10 }] }),
    ['merchants[0].pairs[0].min: 10 is not an amount of MXN: write it as a text, such as "100.00"'],
  ],
  [
    'min above max',
    merchant({ pairs: [{ ...pair, min: '50000.01' }] }),
    ['merchants[0].pairs[0].max: is less than min'],
  ],
  [
    'min of zero',
    merchant({ pairs: [{ ...pair, min: '0' }] }),
    ['merchants[0].pairs[0].min: "0" is not above zero'],
  ],
  [
    'a currency, and what else is wrong beside it',
    merchant({ pairs: [{ ...pair, currency: 'pesos', min: 'x', directions: [] }] }),
    [
      'merchants[0].pairs[0].currency: "pesos" is not a currency such as "MXN"',
      'merchants[0].pairs[0].min: "x" is not an amount',
      'merchants[0].pairs[0].directions: [] is not a list of one or more of PAY_OUT, PAY_IN',
    ],
  ],
  [
    'a direction',
    merchant({ pairs: [{ ...pair, directions: ['PAY_OUT', 'OUT'], cashIncrement: '0' }] }),
    [
      'merchants[0].pairs[0].directions: ["PAY_OUT","OUT"] is not a list of one or more of PAY_OUT, PAY_IN',
      'merchants[0].pairs[0].cashIncrement: "0" is not above zero',
    ],
  ],
  [
    'a negative deposit without a reference',
    merchant({ deposits: [{ currency: 'MXN', amount: '-5' }] }),
    [
      'merchants[0].deposits[0].amount: "-5" is not above zero',
      'merchants[0].deposits[0].reference: is missing',
    ],
  ],
  [
    'a deposit beyond the ledger',
    merchant({ deposits: [{ ...deposit, amount: '92233720368547758.08' }] }),
    ['merchants[0].deposits[0].amount: "92233720368547758.08" is more than the ledger can hold'],
  ],
  [
    'a network id',
    provider({ networks: ['0001', 'a b'] }),
    [
      'providers[0].networks[1]: "a b" is not an identifier: 1 to 64 letters, digits, points, hyphens and underscores',
    ],
  ],
  [
    'rates',
    rate({
      blockchains: ['BITCOIN'],
      rate: '0',
      feeFixed: '-1',
      feeBps: 10_001,
      maxAgeSeconds: 0.5,
      note: '',
    }),
    [
      'rates[0].note: is unknown; there are blockchains, send, country, target, rate, feeFixed, feeBps, maxAgeSeconds, maxJumpPercent, source, sources',
      'rates[0].blockchains: ["BITCOIN"] is not a list of one or more of SOLANA, STELLAR, MONAD',
      'rates[0].rate: "0" is not above zero',
      'rates[0].feeFixed: "-1" is not a decimal, written as a text such as "17.25"',
      'rates[0].feeBps: 10001 is not a whole number from 0 to 10000',
      'rates[0].maxAgeSeconds: 0.5 is not a whole number from 1 to 31536000',
    ],
  ],
  [
    'a rate that is a number',
    rate({ rate: 17.25 }),
    ['rates[0].rate: 17.25 is not a decimal, written as a text such as "17.25"'],
  ],
  [
    'neither rate nor source',
    { rates: [{ blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN' }] },
    ['rates[0].rate: is missing, and there is no source'],
  ],
  [
    'a source that is none',
    sourced({ source: 17 }),
    [
      'rates[0].source: 17 is not an object with preset, url, pointer, inverse, spreadBps, refreshSeconds, timeoutSeconds, maxAgeSeconds',
    ],
  ],
  [
    'a preset that is unknown, and one of another currency',
    sourced({
      source: undefined,
      sources: ['bitso', 'buda-usdc-clp', { preset: 'bitso-usdc-mxn', url: 'https://a.example' }],
    }),
    [
      'rates[0].sources[0].preset: "bitso" is no known source; there are bitso-usdc-mxn, buda-usdc-clp, buda-usdc-cop, buda-usdc-pen, binance-usdc-brl, coingecko-usdc-mxn, coingecko-usdc-ars, coingecko-usdc-clp, coingecko-usdc-brl',
      'rates[0].sources[1].preset: tells USDC in CLP, not USDC in MXN',
      'rates[0].sources[2].url: is what the preset says',
    ],
  ],
  [
    'a source of which nothing is right',
    sourced({
      source: {
        url: 'ftp://rates.example',
        pointer: 'mxn',
        inverse: 'yes',
        spreadBps: -1,
        refreshSeconds: 0,
        timeoutSeconds: 61,
        maxAgeSeconds: 0,
        header: 'x',
      },
    }),
    [
      'rates[0].source.header: is unknown; there are preset, url, pointer, inverse, spreadBps, refreshSeconds, timeoutSeconds, maxAgeSeconds',
      'rates[0].source.url: "ftp://rates.example" is not an http or https URL',
      'rates[0].source.pointer: "mxn" is not a JSON pointer such as "/payload/bid"',
      'rates[0].source.inverse: "yes" is neither true nor false',
      'rates[0].source.spreadBps: -1 is not a whole number from 0 to 5000',
      'rates[0].source.refreshSeconds: 0 is not a whole number from 1 to 86400',
      'rates[0].source.timeoutSeconds: 61 is not a whole number from 1 to 60',
      'rates[0].source.maxAgeSeconds: 0 is not a whole number from 1 to 31536000',
    ],
  ],
  [
    'a source that is never young enough',
    sourced({ source: { ...source, refreshSeconds: 300 } }),
    ['rates[0].source.refreshSeconds: and timeoutSeconds leave a rate no time: it is too old after 300 s'],
  ],
  [
    'a source and sources',
    sourced({ sources: [source] }),
    ['rates[0].sources: there is a source, too; put it into the list'],
  ],
  ['no sources', sourced({ source: undefined, sources: [] }), ['rates[0].sources: names no source']],
  [
    'one source twice',
    sourced({ source: undefined, sources: [source, source] }),
    ['rates[0].sources: names one source twice'],
  ],
  [
    'what comes twice',
    {
      merchants: [
        { name: 'Kiosk', credentials: [{ key: 'k' }], pairs: [pair, pair], deposits: [deposit, deposit] },
        { name: 'Kiosk' },
      ],
      providers: [{ name: 'Tills', credentials: [{ key: 'k' }], networks: ['1', '1'] }],
      rates: [rate({}).rates, rate({}).rates].flat(),
    },
    [
      'merchants[1]: merchant Kiosk is in merchants[0] already',
      'providers[0].credentials[0]: key k is in merchants[0].credentials[0] already',
      'providers[0].networks[1]: network 1 is in providers[0].networks[0] already',
      'merchants[0].pairs[1]: pair MX MXN is in merchants[0].pairs[0] already',
      'merchants[0].deposits[1]: deposit one is in merchants[0].deposits[0] already',
      'rates[1]: rate of USDC to MX MXN on SOLANA is in rates[0] already',
    ],
  ],
]

play('a wrong file changes nothing and names each bad place', async (world) => {
  const { refusal } = operatorOf(world)
  const before = await everything(world)
  for (const [what, file, lines] of wrongFiles) {
    const error = await refusal('apply', { ...file })
    assert.is(error.code, 'invalid', what)
    assert.equal(error.details, lines, what)
  }
  const mixed = await refusal('apply', { ...merchant({ deposits: [deposit] }), rates: [null] })
  assert.is(mixed.message, 'The file has one bad place; nothing was changed.')
  assert.equal(await everything(world), before)
})

play(
  'what contradicts the database is named by place, together with what is wrong in itself',
  async (world) => {
    const { ask, refusal } = operatorOf(world)
    await ask(apply, {
      ...merchant({ credentials: [{ key: 'mk_1', secret }], deposits: [deposit] }),
      ...provider({ credentials: [{ key: 'pk_1' }], networks: ['0001'] }),
    })
    await world.store.step({
      rows: {},
      decide: () => ({
        answer: null,
        writes: [{ update: 'credentials', key: { key: 'pk_1' }, set: { revoked_at: 1 } }],
      }),
    })
    const before = await everything(world)
    const error = await refusal('apply', {
      merchants: [
        {
          name: 'Kiosk',
          credentials: [{ key: 'mk_1', secret: `${secret}!` }],
          deposits: [{ ...deposit, amount: '200.00' }],
        },
        { name: 'Bakery', credentials: [{ key: 'pk_1' }] },
      ],
      providers: [
        { name: 'Tills', credentials: [{ key: 'pk_1' }] },
        { name: 'Others', networks: ['0001'] },
      ],
      rates: [{}],
    })
    assert.is(error.message, 'The file has 11 bad places; nothing was changed.')
    assert.equal(error.details, [
      'rates[0].blockchains: is missing',
      'rates[0].send: is missing',
      'rates[0].country: is missing',
      'rates[0].target: is missing',
      'rates[0].rate: is missing, and there is no source',
      'providers[0].credentials[0]: key pk_1 is in merchants[1].credentials[0] already',
      'merchants[0].credentials[0].secret: is not the secret of mk_1; a new secret needs a new key',
      'merchants[0].deposits[0]: deposit one was booked as 100.00 MXN; another needs another reference',
      'merchants[1].credentials[0]: key pk_1 belongs to provider Tills',
      'providers[0].credentials[0]: key pk_1 was revoked; a new credential needs a new key',
      'providers[1].networks[0]: network 0001 is registered to provider Tills',
    ])
    assert.equal(await everything(world), before)
  },
)

play('deposits that together pass what the ledger holds are refused', async (world) => {
  const { refusal } = operatorOf(world)
  const half = '50000000000000000.00'
  const error = await refusal(
    'apply',
    merchant({
      deposits: [
        { currency: 'MXN', amount: half, reference: 'one' },
        { currency: 'MXN', amount: half, reference: 'two' },
      ],
    }),
  )
  assert.equal(error.details, [
    'merchants[0].deposits[1].amount: is more than the ledger can hold, with what is in it already',
  ])
  assert.is(await world.balance({ kind: 'bank', ownerId: '' }), 0n)
})

play('a deposit is booked once by merchant and reference, and wakes the funding', async (world) => {
  const { ask } = operatorOf(world)
  let woken = 0
  world.store.subscribe('funding', () => {
    woken += 1
  })
  await ask(apply, {
    merchants: [
      { name: 'A', deposits: [deposit] },
      { name: 'B', deposits: [deposit] },
    ],
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.is(woken, 1)
  await ask(apply, { merchants: [{ name: 'A', deposits: [deposit] }] })
  await new Promise((resolve) => setImmediate(resolve))
  assert.is(woken, 1)
  assert.equal(
    (await world.rows('postings')).map(({ kind, amount_minor, reference, order_id }) => [
      kind,
      amount_minor,
      reference,
      order_id,
    ]),
    [
      ['deposit', 10_000n, 'one', null],
      ['deposit', 10_000n, 'one', null],
    ],
  )
})

play('two files at once: the later one is planned for what the earlier one left', async (world) => {
  const { ask } = operatorOf(world)
  // Whichever comes second would bring the third secret.
  const endings = await Promise.allSettled([
    ask(apply, merchant({ credentials: [{ key: 'mk_1' }, { key: 'mk_2' }] })),
    ask(apply, merchant({ credentials: [{ key: 'mk_3' }] })),
  ])
  const refused = endings.flatMap((ending) => (ending.status === 'rejected' ? [ending.reason] : []))
  assert.is(refused.length, 1)
  assert.match(refused[0].details[0], /third live secret/)
  const parallel = await Promise.all(
    Array.from({ length: 20 }, () => ask(apply, merchant({ deposits: [deposit] }))),
  )
  assert.is(parallel.filter(({ changes }) => changes.length > 0).length, 1)
  assert.is(await world.balance({ kind: 'bank', ownerId: '' }), -10_000n)
})

play('the audit log has each file, without its secrets', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await ask(apply, merchant({ credentials: [{ key: 'mk_1', secret }] }))
  await refusal('apply', { merchants: 3 })
  assert.equal(
    (await world.rows('audit')).map(({ operator, operation, input_json, outcome }) => [
      operator,
      operation,
      input_json,
      outcome,
    ]),
    [
      [
        'ana',
        'apply',
        '{"merchants":[{"name":"Kiosk","credentials":[{"key":"mk_1","secret":"***"}]}]}',
        'done',
      ],
      ['ana', 'apply', '{"merchants":3}', 'invalid: The file has one bad place; nothing was changed.'],
    ],
  )
})

test.run()
