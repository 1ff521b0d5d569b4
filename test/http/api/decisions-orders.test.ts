import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hasCheckDigit } from '../../../actors/orders/code.ts'
import {
  payOutBody,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
  type TestRequest,
} from '../../support/node.ts'
import { call, merchantPath, newOrder, orderIn } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode({ env: { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '100000' } })
})
test.after(() => stopTestNode(node))

const payOuts = merchantPath('PAY_OUT')
const unknownId = '0f8fad5b-d9cb-469f-a165-70867728950e'

const create = (overrides: Record<string, unknown> = {}, request: Partial<TestRequest> = {}) =>
  node.request({ as: 'mk_shop', path: payOuts, body: payOutBody(overrides), ...request })

/** `attr code` of each error. */
const problems = ({ json }: TestAnswer): string[] =>
  json.errors.map(({ attr, code }: { attr: string | null; code: string }) => `${attr} ${code}`)

const permissionDenied = {
  detail: 'You do not have permission to perform this action.',
  type: 'client_error',
  errors: [
    {
      attr: null,
      code: 'permission_denied',
      detail: 'You do not have permission to perform this action.',
    },
  ],
}

test('expiry on creation: in the past it is refused, and there is no maximum', async () => {
  const now = node.clock.now()
  const rows: [expiry: string, problem: string | null][] = [
    [new Date(now).toISOString(), 'expiry invalid'],
    [new Date(now - 1).toISOString(), 'expiry invalid'],
    [new Date(now + 1000).toISOString(), null],
    ['9999-12-31T23:59:59Z', null],
    ['2027-01-01 10:00+05:30', null],
    ['2027-02-29T10:00:00Z', 'expiry invalid'],
    ['2027-01-01', 'expiry invalid'],
  ]
  for (const [expiry, problem] of rows) {
    const answer = await create({ expiry })
    assert.equal(answer.status === 201 ? null : problems(answer)[0], problem, expiry)
  }
})

test('Lengths: in code points, without the blanks around', async () => {
  const wide = '😀'
  const rows: [field: string, value: string, problem: string | null][] = [
    ['description', wide.repeat(1000), null],
    ['description', wide.repeat(1001), 'description max_length'],
    ['description', ` ${'x'.repeat(1000)} `, null],
    ['merchant_order_id', wide.repeat(127), null],
    ['merchant_order_id', wide.repeat(128), 'merchant_order_id max_length'],
    ['consumer_phone_number', '1'.repeat(128), null],
    ['consumer_phone_number', '1'.repeat(129), 'consumer_phone_number max_length'],
    ['consumer_email', `${'a'.repeat(242)}@example.com`, null],
    ['consumer_email', `${'a'.repeat(243)}@example.com`, 'consumer_email max_length'],
    ['return_url', `https://a.co/${'x'.repeat(2035)}`, null],
    ['return_url', `https://a.co/${'x'.repeat(2036)}`, 'return_url max_length'],
  ]
  for (const [field, value, problem] of rows) {
    const answer = await create({ expiry: '2030-01-01T00:00:00Z', [field]: value })
    assert.equal(answer.status === 201 ? null : problems(answer)[0], problem, `${field} of ${value.length}`)
  }
})

test('Missing or unknown order_type: that error, and a local order’s with it', async () => {
  const missing = await node.request({ as: 'mk_shop', path: payOuts, body: { price: 'x' } })
  assert.equal(problems(missing).slice(0, 3), ['order_type required', 'country required', 'price invalid'])
  const unknown = await node.request({ as: 'mk_shop', path: payOuts, body: { order_type: 'Nope' } })
  assert.is(unknown.json.errors[0].detail, '"Nope" is not a valid choice.')
  assert.is(unknown.json.errors.length, 9)
})

test('Codes: fourteen random digits and a Luhn check digit', async () => {
  const codes = await Promise.all([1, 2, 3, 4, 5].map(async () => (await newOrder(node, 'PAY_IN')).code))
  for (const code of codes) assert.ok(hasCheckDigit(code))
  assert.is(new Set(codes).size, 5)
})

test('Consumer fields: not sent is "", and "" is not sent', async () => {
  const expiry = '2030-01-01T00:00:00Z'
  const phone = await create({ expiry, consumer_email: '', consumer_phone_number: ' +52 55 ' })
  assert.equal([phone.json.consumer_email, phone.json.consumer_phone_number], ['', '+52 55'])
  const mail = await create({ expiry })
  assert.equal([mail.json.consumer_email, mail.json.consumer_phone_number], ['ana@example.com', ''])
  for (const consumer_phone_number of ['', '  ', undefined]) {
    const neither = await create({ expiry, consumer_email: '', consumer_phone_number })
    assert.equal(problems(neither), ['non_field_errors invalid'])
  }
  assert.equal(problems(await create({ expiry, consumer_email: null })), ['consumer_email null'])
})

test('Pay-out code: it is in none of the merchant’s answers', async () => {
  const { id, code } = await newOrder(node, 'PAY_OUT')
  const read = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', id) })
  const listed = await node.request({ as: 'mk_shop', path: payOuts })
  for (const { text } of [read, listed]) assert.not.match(text, code)
})

test('CREATED → READY: the 201 says CREATED; the oldest order that fits the balance is funded', async () => {
  const expiry = '2030-01-01T00:00:00Z'
  const make = async (price: string) =>
    (await node.request({ as: 'mk_other', path: payOuts, body: payOutBody({ price, expiry }) })).json
  const statusOf = async (id: string) =>
    (await node.request({ as: 'mk_other', path: merchantPath('PAY_OUT', id) })).json.status
  const large = await make('500.00')
  const older = await make('200.00')
  const newer = await make('200.00')
  assert.equal([large.status, older.status, newer.status], ['CREATED', 'CREATED', 'CREATED'])
  const deposits = [{ currency: 'MXN', amount: '300.00', reference: 'a' }]
  await node.apply({
    merchants: [
      { name: 'Other Shop', contact: 'ops@other.example', credentials: [{ key: 'mk_other' }], deposits },
    ],
  })
  await node.until(async () => (await statusOf(older.id)) === 'READY')
  assert.equal([await statusOf(large.id), await statusOf(newer.id)], ['CREATED', 'CREATED'])
})

test('Price sent and different: 400 on that field; "1000" equals "1000.00"', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const rows: [body: object, problems: string[]][] = [
    [{ price: '1000.01' }, ['price invalid']],
    [{ price: '1000.001' }, ['price max_decimal_places']],
    [{ price: '-1000' }, ['price min_value']],
    [{ price_currency: 'mxn' }, ['price_currency invalid']],
    [{ price: null }, ['price null']],
    [{ price: ' 01000.000 ', price_currency: ' MXN ' }, []],
  ]
  for (const [body, expected] of rows) {
    const answer = await call(node, order, 'start', 'pk_a', { network_id: '0001', ...body })
    assert.equal(answer.status === 200 ? [] : problems(answer), expected, JSON.stringify(body))
  }
})

test('network_id: registered, and to this provider; another of the holder’s may confirm', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  for (const network_id of ['0002', 'nowhere', '0001x']) {
    const answer = await call(node, order, 'start', 'pk_a', { network_id })
    assert.is(answer.status, 400)
    assert.is(answer.json.errors[0].detail, 'This network is not registered for this provider.')
  }
  assert.is((await call(node, order, 'start', 'pk_a', { network_id: '0001' })).status, 200)
  assert.is((await call(node, order, 'confirm', 'pk_a', { network_id: 'a_shops' })).status, 200)
  assert.is((await node.core.orders.find(order.id))?.order.lock_network_id, '0001')
})

test('Foreign creation: while there are no quotes, each is unknown', async () => {
  const { country: _, price: __, price_currency: ___, ...rest } = payOutBody()
  const foreign = { ...rest, order_type: 'ForeignCurrencyOrder', quote: unknownId, wallet: 'w' }
  const expiry = '2030-01-01T00:00:00Z'
  const answer = await create({}, { body: { ...foreign, expiry } })
  assert.is(answer.status, 400)
  assert.equal(answer.json.errors, [
    { attr: 'quote', code: 'does_not_exist', detail: `Invalid pk "${unknownId}" - object does not exist.` },
  ])
  const malformed = await create({}, { body: { ...foreign, expiry, quote: 'x' } })
  assert.is(malformed.json.errors[0].detail, 'Must be a valid UUID.')
})

test('Versioning: unknown fields of a request are ignored', async () => {
  const answer = await create({ status: 'COMPLETED', id: unknownId, paid: 'now', __proto__: { price: '1' } })
  assert.is(answer.status, 201)
  assert.is(answer.json.status, 'CREATED')
  assert.is.not(answer.json.id, unknownId)
})

test('notify_url must be public and https, return_url http or https', async () => {
  const strict = await startTestNode({ env: { VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'false' } })
  const ask = (overrides: Record<string, string>) =>
    strict.request({
      as: 'mk_shop',
      path: payOuts,
      body: payOutBody({ notify_url: 'https://shop.example/hooks?a=b', ...overrides }),
    })
  const rows: [field: string, url: string, isTaken: boolean][] = [
    ['notify_url', 'https://shop.example/', true],
    ['notify_url', 'https://shop.example:443/', true],
    ['notify_url', 'https://shop.example:8443/', false],
    ['notify_url', 'http://shop.example/', false],
    ['notify_url', 'https://user:pass@shop.example/', false],
    ['notify_url', 'https://localhost/', false],
    ['notify_url', 'https://a.localhost/', false],
    ['notify_url', 'https://127.0.0.1/', false],
    ['notify_url', 'https://[::1]/', false],
    ['notify_url', 'https://2130706433/', false],
    ['notify_url', 'https://10.0.0.1/', false],
    ['notify_url', 'https://169.254.169.254/latest/', false],
    ['notify_url', 'ftp://shop.example/', false],
    ['return_url', 'http://localhost:3000/done', true],
    ['return_url', 'javascript:alert(1)', false],
    ['return_url', 'shop.example', false],
  ]
  for (const [field, url, isTaken] of rows) {
    const answer = await ask({ [field]: url })
    assert.is(answer.status, isTaken ? 201 : 400, url)
    if (!isTaken) assert.equal(problems(answer), [`${field} invalid`], url)
  }
  await stopTestNode(strict)
})

test('Compromise: a frozen party creates and starts nothing, and its confirmations go on', async () => {
  const held = await orderIn(node, 'PAY_OUT', 'LOCKED')
  const ready = await newOrder(node, 'PAY_OUT')
  const freeze = (kind: 'merchant' | 'provider', name: string) =>
    node.core.store.step({
      rows: {},
      decide: (_, at) => ({
        answer: null,
        writes: [
          {
            update: 'parties' as const,
            key: { kind, name },
            set: { frozen_at: at, frozen_reason: 'a test' },
          },
        ],
      }),
    })
  await freeze('provider', 'Network A')
  const started = await call(node, ready, 'start')
  assert.equal([started.status, problems(started)], [422, ['null provider_frozen']])
  assert.is((await call(node, ready, 'check')).status, 200)
  assert.is((await call(node, held, 'confirm')).status, 200)
  await freeze('merchant', 'Shop')
  const created = await create()
  assert.is(created.status, 403)
  assert.is(created.text, JSON.stringify(permissionDenied))
  assert.is((await node.request({ as: 'mk_shop', path: payOuts })).status, 200)
})

test.run()
