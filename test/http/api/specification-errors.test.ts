/**
 * Each row of protocol 7 and 8, with the very request and answer. Rows of quotes and of foreign orders come with the
 * quotes; what of them can be said without one is said here.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { payOutBody, type TestAnswer } from '../../support/node.ts'
import { call, merchantPath, orderIn, providerPath } from '../../support/orders.ts'
import {
  businessRule,
  created,
  fieldErrors,
  node,
  onANode,
  permissionDenied,
  type Row,
  refusal,
  testRows,
  without,
} from '../../support/specification.ts'

onANode()

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
    name: '7.2 price above any maximum',
    ask: () => created({ price: '9'.repeat(20) }),
    status: 400,
    body: fieldErrors(['price', 'invalid', 'Value is too high.']),
  },
  {
    name: '7.2 price below any minimum',
    ask: () => created({ price: `-${'9'.repeat(20)}` }),
    status: 400,
    body: fieldErrors(['price', 'invalid', 'Value is too low.']),
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

testRows([...validationCases, ...otherErrors, ...limits])

test.run()
