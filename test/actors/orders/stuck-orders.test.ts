/** One order that nobody can work on keeps no other from its turn, and is told of until it can be worked on. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findAlarms } from '../../../actors/condition/alarms.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import { expireDueOrders } from '../../../actors/orders/expiry.ts'
import { fundWaitingOrders } from '../../../actors/orders/funding.ts'
import { orderList } from '../../../actors/orders/list-operations.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import { createStuckOrders } from '../../../actors/orders/stuck-orders.ts'
import { UnreadableOrder } from '../../../actors/orders/unreadable-order.ts'
import { StoreUnavailable } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit, hourMs, inOrderWorld, minuteMs, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)

/** What another program, or a broken disk, may have left: each with what is said of it. */
const damages: [set: { machine_version?: number; snapshot?: string }, said: RegExp][] = [
  [{ machine_version: 99 }, /has version 99; this program knows 1/],
  [{ machine_version: 0 }, /No upcasters lead from version 0/],
  [{ snapshot: '{"value":' }, /is no JSON/],
  [{ snapshot: 'null' }, /cannot be restored/],
  [{ snapshot: '{}' }, /cannot be restored/],
  [
    { snapshot: '{"status":"active","value":{"open":"NOWHERE"},"context":{},"children":{}}' },
    /cannot be restored/,
  ],
]

async function damage({ store }: OrderWorld, id: string, set: (typeof damages)[number][0]) {
  await commit(store, [{ update: 'orders', key: { id }, set }])
}

function stuckIn(world: OrderWorld) {
  const condition = createCondition()
  condition.send({ type: 'serve' })
  const told: object[] = []
  const { store, clock } = world
  const stuck = createStuckOrders({ store, clock, condition, log: { error: (facts) => told.push(facts) } })
  const sweep = () => expireDueOrders(store, world.orders, { clock, mayExpire: () => true, stuck })
  const exceptions = async () =>
    (await world.rows('exceptions')).map(({ kind, order_id, state }) => [kind, order_id, state])
  return { stuck, sweep, exceptions, ready: () => readiness(condition), told }
}

for (const [set, said] of damages)
  play(`an order with ${JSON.stringify(set)} is told of, and the others expire`, async (world) => {
    const { sweep, exceptions, ready, told } = stuckIn(world)
    await world.deposit(1_000_000n)
    const [sick, ...others] = [await world.order(), await world.order(), await world.order()]
    const before = await world.row(sick.id)
    await damage(world, sick.id, set)
    world.clock.advance(48 * hourMs)
    for (let pass = 0; pass < 3; pass++) await sweep()
    for (const { id } of others) assert.is((await world.row(id)).status, 'EXPIRED')
    assert.is(told.length, 1, 'it is tried again after a minute')
    assert.equal(await exceptions(), [['order_stuck', sick.id, 'open']])
    const state = ready()
    assert.is(state.status, 'degraded')
    assert.match(JSON.stringify(state), /1 order\(s\) cannot be worked on/)
    assert.not.match(JSON.stringify(state), new RegExp(sick.id), 'strangers read it')
    const { alarms } = await findAlarms(world)
    assert.equal(
      alarms.map(({ kind, order }) => [kind, order]),
      [['order_stuck', sick.id]],
    )
    assert.match(alarms[0]?.message ?? '', said)

    // What can be told is told; what cannot be decided is refused, and changes nothing.
    const operator = operatorOf(world)
    const shown = await operator.ask(orderShow, { id: sick.id })
    assert.equal([shown.status, shown.exceptions.length], ['READY', 1])
    assert.is((await operator.ask(orderList, {})).orders.length, 3)
    assert.is((await world.orders.findByCode(sick.code))?.status, 'READY')
    const started = await world.start(sick.id, 'A').catch((error) => error)
    assert.instance(started, UnreadableOrder)

    // The right program comes back.
    await damage(world, sick.id, { machine_version: before.machine_version, snapshot: before.snapshot })
    await sweep()
    assert.is((await world.row(sick.id)).status, 'READY')
    world.clock.advance(minuteMs)
    await sweep()
    assert.is((await world.row(sick.id)).status, 'EXPIRED')
    assert.equal(await exceptions(), [['order_stuck', sick.id, 'resolved']])
    assert.equal(ready(), { status: 'ready' })
  })

play('it is found before a pass needs it, and by the node that starts after', async (world) => {
  const order = await world.order()
  await damage(world, order.id, { machine_version: 99 })
  const first = stuckIn(world)
  while ((await first.stuck.look()).more);
  assert.equal(await first.exceptions(), [['order_stuck', order.id, 'open']])
  assert.is(first.ready().status, 'degraded')
  // Another node, with the program that knows it.
  await damage(world, order.id, { machine_version: 1 })
  const next = stuckIn(world)
  while ((await next.stuck.look()).more);
  assert.equal(await next.exceptions(), [['order_stuck', order.id, 'resolved']])
  assert.equal(next.ready(), { status: 'ready' })
})

play('the funding of one order that cannot be read keeps no other from its money', async (world) => {
  const { stuck, exceptions } = stuckIn(world)
  const made = await Promise.all([world.create(), world.create()])
  const [sick, other] = made.map((one) => (one.outcome === 'created' ? one.order.id : ''))
  assert.ok(sick && other)
  await damage(world, sick, { machine_version: 99 })
  await world.deposit(1_000_000n)
  await fundWaitingOrders(world.store, world.orders, stuck)
  assert.is((await world.row(other)).status, 'READY')
  assert.equal(await exceptions(), [['order_stuck', sick, 'open']])
})

play(
  'what a person has dismissed stays dismissed, and what is not the order’s fails the pass',
  async (world) => {
    const order = await world.order()
    const { stuck, exceptions } = stuckIn(world)
    const fail = (error: Error) => () => Promise.reject(error)
    await stuck.each('test', [order], ({ id }) => id, fail(new Error('of the order')))
    const [opened] = await world.rows('exceptions')
    assert.ok(opened)
    const set = { state: 'resolved', resolution: 'dismiss', resolved_at: 1, resolved_by: 'ana' } as const
    await commit(world.store, [{ update: 'exceptions', key: { id: opened.id }, set }])
    world.clock.advance(minuteMs)
    await stuck.each('test', [order], ({ id }) => id, fail(new Error('of the order')))
    assert.equal(await exceptions(), [['order_stuck', order.id, 'resolved']])
    world.clock.advance(minuteMs)
    const failed = await stuck
      .each('test', [order], ({ id }) => id, fail(new StoreUnavailable('full', 'the disk is full')))
      .catch((error) => error)
    assert.instance(failed, StoreUnavailable)
  },
)

test.run()
