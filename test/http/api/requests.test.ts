import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  readOrderList,
  readPayInCreation,
  readPayOutCreation,
  readQuoteRequest,
} from '../../../http/api/requests.ts'
import { type Json, JsonNumber } from '../../../http/foundation/json.ts'
import { foreignOrder, localOrder, newYear, problemsOf } from '../../support/order-requests.ts'

const rules = { now: newYear, judgeNotifyUrl: () => null, priceLimits: null }

const missing = (...fields: string[]) => fields.map((field) => `${field} required`)

test('a local pay-out is read into typed values', () =>
  assert.equal(readPayOutCreation(localOrder, rules), {
    ok: true,
    value: {
      orderType: 'LocalCurrencyOrder',
      country: 'MX',
      priceMinor: 100_000n,
      currency: 'MXN',
      description: 'Refund of order 1234',
      merchantOrderId: 'order-1234',
      notifyUrl: 'https://shop.example/hooks/cash?source=node',
      returnUrl: 'https://shop.example/orders/1234',
      expiryAt: Date.UTC(2026, 0, 3, 12),
      consumerEmail: 'ana@example.com',
      consumerPhoneNumber: '',
    },
  }))

test('a foreign pay-out is read into typed values', () =>
  assert.equal(readPayOutCreation({ ...foreignOrder, quote: foreignOrder.quote.toUpperCase() }, rules), {
    ok: true,
    value: {
      orderType: 'ForeignCurrencyOrder',
      quote: '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55',
      wallet: 'DRpbCBMxVnDK7maPM5tGv6MvB3v1sRMC86PZ8okm21hy',
      description: 'Refund of order 1234',
      merchantOrderId: 'order-1234',
      notifyUrl: 'https://shop.example/hooks/cash',
      returnUrl: 'https://shop.example/orders/1234',
      expiryAt: Date.UTC(2026, 0, 3, 12),
      consumerEmail: '',
      consumerPhoneNumber: '+525512345678',
    },
  }))

test('a pay-in needs no consumer', () => {
  const { consumer_email: _, ...anonymous } = localOrder
  const read = readPayInCreation(anonymous, rules)
  assert.ok(read.ok)
  assert.is(read.value.consumerEmail, '')
  assert.is(read.value.consumerPhoneNumber, '')
})

const localRequired = missing(
  'order_type',
  'country',
  'price',
  'price_currency',
  'description',
  'merchant_order_id',
  'notify_url',
  'return_url',
  'expiry',
)

test('an empty local pay-out lacks every required field, in the order of protocol 2.2', () =>
  assert.equal(problemsOf(readPayOutCreation({}, rules)), localRequired))

test('an empty pay-in lacks the same', () =>
  assert.equal(problemsOf(readPayInCreation({}, rules)), localRequired))

test('an empty foreign pay-out lacks every required field, in the order of protocol 2.3', () =>
  assert.equal(
    problemsOf(readPayOutCreation({ order_type: 'ForeignCurrencyOrder' }, rules)),
    missing('quote', 'description', 'merchant_order_id', 'notify_url', 'return_url', 'expiry', 'wallet'),
  ))

test('an unknown order type brings the errors of a local order with it', () =>
  assert.equal(problemsOf(readPayOutCreation({ order_type: 'Nope', price: 'x' }, rules)), [
    'order_type invalid_choice',
    'country required',
    'price invalid',
    ...localRequired.slice(3),
  ]))

test('a pay-in in foreign currency is no choice', () =>
  assert.equal(problemsOf(readPayInCreation({ ...localOrder, order_type: 'ForeignCurrencyOrder' }, rules)), [
    'order_type invalid_choice',
  ]))

test('all errors of all fields come at once, in the order of the fields and not of the body', () =>
  assert.equal(
    problemsOf(
      readPayOutCreation(
        {
          consumer_phone_number: '5'.repeat(129),
          consumer_email: 'nobody',
          expiry: 'soon',
          return_url: `ftp://${'x'.repeat(2048)}\0`,
          merchant_order_id: { id: '1' },
          description: null,
          price_currency: 'PESO',
          price: '1.001',
          country: ' ',
        },
        rules,
      ),
    ),
    [
      'order_type required',
      'country blank',
      'price max_decimal_places',
      'price_currency max_length',
      'description null',
      'merchant_order_id invalid',
      'notify_url required',
      'return_url max_length',
      'return_url null_characters_not_allowed',
      'return_url invalid',
      'expiry invalid',
      'consumer_email invalid',
      'consumer_phone_number max_length',
    ],
  ))

const contacts: [change: Record<string, Json>, problems: string[]][] = [
  [{ consumer_email: 'ana@example.com', consumer_phone_number: '' }, []],
  [{ consumer_email: '', consumer_phone_number: '+525512345678' }, []],
  [{ consumer_email: ' ', consumer_phone_number: new JsonNumber('5512345678') }, []],
  [{ consumer_email: '', consumer_phone_number: '' }, ['non_field_errors invalid']],
  [{ consumer_email: '' }, ['non_field_errors invalid']],
  [{ consumer_email: null }, ['consumer_email null']],
  // A rule across fields waits until each field is right.
  [{ consumer_email: '', price: 'x' }, ['price invalid']],
]
for (const [change, problems] of contacts)
  test(`a pay-out with ${JSON.stringify(change)} has ${problems.join() || 'no problem'}`, () =>
    assert.equal(problemsOf(readPayOutCreation({ ...localOrder, ...change }, rules)), problems))

/** Values that fields with free text take, and what becomes of them. */
const texts: [value: Json, stored: string | null][] = [
  ['  order 1 ', 'order 1'],
  [new JsonNumber('123'), '123'],
  [new JsonNumber('1.50'), '1.50'],
  [new JsonNumber('12345678901234567890'), '12345678901234567890'],
  ['😀'.repeat(127), '😀'.repeat(127)],
  [` ${'x'.repeat(127)} `, 'x'.repeat(127)],
  ['😀'.repeat(128), null],
  ['x'.repeat(128), null],
  [true, null],
  [[], null],
  [{}, null],
]
for (const [value, stored] of texts)
  test(`merchant_order_id ${JSON.stringify(value).slice(0, 40)} is ${stored === null ? 'refused' : 'taken'}`, () => {
    const read = readPayInCreation({ ...localOrder, merchant_order_id: value }, rules)
    assert.is(read.ok ? read.value.merchantOrderId : null, stored)
  })

const prices: [price: Json, currency: string, minor: bigint | string][] = [
  ['100', 'MXN', 10_000n],
  [new JsonNumber('12.10'), 'MXN', 1210n],
  [new JsonNumber('9007199254740993'), 'CLP', 9_007_199_254_740_993n],
  [' 0012.100 ', 'MXN', 1210n],
  ['0', 'MXN', 'invalid'],
  ['0.01', 'MXN', 1n],
  ['1000.00', 'CLP', 1000n],
  ['1000.5', 'CLP', 'max_decimal_places'],
  ['1.234', 'KWD', 1234n],
  ['9999999999999999.99', 'MXN', 999_999_999_999_999_999n],
  // More than any maximum of a merchant: protocol 7.3.
  ['10000000000000000', 'MXN', 'invalid'],
  ['-10000000000000000', 'MXN', 'invalid'],
  ['10000000000000000.001', 'MXN', 'invalid'],
  ['999999999999999999', 'CLP', 999_999_999_999_999_999n],
  ['1000000000000000000', 'CLP', 'invalid'],
  ['0.0000000000000000001', 'MXN', 'max_digits'],
  ['-5', 'MXN', 'invalid'],
  ['-5.001', 'MXN', 'max_decimal_places'],
  ...['', ' ', '50.', '.5', '+5', '1e3', '1_000', '１２', 'NaN', 'Infinity', '12,34', '0x10', '1 000'].map(
    (text): [Json, string, string] => [text, 'MXN', 'invalid'],
  ),
  [new JsonNumber('1e3'), 'MXN', 'invalid'],
  [true, 'MXN', 'invalid'],
  [['1'], 'MXN', 'invalid'],
]
for (const [price, currency, expected] of prices)
  test(`price ${JSON.stringify(price).slice(0, 30)} in ${currency} is ${expected}`, () => {
    const read = readPayInCreation({ ...localOrder, price, price_currency: currency }, rules)
    if (read.ok) assert.is(read.value.priceMinor, expected)
    else assert.equal(problemsOf(read), [`price ${expected}`])
  })

test('a price is held against the merchant’s limits together with all other fields', () => {
  const limited = { ...rules, priceLimits: { minMinor: 1000n, maxMinor: 2000n } }
  const problemOf = (price: string) => {
    const read = readPayInCreation({ ...localOrder, price, description: '' }, limited)
    assert.ok(!read.ok && read.refusal.name === 'fields')
    return read.refusal.errors.map(({ attr, detail }) => `${attr}: ${detail}`)
  }
  const blank = 'description: This field may not be blank.'
  for (const price of ['-1', '-0', '0', '0.00', '9.99'])
    assert.equal(problemOf(price), ['price: Value is too low.', blank], price)
  for (const price of ['10', '20.00']) assert.equal(problemOf(price), [blank], price)
  assert.equal(problemOf('20.01'), ['price: Value is too high.', blank])
})

test('an expiry is compared with the time of the request', () => {
  const at = (now: number) =>
    problemsOf(readPayInCreation({ ...localOrder, expiry: '2026-01-01T01:00:00+01:00' }, { ...rules, now }))
  assert.equal(at(newYear - 1), [])
  assert.equal(at(newYear), ['expiry invalid'])
  assert.equal(at(newYear + 1), ['expiry invalid'])
})

test('webhook targets are judged only when they are URLs', () => {
  const judged: string[] = []
  const judgeNotifyUrl = (url: string) => {
    judged.push(url)
    return null
  }
  readPayInCreation({ ...localOrder, notify_url: 'nowhere' }, { ...rules, judgeNotifyUrl })
  assert.equal(judged, [])
  readPayInCreation({ ...localOrder, notify_url: ' http://10.0.0.1/ ' }, { ...rules, judgeNotifyUrl })
  assert.equal(judged, ['http://10.0.0.1/'])
})

test('fields nobody knows are ignored, and prototypes are no source of fields', () => {
  const read = readPayInCreation(
    { ...localOrder, constructor: 'x', extra: { country: 'CL' }, ['__proto__']: { description: 'x' } },
    rules,
  )
  assert.equal(read, readPayInCreation(localOrder, rules))
  assert.equal(
    problemsOf(readPayOutCreation(JSON.parse(`{"__proto__":${JSON.stringify(localOrder)}}`), rules)),
    localRequired,
  )
})

const quoteBody = {
  blockchain: 'SOLANA',
  send: '100.123456',
  send_currency: 'USDC',
  target_country: 'MX',
  target_currency: 'MXN',
}

test('a quote counts the units of its asset', () => {
  const decimals = (blockchain: string, currency: string) =>
    blockchain === 'SOLANA' && currency === 'USDC' ? 6 : undefined
  assert.equal(readQuoteRequest(quoteBody, decimals), {
    ok: true,
    value: {
      blockchain: 'SOLANA',
      sendMinor: 100_123_456n,
      sendCurrency: 'USDC',
      targetCountry: 'MX',
      targetCurrency: 'MXN',
    },
  })
  assert.equal(problemsOf(readQuoteRequest({ ...quoteBody, send: '1.1234567' }, decimals)), [
    'send max_decimal_places',
  ])
  assert.equal(
    problemsOf(readQuoteRequest({ ...quoteBody, send: '1.123456789', send_currency: 'DOGE' }, decimals)),
    [],
  )
  assert.equal(problemsOf(readQuoteRequest({ blockchain: 'ETHEREUM' }, decimals)), [
    'blockchain invalid_choice',
    ...missing('send', 'send_currency', 'target_country', 'target_currency'),
  ])
})

test('a list without parameters is the first page of everything', () =>
  assert.equal(readOrderList(''), {
    ok: true,
    value: {
      status: null,
      merchantOrderId: null,
      createdFrom: null,
      createdTo: null,
      limit: 100,
      cursor: null,
    },
  }))

test('a list is narrowed by its parameters; an empty one counts as not sent, of two the last counts', () =>
  assert.equal(
    readOrderList(
      'status=READY&merchant_order_id=a%20b&created_from=2026-01-01T00:00Z&created_to=&limit=7&limit=500&cursor=c&x=y',
    ),
    {
      ok: true,
      value: {
        status: 'READY',
        merchantOrderId: 'a b',
        createdFrom: newYear,
        createdTo: null,
        limit: 100,
        cursor: 'c',
      },
    },
  ))

const queries: [query: string, problems: string[]][] = [
  ['limit=0', ['limit min_value']],
  ['limit=-1', ['limit min_value']],
  ['limit=1e2', ['limit invalid']],
  ['limit=9999999999999999999', ['limit invalid']],
  ['status=ready&created_to=2026-01-01', ['status invalid_choice', 'created_to invalid']],
  ['merchant_order_id=%00', ['merchant_order_id null_characters_not_allowed']],
]
for (const [query, problems] of queries)
  test(`?${query} has ${problems.join()}`, () => assert.equal(problemsOf(readOrderList(query)), problems))

test.run()
