/** What an end user is offered to sign (protocol 11.1), and what a build leaves behind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type FreshTransactions,
  noFreshTransactions,
  offeredTransaction,
  recordBuildRefused,
  recordBuilt,
} from '../../../actors/chains/transactions.ts'
import { createWebhookTransactions } from '../../../actors/chains/webhook-transactions.ts'
import { representOrder } from '../../../actors/orders/representation.ts'
import { ordersAwaiting, ordersToBuild } from '../../../persistence/queries/foreign-orders.ts'
import {
  assertSound,
  chainDepositFor,
  type ForeignPlay,
  playForeign,
  send,
} from '../../support/foreign-orders.ts'
import { checkoutUrl, minuteMs, orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)
const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  test(name, () => inWorld((world) => story(playForeign(world))))

/** Assembles a text that says what it moves; good for half a minute. */
const fresh: FreshTransactions = {
  assemble: (_, missing, at) => ({
    transaction: `fresh ${missing}`,
    signableUntil: at + 30_000,
    landsUntil: null,
  }),
}

async function offered(world: ForeignPlay, orderId: string, from: FreshTransactions = fresh) {
  return offeredTransaction(from, await world.row(orderId), await world.side(orderId), world.clock.now())
}

const due = async (world: ForeignPlay, now = world.clock.now()) =>
  (await world.store.query(ordersToBuild, { blockchain: 'SOLANA', now, limit: 10 })).map(
    (one) => one.order_id,
  )

play('nothing is offered before the first transaction was built, and a fresh one then', async (world) => {
  const { order_id } = await world.foreign()
  assert.equal(await due(world), [order_id])
  assert.is(await offered(world, order_id), '')
  assert.is(await world.build(order_id, 'stored'), 'recorded')
  assert.equal(await due(world), [])
  assert.is(await offered(world, order_id), `fresh ${send.minor}`)
})

play('the first transaction is told by one webhook, those after it by none', async (world) => {
  const { order_id } = await world.foreign()
  await world.build(order_id, 'first')
  world.clock.advance(minuteMs)
  await world.build(order_id, 'second')
  const webhooks = await world.rows('webhooks')
  assert.equal(
    webhooks.map(({ body }) => [JSON.parse(body).status, JSON.parse(body).transaction]),
    [['CREATED', 'first']],
  )
  assert.is((await world.side(order_id)).transaction_text, 'second')
  assert.is((await world.row(order_id)).revision, 2)
  assertSound(await world.problems())
})

play('the stored one is never given out again', async (world) => {
  const { order_id } = await world.foreign()
  await world.build(order_id, 'stored')
  assert.is(await offered(world, order_id, noFreshTransactions), '')
  const short: FreshTransactions = {
    assemble: (_, __, at) => ({ transaction: 'short', signableUntil: at + 9_999, landsUntil: null }),
  }
  assert.is(await offered(world, order_id, short), '')
  const found = await world.orders.find(order_id)
  const shown = found && representOrder(found.order, found, checkoutUrl)
  assert.is(shown && 'transaction' in shown && shown.transaction, '')
})

play('a webhook tells of a transaction that can be signed when it is sent, or waits', async (world) => {
  const { order_id } = await world.foreign()
  await world.build(order_id, 'stored')
  const [webhook] = await world.rows('webhooks')
  assert.ok(webhook)
  if (webhook === undefined) return
  const { store, clock } = world
  const told = async (from: FreshTransactions): Promise<string | null> => {
    const body = await createWebhookTransactions({ store, clock, fresh: from })(webhook)
    return body === null ? null : JSON.parse(body).transaction
  }
  assert.is(await told(fresh), `fresh ${send.minor}`)
  assert.is(await told(noFreshTransactions), null)
  const { transaction: _, ...rest } = JSON.parse(webhook.body)
  const renewed = JSON.parse((await createWebhookTransactions({ store, clock, fresh })(webhook)) ?? '')
  assert.equal({ ...renewed, transaction: undefined }, { ...rest, transaction: undefined })
  await world.cancel(order_id)
  assert.equal([await told(fresh), await told(noFreshTransactions)], ['', ''])
  const final = (await world.rows('webhooks')).at(-1)
  assert.is(final && (await createWebhookTransactions({ store, clock, fresh })(final)), final?.body)
})

play(
  'none is offered once money was seen, after the window, and when the order waits no more',
  async (world) => {
    const [seen, late, paid, cancelled] = [
      await world.foreign(),
      await world.foreign(),
      await world.foreign(),
      await world.foreign(),
    ]
    for (const { order_id } of [seen, late, paid, cancelled]) await world.build(order_id)
    await world.deposits.markSeen('SOLANA', [chainDepositFor(seen, world.clock.now())])
    await world.read([chainDepositFor(paid, world.clock.now())])
    await world.cancel(cancelled.order_id)
    for (const { order_id } of [seen, paid, cancelled]) assert.is(await offered(world, order_id), '')
    world.clock.advance(late.funding_deadline_at - world.clock.now() - 1)
    assert.ok(await offered(world, late.order_id))
    world.clock.advance(1)
    assert.is(await offered(world, late.order_id), '')
  },
)

play(
  'after a part only what is missing is asked for, and not while the old version can land',
  async (world) => {
    const foreign = await world.foreign()
    const { order_id } = foreign
    await world.build(order_id)
    await world.deposits.markSeen('SOLANA', [chainDepositFor(foreign, world.clock.now())])
    await world.read([chainDepositFor(foreign, world.clock.now(), { amount: 20_000_000n })])
    assert.is(await offered(world, order_id), '')
    assert.equal(await due(world, world.clock.now() + 119_999), [])
    world.clock.advance(120_000)
    assert.equal(await due(world), [order_id])
    await world.build(order_id)
    assert.is(await offered(world, order_id), 'fresh 30000000')
    assert.is((await world.rows('webhooks')).length, 1)
  },
)

play('what was built for another sum, or for an order that moved on, is not kept', async (world) => {
  const [partly, cancelled] = [await world.foreign(), await world.foreign()]
  await world.read([chainDepositFor(partly, world.clock.now(), { amount: 1n })])
  await world.cancel(cancelled.order_id)
  const context = { store: world.store, ...world.orders.context }
  for (const { order_id: orderId } of [partly, cancelled]) {
    const assembled = { transaction: 'old', signableUntil: 1, landsUntil: null }
    assert.is(
      await recordBuilt(context, { orderId, amount: send.minor, assembled, treasury: 'treasury' }),
      'outdated',
    )
    assert.is((await world.side(orderId)).transaction_text, '')
  }
})

play(
  'an order whose transaction cannot be built says why, and so does one exception, until it can',
  async (world) => {
    const { order_id: orderId } = await world.foreign()
    const context = { store: world.store, ...world.orders.context }
    const retryAt = world.clock.now() + 15_000
    const message = 'The wallet has no token account for USDC.'
    const refusal = { kind: 'no_trustline', retryable: true, message } as const
    for (let times = 0; times < 3; times++) await recordBuildRefused(context, { orderId, refusal, retryAt })
    const found = await world.orders.find(orderId)
    assert.ok(found)
    if (!found) return
    const shown = representOrder(found.order, found, checkoutUrl)
    assert.is('transaction_error' in shown && shown.transaction_error, message)
    const [exception, ...others] = await world.exceptions('transaction_blocked')
    assert.equal([exception?.state, exception?.order_id, others], ['open', orderId, []])
    assert.equal([await due(world), await due(world, retryAt)], [[], [orderId]])

    await world.build(orderId)
    const [settled] = await world.exceptions('transaction_blocked')
    assert.equal([settled?.state, settled?.resolution, settled?.resolved_by], ['resolved', 'built', null])
    const after = await world.orders.find(orderId)
    assert.not.ok(after && 'transaction_error' in representOrder(after.order, after, checkoutUrl))
    assertSound(await world.problems())
  },
)

play('trouble of the chain alone is tried again without a word', async (world) => {
  const { order_id: orderId } = await world.foreign()
  const context = { store: world.store, ...world.orders.context }
  const refusal = { kind: 'rpc_unavailable', retryable: true, message: 'timeout' } as const
  await recordBuildRefused(context, { orderId, refusal, retryAt: world.clock.now() + 3000 })
  assert.equal(await world.rows('exceptions'), [])
  assert.is((await world.side(orderId)).transaction_error, null)
  assert.equal(await due(world, world.clock.now() + 3000), [orderId])
})

play(
  'orders that can be paid are known by their chain, those that cannot are not among them',
  async (world) => {
    const [waiting, paid] = [await world.foreign(), await world.foreign()]
    await world.read([chainDepositFor(paid, world.clock.now())])
    const awaiting = async () => {
      const now = world.clock.now()
      const found = await world.store.query(ordersAwaiting, { blockchain: 'SOLANA', now, limit: 10 })
      return found.map(({ order_id }) => order_id)
    }
    assert.equal(await awaiting(), [waiting.order_id])
    world.clock.advance(waiting.funding_deadline_at - world.clock.now())
    assert.equal(await awaiting(), [])
  },
)

test.run()
