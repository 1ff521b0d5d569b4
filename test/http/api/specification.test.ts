/** Each row of protocol 4, with the very request and answer. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, merchantPath, newOrder, orderIn } from '../../support/orders.ts'
import {
  body,
  businessRule,
  created,
  fieldErrors,
  later,
  money,
  node,
  now,
  onANode,
  permissionDenied,
  type Row,
  testRows,
} from '../../support/specification.ts'

onANode()

const providerEndpoints: Row[] = [
  {
    name: '4.1 GET /providers/orders/pay-out/{code}/',
    ask: async () => call(node, await newOrder(node, 'PAY_OUT'), 'check'),
    status: 200,
    body: { ...money, created: now, modified: now, status: 'READY', expiry: later },
  },
  {
    name: '4.1 GET of a locked pay-out',
    ask: async () => call(node, await orderIn(node, 'PAY_OUT', 'LOCKED'), 'check'),
    status: 200,
    body: { ...money, created: now, modified: now, status: 'PAYMENT_STARTED', expiry: later },
  },
  {
    name: '4.1 POST start-payment',
    ask: async () => call(node, await newOrder(node, 'PAY_OUT'), 'start', 'pk_a', body),
    status: 200,
    body: { ...money, status: 'PAYMENT_STARTED', modified: now, expiry: later },
  },
  {
    name: '4.1 POST start-payment without price and price_currency',
    ask: async () => call(node, await newOrder(node, 'PAY_OUT'), 'start', 'pk_a', { network_id: '0001' }),
    status: 200,
    body: { ...money, status: 'PAYMENT_STARTED', modified: now, expiry: later },
  },
  {
    name: '4.1 POST confirm-payment',
    ask: async () => call(node, await orderIn(node, 'PAY_OUT', 'LOCKED'), 'confirm', 'pk_a', body),
    status: 200,
    body: { ...money, status: 'COMPLETED', paid: now, modified: now },
  },
  {
    name: '4.1 POST cancel-payment',
    ask: async () => call(node, await orderIn(node, 'PAY_OUT', 'LOCKED'), 'cancel', 'pk_a', body),
    status: 200,
    body: { ...money, status: 'READY', modified: now, expiry: later },
  },
  {
    name: '4.1 network_id is required',
    ask: async () => call(node, await newOrder(node, 'PAY_OUT'), 'start', 'pk_a', money),
    status: 400,
    body: fieldErrors(['network_id', 'required', 'This field is required.']),
  },
  {
    name: '4.1 price and price_currency must equal the order’s when sent',
    ask: async () =>
      call(node, await newOrder(node, 'PAY_OUT'), 'start', 'pk_a', {
        ...body,
        price: '1',
        price_currency: 'USD',
      }),
    status: 400,
    body: fieldErrors(
      ['price', 'invalid', 'Value does not match the price of the order.'],
      ['price_currency', 'invalid', 'Value does not match the currency of the order.'],
    ),
  },
  {
    name: '4.1 rule 2: cancel-payment only in PAYMENT_STARTED',
    ask: async () => call(node, await newOrder(node, 'PAY_OUT'), 'cancel'),
    status: 400,
    body: businessRule('The payment cannot be cancelled: the status of the order is READY.'),
  },
  {
    name: '4.1 rule 2: cancel-payment only for the holder',
    ask: async () => call(node, await orderIn(node, 'PAY_OUT', 'LOCKED'), 'cancel', 'pk_b'),
    status: 403,
    body: permissionDenied,
  },
  {
    name: '4.2 GET /providers/orders/pay-in/{code}/',
    ask: async () => call(node, await newOrder(node, 'PAY_IN'), 'check'),
    status: 200,
    body: { ...money, created: now, status: 'READY', expiry: later, description: 'Refund of order 1234' },
  },
  {
    name: '4.2 POST start-payment',
    ask: async () => call(node, await newOrder(node, 'PAY_IN'), 'start', 'pk_a', body),
    status: 200,
    body: { ...money, status: 'PAYMENT_STARTED', modified: now },
  },
  {
    name: '4.2 price and price_currency are required',
    ask: async () => call(node, await newOrder(node, 'PAY_IN'), 'start', 'pk_a', { network_id: '0001' }),
    status: 400,
    body: fieldErrors(
      ['price', 'required', 'This field is required.'],
      ['price_currency', 'required', 'This field is required.'],
    ),
  },
  {
    name: '4.2 POST confirm-payment',
    ask: async () => call(node, await orderIn(node, 'PAY_IN', 'LOCKED'), 'confirm', 'pk_a', body),
    status: 200,
    body: { ...money, status: 'COMPLETED', paid: now },
  },
  {
    name: '4.2 POST cancel-payment',
    ask: async () => call(node, await orderIn(node, 'PAY_IN', 'LOCKED'), 'cancel', 'pk_a', body),
    status: 200,
    body: { ...money, status: 'READY', modified: now },
  },
]

/** Part 2.2, in the order of its fields. */
const orderFields = [
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
]

const merchantEndpoints: Row[] = [
  {
    name: '4.3 POST /merchants/orders/pay-out/',
    ask: () => created({ merchant_order_id: 'table-1' }),
    status: 201,
    body: ({ json }) => {
      assert.equal(Object.keys(json), orderFields)
      assert.equal([json.status, json.paid, json.merchant_order_id], ['CREATED', null, 'table-1'])
      assert.is(json.redirect_url, `${node.publicUrl}/checkout/${json.id}`)
    },
  },
  {
    name: '4.3 GET /merchants/orders/pay-out/{id}/',
    ask: async () => {
      const { id } = await orderIn(node, 'PAY_OUT', 'COMPLETED')
      return node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', id) })
    },
    status: 200,
    body: ({ json }) => {
      assert.equal(Object.keys(json), orderFields)
      assert.equal([json.status, json.paid], ['COMPLETED', now])
    },
  },
  {
    name: '4.3 POST /merchants/orders/pay-in/',
    ask: () => created({}, merchantPath('PAY_IN')),
    status: 201,
    body: ({ json }) => {
      assert.equal(Object.keys(json), [...orderFields, 'direction', 'code'])
      assert.equal([json.status, json.direction], ['READY', 'PAY_IN'])
    },
  },
  {
    name: '4.3 rule 2: a second order with the same merchant_order_id',
    ask: () => created({ merchant_order_id: 'table-1' }),
    status: 400,
    body: fieldErrors(['merchant_order_id', 'unique', 'This field must be unique.']),
  },
  {
    name: '4.3 rule 3: neither e-mail nor telephone number',
    ask: () => created({ consumer_email: undefined }),
    status: 400,
    body: fieldErrors([
      'non_field_errors',
      'invalid',
      'At least one of consumer_email and consumer_phone_number is required.',
    ]),
  },
]

testRows([...providerEndpoints, ...merchantEndpoints])

test.run()
