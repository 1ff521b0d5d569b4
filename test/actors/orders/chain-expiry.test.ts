/** The end of a funding window and of an order, by the time of its chain (protocol 3.5). */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { expireDueOrders } from '../../../actors/orders/expiry.ts'
import {
  assertSound,
  chainDepositFor,
  type ForeignPlay,
  playForeign,
  send,
} from '../../support/foreign-orders.ts'
import { hourMs, maxOutageMs, minuteMs, orderWorlds, registryOf } from '../../support/order-world.ts'
import { stuckOrdersOf } from '../../support/stuck-orders.ts'

const inWorld = orderWorlds(test)
const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  test(name, () => inWorld((world) => story(playForeign(world))))

/** An order that lives for an hour, and the moment after its expiry. */
async function pastExpiry(world: ForeignPlay) {
  await world.read([])
  const foreign = await world.foreign({ expiryAt: world.clock.now() + 20 * minuteMs })
  world.clock.advance(20 * minuteMs)
  return foreign
}

const sweep = (world: ForeignPlay) =>
  expireDueOrders(world.store, world.orders, {
    clock: world.clock,
    mayExpire: () => true,
    stuck: stuckOrdersOf(world.store),
  })

async function status(world: ForeignPlay, orderId: string): Promise<string | undefined> {
  return (await world.orders.find(orderId))?.order.status
}

play('an order does not expire before its chain was read past its expiry', async (world) => {
  const { order_id, funding_deadline_at } = await pastExpiry(world)
  assert.is(await status(world, order_id), 'CREATED')
  await world.read([], funding_deadline_at)
  await sweep(world)
  assert.is(await status(world, order_id), 'CREATED', 'blocks of that very moment may be missing')
  await world.read([], funding_deadline_at + 1)
  await sweep(world)
  assert.is((await world.row(order_id)).status, 'EXPIRED')
  assert.equal(await world.rows('exceptions'), [])
  assertSound(await world.problems())
})

play('a look expires it, too, once its chain was read', async (world) => {
  const { order_id, funding_deadline_at } = await pastExpiry(world)
  await world.read([], funding_deadline_at + 1)
  assert.is(await status(world, order_id), 'EXPIRED')
})

play('a start and a cancel find it waiting, and it can still be cancelled', async (world) => {
  const { order_id, funding_deadline_at } = await pastExpiry(world)
  assert.is((await world.start(order_id, 'A')).outcome, 'refused')
  assert.is((await world.row(order_id)).status, 'CREATED')
  await world.read([], funding_deadline_at + 1)
  assert.is((await world.start(order_id, 'A')).outcome, 'refused')
  assert.is((await world.row(order_id)).status, 'EXPIRED')
  const other = await pastExpiry(world)
  assert.is((await world.cancel(other.order_id)).outcome, 'accepted')
})

play(
  'a deposit made in time and read late counts, and is sent back with the expired order',
  async (world) => {
    const foreign = await pastExpiry(world)
    const { order_id, funding_deadline_at } = foreign
    await world.read([chainDepositFor(foreign, funding_deadline_at)], funding_deadline_at)
    assert.is((await world.row(order_id)).status, 'READY')
    assert.is(await status(world, order_id), 'EXPIRED')
    const [due] = await world.exceptions('refund_due')
    assert.equal([due?.order_id, due?.amount], [order_id, '50.00'])
    assert.equal(
      (await world.rows('webhooks')).map(({ order_status }) => order_status),
      ['READY', 'EXPIRED'],
    )
    assertSound(await world.problems())
  },
)

play('an outage that lasts too long ends the waiting, and somebody is told', async (world) => {
  const { order_id } = await pastExpiry(world)
  const readAt = (await world.deposits.cursor('SOLANA'))?.read_at ?? 0
  world.clock.advance(readAt + maxOutageMs - world.clock.now())
  await sweep(world)
  assert.is(await status(world, order_id), 'CREATED')
  world.clock.advance(1)
  await sweep(world)
  assert.is((await world.row(order_id)).status, 'EXPIRED')
  const [outage] = await world.exceptions('chain_outage')
  assert.equal([outage?.order_id, outage?.chain, outage?.state], [order_id, 'SOLANA', 'open'])
  assertSound(await world.problems())
})

play('a part that had come is due to be sent back then', async (world) => {
  await world.read([])
  const foreign = await world.foreign({ expiryAt: world.clock.now() + hourMs })
  await world.read([chainDepositFor(foreign, world.clock.now(), { amount: 3n })])
  world.clock.advance(maxOutageMs + hourMs)
  assert.is(await status(world, foreign.order_id), 'EXPIRED')
  assert.equal(
    [(await world.exceptions('refund_due')).length, (await world.exceptions('chain_outage')).length],
    [1, 1],
  )
  assertSound(await world.problems())
})

play('what came for it during the outage is not lost', async (world) => {
  const foreign = await pastExpiry(world)
  const made = world.clock.now() - minuteMs
  world.clock.advance(maxOutageMs)
  assert.is(await status(world, foreign.order_id), 'EXPIRED')
  await world.read([chainDepositFor(foreign, made)])
  const [found] = await world.exceptions('deposit_unmatched')
  assert.is(JSON.parse(found?.evidence_json ?? '{}').reason, 'order_expired')
  assertSound(await world.problems())
})

play('a node that was stopped for longer looks before it expires anything', async (world) => {
  const { order_id } = await pastExpiry(world)
  world.clock.advance(10 * maxOutageMs)
  const restarted = { ...world, orders: registryOf(world.store, world.clock) }
  await sweep(restarted)
  assert.is((await restarted.orders.find(order_id))?.order.status, 'CREATED')
  world.clock.advance(maxOutageMs + 1)
  await sweep(restarted)
  assert.is((await restarted.orders.find(order_id))?.order.status, 'EXPIRED')
})

play('a READY order asks no chain, and orders that wait keep no other from expiring', async (world) => {
  await world.read([])
  const expiryAt = world.clock.now() + hourMs
  const paid = await world.foreign({ expiryAt })
  await world.read([chainDepositFor(paid, world.clock.now())])
  for (let count = 0; count < 300; count++) await world.foreign({ expiryAt: expiryAt - 1 })
  await world.deposit(100_000n)
  const local = await world.order({ expiryAt })
  world.clock.advance(hourMs)
  await sweep(world)
  assert.is((await world.row(local.id)).status, 'EXPIRED')
  assert.is((await world.row(paid.order_id)).status, 'EXPIRED')
  assert.is(await world.balance({ kind: 'suspense', ownerId: '', currency: 'USDC.SOLANA/6' }), send.minor)
})

test.run()
