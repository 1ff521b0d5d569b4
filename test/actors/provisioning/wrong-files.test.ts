/** A file of merchants, providers and rates that is wrong in itself, and one that does not fit what is there. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld } from '../../support/order-world.ts'
import { deposit, everything, merchant, pair, provider, rate, secret } from './file-members.ts'

const play = inOrderWorld(test)

const source = { url: 'https://rates.example/usdc', pointer: '/mxn' }

function sourced(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const pair = { blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN' }
  // As it comes from a file: what is undefined is not there.
  return JSON.parse(JSON.stringify({ rates: [{ ...pair, source, ...changes }] }))
}

/** A file that is wrong in itself, and each place it has to name. */
const wrongFiles: [what: string, file: Record<string, unknown>, lines: string[]][] = [
  [
    'unknown keys',
    { merchant: [] },
    ['merchant: is unknown; there are merchants, providers, rates, banks, calendars'],
  ],
  ['no list', { merchants: {} }, ['merchants: {} is not a list']],
  [
    'no object',
    { merchants: ['Kiosk'], rates: [null] },
    [
      'merchants[0]: "Kiosk" is not an object with name, contact, credentials, limits, pairs, deposits, settles, standardWebhooks',
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

test.run()
