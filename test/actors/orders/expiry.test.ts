import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Row, Topic } from '../../../persistence/store.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  answerOf,
  graceMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  tills,
} from '../../support/order-world.ts'

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
async function expiries(world: OrderWorld): Promise<number> {
  const journal = await world.rows('journal')
  return journal.filter(({ to_status, from_status }) => to_status === 'EXPIRED' && from_status !== 'EXPIRED')
    .length
}

play('an order is EXPIRED for everybody who looks at it from its expiry on', async (world) => {
  const order = await fundedOrder(world)
  toExpiry(world, order, -1)
  assert.is((await world.orders.find(order.id))?.order.status, 'READY')
  toExpiry(world, order)
  assert.is((await world.orders.find(order.id))?.order.status, 'EXPIRED')
  assert.is((await world.orders.findByCode(order.code, 'PAY_OUT'))?.status, 'EXPIRED')
  await assertInvariants(world)
})

play('a provider that looks first finds it EXPIRED too', async (world) => {
  const order = await fundedOrder(world)
  toExpiry(world, order)
  assert.is((await world.orders.findByCode(order.code, 'PAY_OUT'))?.status, 'EXPIRED')
  await assertInvariants(world)
})

play('what is told on touch is told once, by the clock, and the merchant hears of it once', async (world) => {
  const order = await fundedOrder(world)
  toExpiry(world, order, minuteMs)
  await Promise.all(Array.from({ length: 10 }, () => world.orders.find(order.id)))
  await Promise.all(Array.from({ length: 10 }, () => world.orders.expire(order.id)))
  assert.is(await expiries(world), 1)
  const last = (await world.rows('journal')).at(-1)
  assert.equal(
    [last?.actor, last?.credential_key, last?.entry_at],
    ['clock', null, order.expiry_at + minuteMs],
  )
  assert.equal(
    (await world.rows('webhooks')).map(({ order_status, is_final }) => [order_status, is_final]),
    [['EXPIRED', 1]],
  )
  assert.is(await world.balance({}), 100_000n)
  await assertInvariants(world)
})

play('an order that waits for funds expires, and waits no more', async (world) => {
  const order = await world.order()
  toExpiry(world, order)
  await world.orders.expire(order.id)
  assert.equal([(await world.row(order.id)).status, await world.rows('funding_requests')], ['EXPIRED', []])
  await world.deposit(100_000n)
  assert.is(await world.balance({}), 100_000n)
  await assertInvariants(world)
})

play('an expiry is harmless before its time, on a finished order, and on none', async (world) => {
  const order = await fundedOrder(world)
  await world.orders.expire(order.id)
  assert.equal(await world.row(order.id), order)
  await world.cancel(order.id)
  const cancelled = await world.row(order.id)
  toExpiry(world, order, minuteMs)
  await world.orders.expire(order.id)
  assert.equal(await world.row(order.id), cancelled)
  await world.orders.expire('nobody')
  assert.is(await world.orders.find('nobody'), null)
  assert.is(await world.orders.findByCode('nothing', 'PAY_OUT'), null)
})

play('a code is found in its own direction only', async (world) => {
  const order = await fundedOrder(world)
  assert.is(await world.orders.findByCode(order.code, 'PAY_IN'), null)
  assert.is((await world.orders.findByCode(order.code, 'PAY_OUT'))?.id, order.id)
})

play('a start past the expiry finds the order EXPIRED', async (world) => {
  const order = await fundedOrder(world)
  toExpiry(world, order)
  const told = await world.start(order.id, 'A')
  assert.equal(told, { outcome: 'refused', reason: 'wrong_status', order: await world.row(order.id) })
  assert.is((await world.row(order.id)).status, 'EXPIRED')
  await assertInvariants(world)
})

play('cash on the counter can be confirmed until the grace has gone', async (world) => {
  const order = await lockedOrder(world)
  toExpiry(world, order, graceMs - 1)
  await world.orders.expire(order.id)
  assert.is((await world.orders.find(order.id))?.order.status, 'PAYMENT_STARTED')
  assert.is((await world.confirm(order.id, 'A')).outcome, 'accepted')
  assert.is((await world.row(order.id)).paid_at, order.expiry_at + graceMs - 1)
  assert.is(await world.balance({ kind: 'provider', ownerId: tills.A.id }), 100_000n)
  await assertInvariants(world)
})

play('after the grace the money is in suspense, and a person has to look at it', async (world) => {
  const order = await lockedOrder(world)
  const woken: Topic[] = []
  world.store.subscribe('exceptions', () => woken.push('exceptions'))
  toExpiry(world, order, graceMs)
  await world.orders.expire(order.id)
  const expired = await world.row(order.id)
  assert.equal(
    [expired.status, expired.lock_provider_id, expired.paid_at, expired.due_at],
    ['EXPIRED', tills.A.id, null, null],
  )
  assert.is(await world.balance({ kind: 'suspense' }), 100_000n)
  assert.is(await world.balance({ kind: 'reserved' }), 0n)
  const [exception, ...more] = await world.rows('exceptions')
  assert.equal(more, [])
  assert.equal(
    [exception?.kind, exception?.state, exception?.order_id, exception?.opened_at],
    ['expired_while_locked', 'open', order.id, order.expiry_at + graceMs],
  )
  assert.equal(JSON.parse(exception?.evidence_json ?? '').lock, {
    providerId: tills.A.id,
    networkId: '000A',
    since: '2026-03-01T12:00:00.000Z',
  })
  await new Promise(setImmediate)
  assert.equal(woken, ['exceptions'])
  await assertInvariants(world)
})

play('a confirmation after that is refused as one of an order that ended while locked', async (world) => {
  const order = await lockedOrder(world)
  toExpiry(world, order, graceMs)
  // The first one finds the expiry still to be applied: both belong to one step.
  for (const refusals of [1, 2]) {
    const told = await world.confirm(order.id, 'A')
    assert.is(told.outcome === 'refused' && told.reason, 'ended_while_locked')
    assert.equal(
      [(await world.row(order.id)).status, (await world.row(order.id)).refusals],
      ['EXPIRED', refusals],
    )
  }
  const other = await world.confirm(order.id, 'B')
  assert.is(other.outcome === 'refused' && other.reason, 'wrong_status')
  assert.is((await world.rows('exceptions')).length, 1)
  await assertInvariants(world)
})

play('an order given back past its expiry is EXPIRED, and its money is available again', async (world) => {
  const order = await lockedOrder(world)
  toExpiry(world, order)
  const told = await world.giveBack(order.id, 'A')
  const expired = await world.row(order.id)
  assert.equal(told, { outcome: 'accepted', order: expired, answer: answerOf(expired) })
  assert.equal([expired.status, expired.lock_provider_id], ['EXPIRED', null])
  assert.equal([await world.balance({}), await world.balance({ kind: 'reserved' })], [100_000n, 0n])
  assert.equal([(await world.rows('webhooks')).length, await world.rows('exceptions')], [1, []])
  await assertInvariants(world)
})

play('a cancellation by force while locked leads to suspense as well', async (world) => {
  const order = await lockedOrder(world)
  await world.cancel(order.id, true)
  const [exception] = await world.rows('exceptions')
  assert.is(exception?.kind, 'cancelled_while_locked')
  assert.is(await world.balance({ kind: 'suspense' }), 100_000n)
  const told = await world.confirm(order.id, 'A')
  assert.is(told.outcome === 'refused' && told.reason, 'ended_while_locked')
  await assertInvariants(world)
})

play('a pay-in that expires while locked moves no money, and a person has to look at it', async (world) => {
  const order = await world.order({ direction: 'PAY_IN' })
  await world.start(order.id, 'A')
  toExpiry(world, order, graceMs)
  await world.orders.expire(order.id)
  assert.is((await world.row(order.id)).status, 'EXPIRED')
  assert.equal([await world.rows('postings'), (await world.rows('exceptions')).length], [[], 1])
  await assertInvariants(world)
})

play('while the clock is in doubt nothing expires, and nothing past its expiry is started', async (world) => {
  const order = await fundedOrder(world)
  toExpiry(world, order, 24 * 60 * minuteMs)
  world.expiry.mayExpire = false
  await world.orders.expire(order.id)
  assert.is((await world.orders.find(order.id))?.order.status, 'READY')
  assert.is((await world.orders.findByCode(order.code, 'PAY_OUT'))?.status, 'READY')
  const told = await world.start(order.id, 'A')
  assert.is(told.outcome === 'refused' && told.reason, 'past_expiry')
  await assertInvariants(world)

  world.expiry.mayExpire = true
  assert.is((await world.orders.find(order.id))?.order.status, 'EXPIRED')
  assert.is(await expiries(world), 1)
  await assertInvariants(world)
})

play('while the clock is in doubt what is locked can still be confirmed', async (world) => {
  const order = await lockedOrder(world)
  world.expiry.mayExpire = false
  toExpiry(world, order, 24 * 60 * minuteMs)
  assert.is((await world.confirm(order.id, 'A')).outcome, 'accepted')
  assert.equal(await world.rows('exceptions'), [])
  await assertInvariants(world)
})

play(
  'while the clock is in doubt an order given back past its expiry is READY, until it may expire',
  async (world) => {
    const order = await lockedOrder(world)
    toExpiry(world, order, minuteMs)
    world.expiry.mayExpire = false
    assert.is((await world.giveBack(order.id, 'A')).outcome, 'accepted')
    const ready = await world.row(order.id)
    assert.equal([ready.status, ready.lock_provider_id, ready.due_at], ['READY', null, order.expiry_at])
    assert.is(await world.balance({ kind: 'reserved' }), 100_000n)
    assert.match((await world.rows('journal')).at(-1)?.event_json ?? '', /"isClockInDoubt":true/)
    const told = await world.start(order.id, 'B')
    assert.is(told.outcome === 'refused' && told.reason, 'past_expiry')
    world.expiry.mayExpire = true
    await world.orders.expire(order.id)
    assert.equal([(await world.row(order.id)).status, await world.balance({})], ['EXPIRED', 100_000n])
    await assertInvariants(world)
  },
)

play('an order that waited past its expiry while the clock was in doubt is not funded', async (world) => {
  const order = await world.order()
  world.expiry.mayExpire = false
  toExpiry(world, order)
  await world.deposit(100_000n)
  assert.equal([(await world.row(order.id)).status, await world.balance({})], ['CREATED', 100_000n])
  assert.is((await world.row(order.id)).refusals, 0)
  await assertInvariants(world)
})

play('the body of a webhook is the order at its own event, whatever happens later', async (world) => {
  const order = await lockedOrder(world)
  await world.confirm(order.id, 'A')
  const paid = new Date(world.clock.now()).toISOString()
  world.clock.advance(minuteMs)
  await world.confirm(order.id, 'B')
  await world.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [
        {
          update: 'consumers',
          key: { order_id: order.id },
          set: { email: '', phone_number: '', email_digest: null, phone_digest: null },
        },
      ],
    }),
  })
  const [webhook, ...more] = await world.rows('webhooks')
  assert.equal(more, [])
  assert.is(
    webhook?.body,
    `{"id":"${order.id}","order_type":"LocalCurrencyOrder","country":"MX","price":"1000.00",` +
      `"price_currency":"MXN","description":"Refund of order 1234","merchant_order_id":"${order.merchant_order_id}",` +
      '"status":"COMPLETED","notify_url":"https://shop.example:8443/hooks?source=node",' +
      `"redirect_url":"https://pay.example/checkout/${order.id}","return_url":"https://shop.example/done",` +
      '"consumer_email":"ana@example.com","consumer_phone_number":"+525512345678",' +
      `"expiry":"${new Date(order.expiry_at).toISOString()}","paid":"${paid}"}`,
  )
  assert.equal(
    [webhook?.host, webhook?.state, webhook?.sequence, webhook?.attempts, webhook?.due_at],
    ['shop.example:8443', 'pending', 1, 0, Date.parse(paid)],
  )
})

play(
  'an expiry that comes with a refused message says EXPIRED in its webhook, and null for paid',
  async (world) => {
    const order = await lockedOrder(world)
    toExpiry(world, order, graceMs)
    await world.confirm(order.id, 'A')
    const [webhook] = await world.rows('webhooks')
    const { status, paid, direction } = JSON.parse(webhook?.body ?? '')
    assert.equal([status, paid, direction], ['EXPIRED', null, undefined])
  },
)

play('the webhook of a pay-in names its direction, and not its code', async (world) => {
  const order = await world.order({ direction: 'PAY_IN' })
  await world.start(order.id, 'A')
  await world.confirm(order.id, 'A')
  const body = JSON.parse((await world.rows('webhooks'))[0]?.body ?? '')
  assert.equal([body.status, body.direction, body.code], ['COMPLETED', 'PAY_IN', undefined])
  assert.not.match(JSON.stringify(body), new RegExp(order.code))
})

play('an expiry that the ledger cannot take is an error, and changes nothing', async (world) => {
  const order = await fundedOrder(world)
  const reserved = { kind: 'reserved', ownerId: order.merchant_id, currency: 'MXN' } as const
  const bank = { kind: 'bank', ownerId: '', currency: 'MXN' } as const
  const lost = {
    kind: 'lost',
    debit: reserved,
    credit: bank,
    amountMinor: 1n,
    orderId: null,
    reference: null,
  }
  await world.store.step({ rows: {}, decide: () => ({ answer: null, writes: [{ post: lost }] }) })
  toExpiry(world, order)
  let error: unknown
  await world.orders.find(order.id).catch((thrown: unknown) => {
    error = thrown
  })
  assert.match(String(error), /The expiry of order .* violated accounts\.funds/)
  assert.equal(await world.row(order.id), order)
})

test.run()
