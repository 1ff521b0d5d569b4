import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findAlarms } from '../../../actors/condition/alarms.ts'
import { replay } from '../../../actors/inspection/replay.ts'
import { expireDueOrders } from '../../../actors/orders/expiry.ts'
import { orderClear } from '../../../actors/orders/quarantine-operations.ts'
import { quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import type { Row } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { graceMs, inOrderWorld, minuteMs, type OrderWorld } from '../../support/order-world.ts'
import { stuckOrdersOf } from '../../support/stuck-orders.ts'

const play = inOrderWorld(test)

/** Sets the clock to a moment relative to the order's expiry. */
function toExpiry(world: OrderWorld, order: Row<'orders'>, ms = 0): void {
  world.clock.jump(order.expiry_at + ms - world.clock.now())
}

async function fundedOrder(world: OrderWorld) {
  await world.deposit(100_000n)
  return world.order()
}

async function lockedOrder(world: OrderWorld) {
  const order = await fundedOrder(world)
  assert.is((await world.start(order.id, 'A')).outcome, 'accepted')
  return world.row(order.id)
}

/** How often the journal says that the order expired. */
/** As a restoration does. */
async function quarantine(world: OrderWorld): Promise<void> {
  await world.store.execute(quarantineOpenOrders, { at: world.clock.now() })
}

play(
  'what may have been paid since a backup does not expire, and expires at once when it is cleared',
  async (world) => {
    const order = await fundedOrder(world)
    await quarantine(world)
    toExpiry(world, order, 24 * 60 * minuteMs)
    await world.orders.expire(order.id)
    const clock = world.clock
    await expireDueOrders(world.store, world.orders, {
      clock,
      mayExpire: () => true,
      stuck: stuckOrdersOf(world.store),
    })
    assert.is((await world.orders.find(order.id))?.order.status, 'READY')
    assert.is(await world.balance({ kind: 'reserved' }), 100_000n, 'its stake is not given back')
    const told = await world.start(order.id, 'A')
    assert.is(told.outcome === 'refused' && told.reason, 'past_expiry')
    const { alarms } = await findAlarms(world)
    assert.equal(
      alarms.map(({ kind, count }) => [kind, count]),
      [['quarantined_past_expiry', 1]],
    )

    const { cleared } = await operatorOf(world).ask(orderClear, { ids: [order.id], reason: 'not paid' })
    assert.equal(cleared, [order.id])
    assert.equal([(await world.row(order.id)).status, await world.balance({})], ['EXPIRED', 100_000n])
    assert.equal((await findAlarms(world)).alarms, [])
    await assertInvariants(world)
  },
)

play(
  'a quarantined order that a provider gives back past its expiry is READY: another may have paid it',
  async (world) => {
    const order = await lockedOrder(world)
    await quarantine(world)
    toExpiry(world, order, graceMs + minuteMs)
    assert.is((await world.giveBack(order.id, 'A')).outcome, 'accepted')
    assert.is((await world.row(order.id)).status, 'READY')
    const journal = await world.rows('journal')
    assert.match(journal.at(-1)?.event_json ?? '', /"isQuarantined":true/)
    assert.is(await world.balance({ kind: 'reserved' }), 100_000n)
    await assertInvariants(world)
    // A journal of 0.1.0 has another word for it, and none at all would expire the order.
    const stepsOf = (word: string) =>
      replay(
        order,
        journal.map((entry) => ({
          ...entry,
          event_json: entry.event_json.replace('"isQuarantined":true', word),
        })),
      ).steps.map(({ differs }) => differs)
    assert.not.ok(stepsOf('"isHeld":true').includes(true))
    assert.ok(stepsOf('"is":1').includes(true))
  },
)

play('the holder of a quarantined order confirms long past its grace', async (world) => {
  const order = await lockedOrder(world)
  await quarantine(world)
  toExpiry(world, order, 24 * 60 * minuteMs)
  assert.is((await world.confirm(order.id, 'A')).outcome, 'accepted')
  assert.equal([(await world.row(order.id)).status, await world.rows('exceptions')], ['COMPLETED', []])
  await assertInvariants(world)
})

test.run()
