/** A pay-in over signed requests: protocol 2.5, 3.3, 4.1 and 4.2. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { postingsOfOrder } from '../../../persistence/queries/operations.ts'
import { statement } from '../../../persistence/statement.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import {
  call,
  cancelAsOperator,
  merchantPath,
  newOrder,
  orderIn,
  providerPath,
} from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

const webhooksOf = statement<{ orderId: string }>()('test.webhooks', ({ db }, arg) =>
  db.selectFrom('webhooks').select('body').where('order_id', '=', arg('orderId')).orderBy('sequence'),
)
const bodiesOf = async (orderId: string) =>
  (await node.core.store.query(webhooksOf, { orderId })).map(({ body }) => JSON.parse(body))

const payInBody = (overrides: Record<string, unknown> = {}) => {
  const { consumer_email: _, ...body } = payOutBody(overrides)
  return body
}

const create = (overrides: Record<string, unknown> = {}) =>
  node.request({ as: 'mk_shop', path: merchantPath('PAY_IN'), body: payInBody(overrides) })

test('a pay-in is created READY, with the code its merchant shows, and read as it was answered', async () => {
  const created = await create({ merchant_order_id: 'basket-1', price: '250.5' })
  assert.is(created.status, 201)
  const { id, code, ...rest } = created.json
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  assert.match(code, /^\d{15}$/)
  assert.equal(rest, {
    order_type: 'LocalCurrencyOrder',
    country: 'MX',
    price: '250.50',
    price_currency: 'MXN',
    description: 'Refund of order 1234',
    merchant_order_id: 'basket-1',
    status: 'READY',
    notify_url: 'http://127.0.0.1:9/hooks',
    redirect_url: `${node.publicUrl}/checkout/${id}`,
    return_url: 'https://shop.example/done',
    consumer_email: '',
    consumer_phone_number: '',
    expiry: '2026-03-03T12:00:00.000Z',
    paid: null,
    direction: 'PAY_IN',
  })
  const read = await node.request({ as: 'mk_shop', path: merchantPath('PAY_IN', id) })
  assert.is(read.status, 200)
  assert.is(read.text, created.text)
})

test('check, start, confirm: each answer has its own fields', async () => {
  const order = await newOrder(node, 'PAY_IN')
  const now = '2026-03-01T12:00:00.000Z'
  const money = { price: '1000.00', price_currency: 'MXN' }
  const checked = await call(node, order, 'check')
  assert.is(checked.status, 200)
  assert.equal(checked.json, {
    ...money,
    created: now,
    status: 'READY',
    expiry: '2026-03-01T12:01:00.000Z',
    description: 'Refund of order 1234',
  })
  const started = await call(node, order, 'start')
  assert.equal([started.status, started.json], [200, { ...money, status: 'PAYMENT_STARTED', modified: now }])
  const confirmed = await call(node, order, 'confirm')
  assert.equal([confirmed.status, confirmed.json], [200, { ...money, status: 'COMPLETED', paid: now }])
  const again = await call(node, order, 'confirm')
  assert.is(again.status, 200)
  assert.is(again.text, confirmed.text)
  const read = await node.request({ as: 'mk_shop', path: merchantPath('PAY_IN', order.id) })
  assert.is(read.json.status, 'COMPLETED')
  assert.is(read.json.paid, now)
})

test('a confirmed pay-in is the provider’s debt and the merchant’s credit, told by one webhook', async () => {
  const order = await orderIn(node, 'PAY_IN', 'COMPLETED')
  await call(node, order, 'confirm')
  const postings = await node.core.store.query(postingsOfOrder, { orderId: order.id })
  assert.equal(
    postings.map(({ debit_kind, debit_name, credit_kind, credit_name, amount_minor }) => [
      `${debit_kind} ${debit_name}`,
      `${credit_kind} ${credit_name}`,
      amount_minor,
    ]),
    [['provider Network A', 'available Shop', 100_000n]],
  )
  const [event, ...more] = await bodiesOf(order.id)
  assert.equal(more, [])
  assert.equal(
    [event.status, event.direction, event.paid, 'code' in event],
    ['COMPLETED', 'PAY_IN', '2026-03-01T12:00:00.000Z', false],
  )
})

test('what a pay-in brings in funds a waiting pay-out of the same merchant', async () => {
  const waiting = await newOrder(node, 'PAY_OUT', 'mk_other')
  const statusOf = async () =>
    (await node.request({ as: 'mk_other', path: merchantPath('PAY_OUT', waiting.id) })).json.status
  assert.is(await statusOf(), 'CREATED')
  const order = await newOrder(node, 'PAY_IN', 'mk_other')
  await call(node, order, 'start')
  await call(node, order, 'confirm')
  await node.until(async () => (await statusOf()) === 'READY')
})

test('a released pay-in can be started by another provider; past its expiry a release ends it', async () => {
  const released = await orderIn(node, 'PAY_IN', 'LOCKED')
  const cancelled = await call(node, released, 'cancel')
  assert.equal(
    [cancelled.status, cancelled.json],
    [200, { price: '1000.00', price_currency: 'MXN', status: 'READY', modified: '2026-03-01T12:00:00.000Z' }],
  )
  assert.is((await call(node, released, 'start', 'pk_b')).status, 200)

  const late = await orderIn(node, 'PAY_IN', 'GRACE')
  assert.is((await call(node, late, 'cancel')).json.status, 'EXPIRED')
  const [event] = await bodiesOf(late.id)
  assert.equal([event.status, event.direction, event.paid], ['EXPIRED', 'PAY_IN', null])
})

test('an operator’s cancel is told by a webhook, and moves no money', async () => {
  const order = await newOrder(node, 'PAY_IN')
  await cancelAsOperator(node, order.id)
  assert.equal(
    (await bodiesOf(order.id)).map(({ status, direction, paid }) => [status, direction, paid]),
    [['CANCELLED', 'PAY_IN', null]],
  )
  assert.equal(await node.core.store.query(postingsOfOrder, { orderId: order.id }), [])
})

test('the start needs price and currency, and in all three messages they must be the order’s', async () => {
  const order = await newOrder(node, 'PAY_IN')
  const bare = await call(node, order, 'start', 'pk_a', { network_id: '0001' })
  assert.is(bare.status, 400)
  assert.equal(bare.json, {
    type: 'validation_error',
    errors: [
      { attr: 'price', code: 'required', detail: 'This field is required.' },
      { attr: 'price_currency', code: 'required', detail: 'This field is required.' },
    ],
  })
  for (const action of ['start', 'confirm', 'cancel'] as const) {
    const wrong = { network_id: '0001', price: '999.99', price_currency: 'USD' }
    const other = await call(node, order, action, 'pk_a', wrong)
    assert.is(other.status, 400)
    assert.equal(
      other.json.errors.map(({ attr, detail }: { attr: string; detail: string }) => `${attr}: ${detail}`),
      [
        'price: Value does not match the price of the order.',
        'price_currency: Value does not match the currency of the order.',
      ],
    )
  }
  const equal = { network_id: 'a_shops', price: 1000, price_currency: 'MXN' }
  assert.is((await call(node, order, 'start', 'pk_a', equal)).status, 200)
})

// Part 4.2 demands them of the start alone; the cash is collected by then, and the body is "as in 4.1".
test('a confirmation and a cancel may leave price and currency out', async () => {
  const order = await newOrder(node, 'PAY_IN')
  const payment = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  assert.is((await call(node, order, 'start', 'pk_a', payment)).status, 200)
  assert.is((await call(node, order, 'cancel', 'pk_a', { network_id: '0001' })).json.status, 'READY')
  assert.is((await call(node, order, 'start', 'pk_a', { ...payment, price: '1000' })).status, 200)
  assert.is((await call(node, order, 'confirm', 'pk_a', { network_id: '0001' })).json.status, 'COMPLETED')
})

test('of 20 parallel starts by two providers one wins, the others are 403', async () => {
  const order = await newOrder(node, 'PAY_IN')
  const starts = Array.from({ length: 20 }, (_, index) =>
    call(node, order, 'start', index % 2 === 0 ? 'pk_a' : 'pk_b'),
  )
  const statuses = (await Promise.all(starts)).map(({ status }) => status)
  assert.equal(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array.from({ length: 19 }, () => 403)],
  )
})

test('a start and a cancel sent again byte for byte are answered from the store', async () => {
  const { code } = await newOrder(node, 'PAY_IN')
  const body = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  const start = { as: 'pk_a', path: providerPath('PAY_IN', code, 'start'), body, at: 100 }
  const cancel = { as: 'pk_a', path: providerPath('PAY_IN', code, 'cancel'), body, at: 101 }
  const first = await node.request(start)
  const again = await node.request(start)
  assert.equal([again.status, again.text], [200, first.text])
  assert.is((await node.request(cancel)).status, 200)
  assert.is((await node.request(cancel)).status, 200)
  const stale = await node.request(start)
  assert.is(stale.status, 409)
  assert.equal(stale.json, {
    detail: 'The order has changed since this message was first received. Sign it again.',
  })
  assert.is((await call(node, { direction: 'PAY_IN', code }, 'start', 'pk_b')).status, 200)
  assert.is((await node.request(cancel)).status, 409, 'an old cancel frees no new lock')
})

test('creation is judged like a pay-out’s, without a consumer', async () => {
  const empty = await node.request({ as: 'mk_shop', path: merchantPath('PAY_IN'), body: '' })
  assert.is(empty.status, 400)
  const required = ['order_type', 'country', 'price', 'price_currency', 'description', 'merchant_order_id']
  assert.equal(
    empty.json.errors,
    [...required, 'notify_url', 'return_url', 'expiry'].map((attr) => ({
      attr,
      code: 'required',
      detail: 'This field is required.',
    })),
  )
  const foreign = await create({ order_type: 'ForeignCurrencyOrder' })
  assert.equal(foreign.json.errors, [
    {
      attr: 'order_type',
      code: 'invalid_choice',
      detail: '"ForeignCurrencyOrder" is not a valid choice.',
    },
  ])
  const first = await create({ merchant_order_id: 'one-of-both' })
  assert.is(first.status, 201)
  const body = payOutBody({ merchant_order_id: 'one-of-both' })
  const second = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT'), body })
  assert.equal(second.json.errors[0].code, 'unique', 'unique over both directions')
})

test('a merchant that may only pay out may not take money in', async () => {
  await node.apply({
    merchants: [
      {
        name: 'Other Shop',
        contact: 'ops@other.example',
        credentials: [{ key: 'mk_other' }],
        pairs: [{ country: 'CL', currency: 'CLP', min: '1', max: '1000', directions: ['PAY_OUT'] }],
      },
    ],
  })
  const body = payInBody({ country: 'CL', price: '10', price_currency: 'CLP' })
  const refused = await node.request({ as: 'mk_other', path: merchantPath('PAY_IN'), body })
  assert.is(refused.status, 400)
  assert.is(refused.json.detail, 'No matching configuration found for merchant, country, and currency')
  const paidOut = {
    as: 'mk_other',
    path: merchantPath('PAY_OUT'),
    body: { ...body, consumer_email: 'a@b.co' },
  }
  assert.is((await node.request(paidOut)).status, 201)
})

test('a pay-in is unknown under the paths of pay-outs', async () => {
  const { id, code } = await newOrder(node, 'PAY_IN')
  assert.is((await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', id) })).status, 404)
  assert.is((await node.request({ as: 'pk_a', path: providerPath('PAY_OUT', code) })).status, 404)
})

test.run()
