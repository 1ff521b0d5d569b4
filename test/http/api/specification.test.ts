/**
 * Each row of protocol 4, 7 and 8, with the very request and answer. Rows of quotes and
 * of foreign orders come with the quotes; what of them can be said without one is said here.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  payOutBody,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
} from '../../support/node.ts'
import { call, merchantPath, newOrder, orderIn, providerPath } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

const now = '2026-03-01T12:00:00.000Z'
const later = '2026-03-01T12:01:00.000Z'
const money = { price: '1000.00', price_currency: 'MXN' }
const body = { network_id: '0001', ...money }

const created = (overrides: Record<string, unknown> = {}, path = merchantPath('PAY_OUT')) =>
  node.request({ as: 'mk_shop', path, body: payOutBody(overrides) })

interface Row {
  name: string
  ask(): Promise<TestAnswer>
  status: number
  /** The whole body, in the order of its fields; or a check of it. */
  body: object | ((answer: TestAnswer) => void)
}

const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(payOutBody()).filter(([name]) => !names.includes(name)))

const fieldErrors = (...errors: [attr: string, code: string, detail: string][]) => ({
  type: 'validation_error',
  errors: errors.map(([attr, code, detail]) => ({ attr, code, detail })),
})

const businessRule = (detail: string) => ({
  detail,
  type: 'validation_error',
  errors: [{ attr: null, code: 'invalid', detail }],
})

const refusal = (code: string, detail: string) => ({
  detail,
  type: 'client_error',
  errors: [{ attr: null, code, detail }],
})

const permissionDenied = refusal('permission_denied', 'You do not have permission to perform this action.')

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

const datetime =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'

const validationCases: Row[] = [
  {
    name: '7.2 price below the merchant minimum',
    ask: () => created({ price: '9.99' }),
    status: 400,
    body: fieldErrors(['price', 'invalid', 'Value is too low.']),
  },
  {
    name: '7.2 price above the merchant maximum',
    ask: () => created({ price: '50000.01' }),
    status: 400,
    body: fieldErrors(['price', 'invalid', 'Value is too high.']),
  },
  {
    name: '7.2 required fields missing',
    ask: () =>
      node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT'), body: without('country', 'expiry') }),
    status: 400,
    body: fieldErrors(
      ['country', 'required', 'This field is required.'],
      ['expiry', 'required', 'This field is required.'],
    ),
  },
  {
    name: '7.2 price not a number',
    ask: () => created({ price: 'a thousand' }),
    status: 400,
    body: fieldErrors(['price', 'invalid', 'A valid number is required.']),
  },
  {
    name: '7.2 bad datetime format',
    ask: () => created({ expiry: 'tomorrow' }),
    status: 400,
    body: fieldErrors(['expiry', 'invalid', datetime]),
  },
]

const otherErrors: Row[] = [
  {
    name: '7.3 400 merchant not configured for country and currency',
    ask: () => created({ country: 'AR', price_currency: 'ARS' }),
    status: 400,
    body: businessRule('No matching configuration found for merchant, country, and currency'),
  },
  {
    name: '7.3 400 the currency of another country',
    ask: () => created({ country: 'MX', price: '1000', price_currency: 'CLP' }),
    status: 400,
    body: businessRule('No matching configuration found for merchant, country, and currency'),
  },
  {
    name: '7.3 403 authentication failed',
    ask: () => node.request({ path: merchantPath('PAY_OUT'), body: {} }),
    status: 403,
    body: permissionDenied,
  },
  {
    name: '7.3 403 pay-in start-payment on an order already in progress',
    ask: async () => call(node, await orderIn(node, 'PAY_IN', 'LOCKED'), 'start', 'pk_b'),
    status: 403,
    body: permissionDenied,
  },
  {
    name: '7.3 404 order not found, by code',
    ask: () => node.request({ as: 'pk_a', path: providerPath('PAY_OUT', '123456789012347') }),
    status: 404,
    body: refusal('not_found', 'Not found.'),
  },
  {
    name: '7.3 404 order not found, by id',
    ask: () =>
      node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', '0f8fad5b-d9cb-469f-a165-70867728950e') }),
    status: 404,
    body: refusal('not_found', 'Not found.'),
  },
  {
    name: '7.3 409 pay-out start-payment while another provider holds the order',
    ask: async () => call(node, await orderIn(node, 'PAY_OUT', 'LOCKED'), 'start', 'pk_b'),
    status: 409,
    body: { detail: 'Order is currently being processed by another provider.' },
  },
  {
    name: '7.3 400 start-payment where the transition is not allowed',
    ask: async () => call(node, await orderIn(node, 'PAY_OUT', 'COMPLETED'), 'start', 'pk_b'),
    status: 400,
    body: businessRule('The payment cannot be started: the status of the order is COMPLETED.'),
  },
  {
    name: '7.3 422 business logic error',
    ask: async () => call(node, await orderIn(node, 'PAY_OUT', 'CANCELLED_LOCKED'), 'confirm'),
    status: 422,
    body: refusal(
      'ended_while_locked',
      'The order became CANCELLED while it was locked. The operator has to settle it.',
    ),
  },
  {
    name: '7.3 a foreign order whose quote is unknown',
    ask: () =>
      node.request({
        as: 'mk_shop',
        path: merchantPath('PAY_OUT'),
        body: {
          ...without('country', 'price', 'price_currency'),
          order_type: 'ForeignCurrencyOrder',
          quote: '0f8fad5b-d9cb-469f-a165-70867728950e',
          wallet: 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy',
        },
      }),
    status: 400,
    body: fieldErrors([
      'quote',
      'does_not_exist',
      'Invalid pk "0f8fad5b-d9cb-469f-a165-70867728950e" - object does not exist.',
    ]),
  },
]

const isCreated = ({ json }: TestAnswer) => assert.is(json.status, 'CREATED')
const tooLong = (field: string, length: number) =>
  fieldErrors([field, 'max_length', `Ensure this field has no more than ${length} characters.`])

const limits: Row[] = [
  {
    name: '8 merchant_order_id of 127 characters',
    ask: () => created({ merchant_order_id: 'ñ'.repeat(127) }),
    status: 201,
    body: isCreated,
  },
  {
    name: '8 merchant_order_id of 128 characters',
    ask: () => created({ merchant_order_id: 'ñ'.repeat(128) }),
    status: 400,
    body: tooLong('merchant_order_id', 127),
  },
  {
    name: '8 consumer_phone_number of 128 characters',
    ask: () => created({ consumer_phone_number: '1'.repeat(128) }),
    status: 201,
    body: isCreated,
  },
  {
    name: '8 consumer_phone_number of 129 characters',
    ask: () => created({ consumer_phone_number: '1'.repeat(129) }),
    status: 400,
    body: tooLong('consumer_phone_number', 128),
  },
  {
    name: '8 uniqueness of (merchant_order_id, merchant)',
    ask: async () => {
      const path = merchantPath('PAY_OUT')
      const other = await node.request({
        as: 'mk_other',
        path,
        body: payOutBody({ merchant_order_id: 'both' }),
      })
      assert.is(other.status, 201)
      return created({ merchant_order_id: 'both' })
    },
    status: 201,
    body: isCreated,
  },
  {
    name: '8 the minimum itself',
    ask: () => created({ price: '10.00' }),
    status: 201,
    body: isCreated,
  },
  {
    name: '8 the maximum itself',
    ask: () => created({ price: '50000.00' }),
    status: 201,
    body: isCreated,
  },
  {
    name: '8 an expiry beyond the recommended 72 hours',
    ask: () => created({ expiry: '2026-12-31T00:00:00Z' }),
    status: 201,
    body: isCreated,
  },
]

for (const row of [...providerEndpoints, ...merchantEndpoints, ...validationCases, ...otherErrors, ...limits])
  test(row.name, async () => {
    const answer = await row.ask()
    assert.is(answer.status, row.status, answer.text)
    assert.is(answer.headers.get('content-type'), 'application/json')
    if (typeof row.body === 'function') row.body(answer)
    else assert.is(answer.text, JSON.stringify(row.body))
  })

test.run()
