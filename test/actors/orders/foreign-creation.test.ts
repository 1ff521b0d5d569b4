/** The creation of foreign-currency orders: protocol 2.3, 4.3 and 10.4. */
import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { representOrder } from '../../../actors/orders/representation.ts'
import {
  assertSound,
  type ForeignPlay,
  fundingWindowMs,
  playForeign,
  referenceKey,
  send,
  wallet,
} from '../../support/foreign-orders.ts'
import { checkoutUrl, hourMs, minuteMs, orderWorlds, otherShop, shop } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)
const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  test(name, () => inWorld((world) => story(playForeign(world))))

play(
  'an order has the price of its quote, waits for its money, and takes nothing of its merchant',
  async (world) => {
    await world.deposit(500_000n)
    const foreign = await world.foreign()
    const order = await world.row(foreign.order_id)
    assert.equal(
      [order.status, order.machine, order.order_type, order.country, order.price_minor, order.currency],
      ['CREATED', 'payOutForeign', 'ForeignCurrencyOrder', 'MX', send.price, 'MXN'],
    )
    assert.equal([foreign.expected_minor, foreign.received_minor], [send.minor, 0n])
    await world.fund()
    assert.is((await world.row(order.id)).status, 'CREATED')
    assert.is(await world.balance({}), 500_000n)
    assert.equal(await world.rows('funding_requests'), [])
    assert.equal(await world.rows('webhooks'), [])
    assertSound(await world.problems())
  },
)

play('its reference is an HMAC of its id under a secret of its own', async (world) => {
  const { order_id, reference } = await world.foreign()
  assert.is(reference, createHmac('sha256', referenceKey).update(order_id).digest('hex'))
  assert.match(reference, /^[0-9a-f]{64}$/)
})

play('the funding window ends with the order at the latest', async (world) => {
  const now = world.clock.now()
  const long = await world.foreign()
  const short = await world.foreign({ expiryAt: now + minuteMs })
  assert.equal([long.funding_deadline_at, short.funding_deadline_at], [now + fundingWindowMs, now + minuteMs])
})

play('the answer has the fields of protocol 2.3, in their order, and no transaction yet', async (world) => {
  const { order_id, quote_id } = await world.foreign()
  const found = await world.orders.find(order_id)
  assert.ok(found)
  if (!found) return
  const shown: Record<string, unknown> = { ...representOrder(found.order, found, checkoutUrl) }
  assert.equal(Object.keys(shown), [
    'id',
    'order_type',
    'country',
    'price',
    'price_currency',
    'description',
    'merchant_order_id',
    'status',
    'notify_url',
    'redirect_url',
    'return_url',
    'consumer_email',
    'consumer_phone_number',
    'expiry',
    'paid',
    'quote',
    'wallet',
    'transaction',
  ])
  assert.equal(
    [shown.price, shown.quote, shown.wallet, shown.transaction, shown.consumer_phone_number],
    ['830.00', quote_id, wallet, '', ''],
  )
})

play('one quote makes one order, however many are asked for at once', async (world) => {
  const quoteId = await world.quote()
  const made = await Promise.all(Array.from({ length: 25 }, () => world.createForeign({ quoteId })))
  const outcomes = made.map((one) => (one.outcome === 'refused' ? one.reason : one.outcome))
  assert.equal(
    [
      outcomes.filter((one) => one === 'created').length,
      outcomes.filter((one) => one === 'quote_used').length,
    ],
    [1, 24],
  )
  assert.is((await world.rows('foreign_orders')).length, 1)
  assertSound(await world.problems())
})

play(
  'a quote is refused when it is unknown, another merchant’s, used, past its time or of a chain that is off',
  async (world) => {
    const refused = async (quoteId: string) => {
      const created = await world.createForeign({ quoteId })
      return created.outcome === 'refused' ? created.reason : created.outcome
    }
    assert.is(await refused('0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'), 'quote_unknown')
    assert.is(await refused(await world.quote({ merchant_id: otherShop.id })), 'quote_unknown')
    assert.is(await refused(await world.quote({ blockchain: 'STELLAR' })), 'quote_unusable')
    assert.is(await refused(await world.quote({ asset_id: 'a mint of before' })), 'quote_unusable')
    const [inTime, tooLate] = [await world.quote(), await world.quote()]
    world.clock.advance(5 * minuteMs - 1)
    assert.is(await refused(inTime), 'created')
    world.clock.advance(1)
    assert.is(await refused(tooLate), 'quote_expired')
    assert.is(await refused(inTime), 'quote_used')
  },
)

play('a wallet is kept in its canonical form, or refused and the quote left unused', async (world) => {
  const quoteId = await world.quote()
  const refused = await world.createForeign({ quoteId, wallet: 'a program' })
  assert.equal(refused, { outcome: 'refused', reason: 'wallet_invalid' })
  const foreign = await world.foreign({ wallet: ' wallet of Ana ' })
  assert.is(foreign.wallet, 'wallet of Ana')
  assert.is((await world.createForeign({ quoteId })).outcome, 'created')
})

play('a merchant_order_id is taken once, and a duplicate leaves its quote unused', async (world) => {
  await world.foreign({ merchantOrderId: 'twice' })
  const quoteId = await world.quote()
  const again = await world.createForeign({ quoteId, merchantOrderId: 'twice' })
  assert.is(again.outcome, 'duplicate_merchant_order_id')
  await world.deposit(100_000n)
  assert.is((await world.create({ merchantOrderId: 'twice' })).outcome, 'duplicate_merchant_order_id')
  assert.is((await world.createForeign({ quoteId })).outcome, 'created')
})

play('a creation is repeated under its Idempotency-Key, and its quote is used once', async (world) => {
  const quoteId = await world.quote()
  const guard = {
    partyId: shop.id,
    bindsRevision: false,
    idempotency: { key: 'key', payloadDigest: 'a digest' },
  }
  const order = { quoteId, merchantOrderId: 'once' }
  const made = await world.createForeign(order, guard)
  world.clock.advance(hourMs)
  const again = await world.createForeign(order, guard)
  assert.equal([made.outcome, again.outcome], ['created', 'repeated'])
  assert.equal('answer' in made && made.answer, 'answer' in again && again.answer)
  const other = { ...guard, idempotency: { key: 'key', payloadDigest: 'another' } }
  assert.is((await world.createForeign(order, other)).outcome, 'other_payload')
})

test.run()
