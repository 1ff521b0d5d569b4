/** Alarms, not blocks: each is told once, and nothing is refused because of one. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAlarmWatch, maxHeld } from '../../../actors/condition/alarms.ts'
import { alarmList } from '../../../actors/operations/alarms.ts'
import { heldCount, heldSince, oftenReleased } from '../../../persistence/queries/alarms.ts'
import { limitExposure } from '../../support/agreed-terms.ts'
import { operatorOf } from '../../support/operations.ts'
import {
  ending,
  hourMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  readyOrder,
} from '../../support/order-world.ts'
import { planOf } from '../../support/query-plan.ts'

const play = inOrderWorld(test)

async function startAndGiveBack(world: OrderWorld, orderId: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    assert.is(ending(await world.start(orderId, time % 2 === 0 ? 'A' : 'B')), 'accepted')
    assert.is(ending(await world.giveBack(orderId, time % 2 === 0 ? 'A' : 'B')), 'accepted')
  }
}

const alarmsOf = async (world: OrderWorld) =>
  (await operatorOf(world).ask(alarmList, {})).alarms.map(({ kind, order, provider, count }) => [
    kind,
    order,
    provider,
    count,
  ])

play(
  'an order that was given back more than three times is an alarm, and can be started all the same',
  async (world) => {
    const { id, code } = await readyOrder(world)
    await startAndGiveBack(world, id, 3)
    assert.equal(await alarmsOf(world), [])
    await world.start(id, 'A')
    assert.equal(await alarmsOf(world), [], 'it was given back three times, and is held')
    await world.giveBack(id, 'A')
    const { alarms, more } = await operatorOf(world).ask(alarmList, {})
    assert.equal(
      [alarms, more],
      [
        [
          {
            kind: 'often_released',
            order: id,
            provider: null,
            chain: null,
            since: '2026-03-01T12:01:00.000Z',
            count: 4,
            message: `Order ${code} was started and released 4 times: ask the providers why.`,
          },
        ],
        false,
      ],
    )
    assert.is(ending(await world.start(id, 'B')), 'accepted')
    assert.equal(await alarmsOf(world), [['often_released', id, null, 4]])
    assert.is(ending(await world.confirm(id, 'B')), 'accepted')
    assert.equal(await alarmsOf(world), [], 'it has ended')
  },
)

play('an order that is held longer than an hour is an alarm, with whom to ask', async (world) => {
  const { id, code } = await readyOrder(world)
  await world.start(id, 'B')
  world.clock.advance(hourMs)
  assert.equal(await alarmsOf(world), [])
  world.clock.advance(1)
  const { alarms } = await operatorOf(world).ask(alarmList, {})
  assert.equal(alarms, [
    {
      kind: 'long_held',
      order: id,
      provider: 'Network B',
      chain: null,
      since: '2026-03-01T12:01:00.000Z',
      count: null,
      message: `Network B has held order ${code} since 2026-03-01T12:01:00.000Z: ask whether its till works.`,
    },
  ])
})

play(
  'a provider that holds more than two hundred orders is an alarm, and may start the next',
  async (world) => {
    const hold = async (count: number) => {
      const made = await Promise.all(
        Array.from({ length: count }, () => world.create({ direction: 'PAY_IN' })),
      )
      const ids = made.map((one) => (one.outcome === 'created' ? one.order.id : ''))
      const told = await Promise.all(ids.map((id) => world.start(id, 'A')))
      assert.ok(told.every(({ outcome }) => outcome === 'accepted'))
    }
    await hold(maxHeld)
    assert.equal(await alarmsOf(world), [])
    await hold(1)
    assert.equal(await alarmsOf(world), [['many_held', null, 'Network A', maxHeld + 1]])
    await hold(60)
    world.clock.advance(hourMs + minuteMs)
    const { alarms, more } = await operatorOf(world).ask(alarmList, {})
    assert.equal([alarms.length, more], [51, true], 'of the orders of each provider fifty are told')
  },
)

play('the log is told of each alarm once, for as long as it lasts', async (world) => {
  const lines: [unknown, string][] = []
  const log = { warn: (facts: unknown, message: string) => void lines.push([facts, message]) }
  const look = createAlarmWatch({ store: world.store, clock: world.clock, log })
  const { id, code } = await readyOrder(world)
  await startAndGiveBack(world, id, 4)
  for (let time = 0; time < 3; time++) assert.equal(await look(), { more: false })
  assert.equal(lines, [
    [
      {
        alarm: {
          kind: 'often_released',
          order: id,
          provider: null,
          chain: null,
          since: '2026-03-01T12:01:00.000Z',
          count: 4,
        },
      },
      `Order ${code} was started and released 4 times: ask the providers why.`,
    ],
  ])
  await world.start(id, 'A')
  world.clock.advance(hourMs + 1)
  await look()
  await look()
  assert.is(lines.length, 2)
  // It is over, and begins again.
  await world.giveBack(id, 'A')
  await look()
  await world.start(id, 'A')
  world.clock.advance(hourMs + 1)
  await look()
  assert.is(lines.length, 3)
})

test('SQLite looks for them in an index, however many orders there are', () => {
  assert.equal(planOf(oftenReleased), ['SCAN orders USING INDEX orders_often_locked'])
  assert.equal(planOf(heldSince), [
    'SEARCH orders USING INDEX orders_locked (lock_provider_id=? AND locked_at<?)',
  ])
  assert.match(
    planOf(heldCount).join('; '),
    'SEARCH orders USING COVERING INDEX orders_locked (lock_provider_id=?)',
  )
})

play('a provider that owes nearly what it may is an alarm, for as long as it does', async (world) => {
  await limitExposure(world, 200_000n)
  const told: string[] = []
  const watch = createAlarmWatch({ ...world, log: { warn: (_, message) => void told.push(message) } })
  const owe = async (priceMinor: bigint) => {
    const { id } = await world.order({ direction: 'PAY_IN', priceMinor })
    await world.start(id, 'A')
    await watch()
    return id
  }
  await owe(159_999n)
  assert.equal(await alarmsOf(world), [])
  const held = await owe(1n)
  const { alarms } = await operatorOf(world).ask(alarmList, {})
  assert.equal(
    alarms.map(({ kind, provider, exposure }) => ({ kind, provider, exposure })),
    [
      {
        kind: 'exposure_high',
        provider: 'Network A',
        exposure: { currency: 'MXN', used: '1600.00', limit: '2000.00', warnAtPercent: 80 },
      },
    ],
  )
  await watch()
  assert.equal(told, [
    'Network A owes, holds or may owe 1600.00 of 2000.00 MXN (80 %); the warning is from 80 % on. ' +
      'At the limit its pay-ins are refused: collect what it owes, or raise its limit.',
  ])
  await world.giveBack(held, 'A')
  assert.equal(await alarmsOf(world), [])
})

test.run()
