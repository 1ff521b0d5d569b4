/** Protocol 15.2: terms by `apply`: what is written, what is no change, and that the past stays. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import { feeTermsAt } from '../../../actors/terms/in-force.ts'
import { termsShow } from '../../../actors/terms/operations.ts'
import example from '../../../docs/examples/terms.json' with { type: 'json' }
import { feeTermsInForce } from '../../../persistence/queries/terms.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)
const hourMs = 3_600_000

async function everything(world: OrderWorld): Promise<unknown> {
  const tables = [
    'banks',
    'calendars',
    'calendar_days',
    'settlement_terms',
    'cut_offs',
    'fee_terms',
    'exposure_limits',
    'networks',
    'pairs',
    'facts',
  ] as const
  return Promise.all(tables.map((table) => world.rows(table)))
}

const fee = { from: '2026-12-01', direction: 'PAY_IN', bps: 250, taxBps: 1600 }
const pair = { country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00' }
const shop = (fees: readonly object[], more: object = {}) => ({
  merchants: [{ name: 'Kiosk', pairs: [{ ...pair, fees }], ...more }],
})
const settles = (members: object) => ({
  merchants: [{ name: 'Kiosk', settles: [{ currency: 'MXN', ...members }] }],
})
const waitUntil = ({ clock }: OrderWorld, time: string) => clock.advance(Date.parse(time) - clock.now())
const iso = (at: number | null | undefined) => (at == null ? null : new Date(at).toISOString())

play('the example of the documents is applied, and shown as it was written', async (world) => {
  const { ask } = operatorOf(world)
  waitUntil(world, '2026-11-28T18:00:00Z')
  await ask(apply, example)
  const { parties } = await ask(termsShow, {})
  const [merchant, provider] = [
    parties.find(({ kind }) => kind === 'merchant'),
    parties.find(({ kind }) => kind === 'provider'),
  ]
  assert.equal(merchant, {
    name: 'Demo Shop',
    kind: 'merchant',
    settles: [
      {
        currency: 'MXN',
        timeZone: 'America/Mexico_City',
        cutOff: '24:00',
        every: 'day',
        calendar: 'mx-banks',
        afterBankingDays: 1,
        minimum: null,
        keep: '10000.00',
        account: 'CLABE …5678',
        accountSince: '2026-11-28T18:00:00.000Z',
        nextAccount: null,
        nextAccountFrom: null,
        cutOffs: [
          { day: '2026-11-28', ends: '2026-11-29T06:00:00.000Z' },
          { day: '2026-11-29', ends: '2026-11-30T06:00:00.000Z' },
          { day: '2026-11-30', ends: '2026-12-01T06:00:00.000Z' },
        ],
      },
    ],
    exposure: [],
    fees: [
      {
        country: 'MX',
        direction: 'PAY_IN',
        currency: 'MXN',
        from: '2026-12-01',
        begins: '2026-12-01T06:00:00.000Z',
        state: 'coming',
        fixed: '0.00',
        bps: 250,
        min: null,
        max: null,
        taxBps: 1600,
      },
    ],
    networks: [],
  })
  assert.equal(provider?.exposure, [{ currency: 'MXN', limit: '200000.00', warnAtPercent: 80 }])
  assert.equal(provider?.settles[0]?.cutOffs[0], { day: '2026-11-28', ends: '2026-11-29T04:00:00.000Z' })
  const { commissions = [], ...network } = provider?.networks[0] ?? {}
  assert.equal(network, {
    id: '0001',
    name: 'Tiendas Demo',
    country: 'MX',
    currency: 'MXN',
    min: '20.00',
    max: '10000.00',
    counterFee: '12.00',
    hours: '8–22 h',
    text: { es: 'Pida un depósito Demo.' },
    report: null,
  })
  assert.equal(
    commissions.map(({ direction, fixed, bps, min, max }) => [direction, fixed, bps, min, max]),
    [['PAY_OUT', '5.00', 80, '5.00', '60.00']],
  )
  assert.equal(await world.rows('banks'), [{ name: 'main', currency: 'MXN', statement_json: null }])
  assert.equal(await world.rows('calendar_days'), [
    { calendar: 'mx-banks', day: '2026-12-25', note: 'Navidad' },
  ])
})

play('applied again, and again after what it says has begun, it changes nothing', async (world) => {
  const { ask } = operatorOf(world)
  waitUntil(world, '2026-11-28T18:00:00Z')
  await ask(apply, example)
  for (const later of [1000, 10 * 24 * hourMs]) {
    world.clock.advance(later)
    const before = await everything(world)
    assert.equal((await ask(apply, example)).changes, [])
    assert.equal(await everything(world), before)
  }
})

play('of two who apply the same at once one changes it, and the other finds it so', async (world) => {
  const { ask } = operatorOf(world)
  const both = await Promise.all([ask(apply, example), ask(apply, example)])
  assert.equal(both.map(({ changes }) => changes.length > 0).toSorted(), [false, true])
  const alone = (await everything(world)) as unknown[][]
  assert.equal(alone.map((rows) => rows.length).slice(0, 4), [1, 1, 1, 2])
})

play('of two who say different things of one day at once one ends the other’s', async (world) => {
  const { ask } = operatorOf(world)
  await ask(apply, shop([]))
  await Promise.all([ask(apply, shop([fee])), ask(apply, shop([{ ...fee, bps: 300 }]))])
  const rows = await world.rows('fee_terms')
  assert.is(rows.length, 1)
  assert.ok([250, 300].includes(rows[0]?.bps ?? 0))
})

play('a later day ends the former; what has begun is refused, what comes may change', async (world) => {
  const { ask, refusal } = operatorOf(world)
  waitUntil(world, '2026-11-28T18:00:00Z')
  await ask(apply, shop([fee, { ...fee, from: '2026-12-10', bps: 200 }]))
  await ask(apply, shop([{ ...fee, from: '2026-12-10', bps: 150 }]))
  const [row] = await world.rows('fee_terms')
  const key = {
    partyId: row?.party_id ?? '',
    networkId: '',
    country: 'MX',
    currency: 'MXN',
    direction: 'PAY_IN',
  } as const
  const at = async (text: string) => {
    const rows = await world.rows('fee_terms')
    const found = feeTermsAt(rows, key, Date.parse(text))?.bps ?? null
    const [asked] = await world.store.query(feeTermsInForce, { ...key, kind: 'fee', at: Date.parse(text) })
    assert.is(asked?.bps ?? null, found, 'the database says the same')
    return found
  }
  assert.is(await at('2026-11-30T23:59:59.999Z'), null)
  assert.is(await at('2026-12-01T00:00:00.000Z'), 250)
  assert.is(await at('2026-12-09T23:59:59.999Z'), 250)
  assert.is(await at('2026-12-10T00:00:00.000Z'), 150)
  waitUntil(world, '2026-12-05T18:00:00Z')
  const before = await everything(world)
  const begun = await refusal('apply', shop([{ ...fee, bps: 1 }]))
  assert.equal(begun.details, [
    'merchants[0].pairs[0].fees[0]: PAY_IN from 2026-12-01 has begun, and is not changed: say what changes from a later day',
  ])
  const past = await refusal('apply', shop([{ ...fee, from: '2026-12-04' }]))
  assert.equal(past.details, [
    'merchants[0].pairs[0].fees[0].from: "2026-12-04" is past: it is 2026-12-05 in UTC, and what was agreed on before is not changed',
  ])
  assert.equal(await everything(world), before)
})

play('terms of today hold from when they are written, not from the hours before', async (world) => {
  const { ask } = operatorOf(world)
  waitUntil(world, '2026-12-01T18:00:00Z')
  await ask(apply, shop([]))
  world.clock.advance(hourMs)
  await ask(apply, shop([fee]))
  assert.equal(
    (await world.rows('fee_terms')).map(({ from_day, from_at }) => [from_day, iso(from_at)]),
    [['2026-12-01', '2026-12-01T19:00:00.000Z']],
  )
  world.clock.advance(hourMs)
  assert.equal((await ask(apply, shop([fee]))).changes, [])
})

play('a pair that is new has no past: an older file is applied whole', async (world) => {
  const { ask } = operatorOf(world)
  waitUntil(world, '2027-05-01T18:00:00Z')
  await ask(apply, example)
  assert.equal(
    (await world.rows('fee_terms')).map(({ from_at }) => iso(from_at)),
    ['2026-12-01T06:00:00.000Z', '2026-12-01T06:00:00.000Z'],
  )
})

/** A day begins by the clock of the party's zone, also where its midnight is not there. */
const starts: [zone: string, day: string, at: string][] = [
  ['America/Mexico_City', '2026-12-01', '2026-12-01T06:00:00.000Z'],
  // Forward at midnight: 5 September 2026 ends at 24:00, and 6 September begins at 01:00.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['America/Santiago', '2026-09-07', '2026-09-07T03:00:00.000Z'],
  ['America/Asuncion', '2026-10-04', '2026-10-04T03:00:00.000Z'],
  ['America/Tijuana', '2026-11-01', '2026-11-01T07:00:00.000Z'],
  ['America/Tijuana', '2026-11-02', '2026-11-02T08:00:00.000Z'],
  ['America/Sao_Paulo', '2026-11-04', '2026-11-04T03:00:00.000Z'],
]

for (const [timeZone, from, at] of starts) {
  play(`terms from ${from} begin in ${timeZone} at ${at}`, async (world) => {
    const { ask } = operatorOf(world)
    await ask(apply, shop([{ ...fee, from }], { settles: [{ currency: 'MXN', timeZone }] }))
    assert.equal(
      (await world.rows('fee_terms')).map(({ from_at }) => iso(from_at)),
      [at],
    )
  })
}

play('another zone moves what is to come, and nothing that has begun', async (world) => {
  const { ask } = operatorOf(world)
  waitUntil(world, '2026-12-05T18:00:00Z')
  await ask(
    apply,
    shop([
      { ...fee, from: '2026-12-01' },
      { ...fee, from: '2026-12-10' },
    ]),
  )
  await ask(apply, settles({ timeZone: 'America/Santiago' }))
  assert.equal((await world.rows('fee_terms')).map(({ from_at }) => iso(from_at)).toSorted(), [
    '2026-12-01T00:00:00.000Z',
    '2026-12-10T03:00:00.000Z',
  ])
})

play('another account counts after 24 hours, and both are shown until then', async (world) => {
  const { ask } = operatorOf(world)
  const accounts = async () => {
    const { parties } = await ask(termsShow, { party: 'Kiosk' })
    const [one] = parties[0]?.settles ?? []
    return [one?.account, one?.nextAccount, one?.nextAccountFrom]
  }
  await ask(apply, settles({ account: 'one' }))
  assert.equal(await accounts(), ['one', null, null])
  const from = world.clock.now() + 24 * hourMs
  await ask(apply, settles({ account: 'two' }))
  assert.equal(await accounts(), ['one', 'two', iso(from)])
  world.clock.advance(hourMs)
  assert.equal((await ask(apply, settles({ account: 'two' }))).changes, [], 'it does not begin to wait anew')
  world.clock.advance(23 * hourMs - 1)
  assert.equal(await accounts(), ['one', 'two', iso(from)])
  world.clock.advance(1)
  assert.equal(await accounts(), ['two', null, null])
  assert.equal((await ask(apply, settles({ account: 'two' }))).changes, [])
  await ask(apply, settles({ account: 'three' }))
  assert.equal((await accounts()).slice(0, 2), ['two', 'three'])
  assert.equal((await ask(apply, settles({ account: 'two' }))).changes, [
    'merchant Kiosk: settlement of MXN set, account two stays',
  ])
  assert.equal(await accounts(), ['two', null, null])
})

play('a network that is a text has nothing but its id, and what is not mentioned stays', async (world) => {
  const { ask } = operatorOf(world)
  const network = async () => {
    const found = (await world.rows('networks')).find(({ network_id }) => network_id === 'n1')
    return [found?.name, found?.currency, found?.min_minor, found?.text_json]
  }
  const tills = (one: unknown) => ({ providers: [{ name: 'Tills', networks: [one] }] })
  await ask(apply, tills('n1'))
  assert.equal(await network(), [null, null, null, null])
  const text = { es: 'Pida.', en: 'Ask.' }
  await ask(apply, tills({ id: 'n1', name: 'Tiendas', currency: 'MXN', min: '20', text }))
  assert.equal(await network(), ['Tiendas', 'MXN', 2000n, JSON.stringify(text)])
  assert.equal((await ask(apply, tills('n1'))).changes, [])
  await ask(apply, tills({ id: 'n1', min: null, text: { en: null } }))
  assert.equal(await network(), ['Tiendas', 'MXN', null, JSON.stringify({ es: 'Pida.' })])
})

play('a limit of exposure is set, changed and taken away', async (world) => {
  const { ask } = operatorOf(world)
  const tills = (one: object) => ({ providers: [{ name: 'Tills', exposure: [{ currency: 'MXN', ...one }] }] })
  const limits = async () =>
    (await world.rows('exposure_limits')).map(({ limit_minor, warn_at_percent }) => [
      limit_minor,
      warn_at_percent,
    ])
  await ask(apply, tills({ limit: '100.00' }))
  assert.equal(await limits(), [[10_000n, 80]])
  await ask(apply, tills({ limit: '100.00', warnAtPercent: 50 }))
  await ask(apply, tills({ limit: '200.00' }))
  assert.equal(await limits(), [[20_000n, 50]])
  await ask(apply, tills({ limit: null }))
  assert.equal(await limits(), [])
})

test.run()
