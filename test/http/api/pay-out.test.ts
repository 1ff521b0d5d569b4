/** A local pay-out over signed requests: protocol 3.1, 4 and 7. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode

test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

const merchantPath = '/api/v1/merchants/orders/pay-out/'
const providerPath = (code: string, action = '') => `/api/v1/providers/orders/pay-out/${code}/${action}`

async function codeOf(id: string): Promise<string> {
  const found = await node.core.orders.find(id)
  return found?.order.code ?? 'none'
}

async function create(overrides: Record<string, unknown> = {}) {
  return node.request({ as: 'mk_shop', path: merchantPath, body: payOutBody(overrides) })
}

async function statusOf(id: string): Promise<string> {
  return (await node.request({ as: 'mk_shop', path: `${merchantPath}${id}/` })).json.status
}

/** A funded order, and what is needed to pay it. */
async function ready(overrides: Record<string, unknown> = {}) {
  const { json } = await create(overrides)
  await node.until(async () => (await statusOf(json.id)) === 'READY')
  return { id: json.id as string, code: await codeOf(json.id) }
}

let tick = 0
const act = (
  code: string,
  action: string,
  as = 'pk_a',
  body: unknown = { network_id: as === 'pk_a' ? '0001' : '0002' },
) => node.request({ as, path: providerPath(code, `${action}-payment/`), body, at: ++tick / 1000 })

test('a created order is answered as specified, is funded, paid and confirmed', async () => {
  const created = await create({ merchant_order_id: 'whole-story', consumer_phone_number: '+525512345678' })
  assert.is(created.status, 201)
  const { id, ...rest } = created.json
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  assert.equal(rest, {
    order_type: 'LocalCurrencyOrder',
    country: 'MX',
    price: '1000.00',
    price_currency: 'MXN',
    description: 'Refund of order 1234',
    merchant_order_id: 'whole-story',
    status: 'CREATED',
    notify_url: 'http://127.0.0.1:9/hooks',
    redirect_url: `${node.publicUrl}/checkout/${id}`,
    return_url: 'https://shop.example/done',
    consumer_email: 'ana@example.com',
    consumer_phone_number: '+525512345678',
    expiry: '2026-03-03T12:00:00.000Z',
    paid: null,
  })
  await node.until(async () => (await statusOf(id)) === 'READY')
  const code = await codeOf(id)

  const checked = await node.request({ as: 'pk_a', path: providerPath(code) })
  assert.is(checked.status, 200)
  assert.equal(checked.json, {
    price: '1000.00',
    price_currency: 'MXN',
    created: '2026-03-01T12:00:00.000Z',
    modified: '2026-03-01T12:00:00.000Z',
    status: 'READY',
    expiry: '2026-03-03T12:00:00.000Z',
  })
  const started = await act(code, 'start', 'pk_a', {
    network_id: '0001',
    price: '1000',
    price_currency: 'MXN',
  })
  assert.is(started.status, 200)
  assert.equal(Object.keys(started.json), ['price', 'price_currency', 'status', 'modified', 'expiry'])
  assert.is(started.json.status, 'PAYMENT_STARTED')
  const confirmed = await act(code, 'confirm')
  assert.is(confirmed.status, 200)
  assert.equal(confirmed.json, {
    price: '1000.00',
    price_currency: 'MXN',
    status: 'COMPLETED',
    paid: '2026-03-01T12:00:00.000Z',
    modified: '2026-03-01T12:00:00.000Z',
  })
  const again = await act(code, 'confirm')
  assert.is(again.status, 200)
  assert.is(again.text, confirmed.text)
})

test('of 25 parallel starts each by two providers one wins: 24 × 400 and 25 × 409', async () => {
  const { code } = await ready()
  const starts = Array.from({ length: 50 }, (_, index) =>
    act(code, 'start', index % 2 === 0 ? 'pk_a' : 'pk_b'),
  )
  const statuses = (await Promise.all(starts)).map(({ status }) => status)
  assert.is(statuses.filter((status) => status === 200).length, 1)
  assert.is(statuses.filter((status) => status === 400).length, 24)
  assert.is(statuses.filter((status) => status === 409).length, 25)
})

test('of 20 parallel creations of one merchant_order_id one is made, and nineteen are not unique', async () => {
  const body = payOutBody({ merchant_order_id: 'only-once' })
  const creations = Array.from({ length: 20 }, (_, index) =>
    node.request({ as: 'mk_shop', path: merchantPath, body, at: index / 1000 }),
  )
  const answers = await Promise.all(creations)
  assert.is(answers.filter(({ status }) => status === 201).length, 1)
  const refused = answers.filter(({ status }) => status === 400)
  assert.is(refused.length, 19)
  assert.equal(refused[0]?.json, {
    type: 'validation_error',
    errors: [{ attr: 'merchant_order_id', code: 'unique', detail: 'This field must be unique.' }],
  })
})

test('what a provider is told while another one holds the order', async () => {
  const { code } = await ready()
  assert.is((await act(code, 'start')).status, 200)
  const started = await act(code, 'start', 'pk_b')
  assert.is(started.status, 409)
  assert.equal(started.json, { detail: 'Order is currently being processed by another provider.' })
  for (const action of ['confirm', 'cancel']) {
    const answer = await act(code, action, 'pk_b')
    assert.is(answer.status, 403)
    assert.is(answer.json.detail, 'You do not have permission to perform this action.')
  }
  const second = await act(code, 'start')
  assert.is(second.status, 400)
  assert.match(second.json.detail, /PAYMENT_STARTED/)
})

test('a released order can be started by another provider', async () => {
  const { code } = await ready()
  await act(code, 'start')
  const cancelled = await act(code, 'cancel')
  assert.is(cancelled.status, 200)
  assert.is(cancelled.json.status, 'READY')
  assert.is((await act(code, 'start', 'pk_b')).status, 200)
})

test('a start sent again byte for byte gets the stored answer, and an old cancel frees no new lock', async () => {
  const { code } = await ready()
  const start = {
    as: 'pk_a',
    path: providerPath(code, 'start-payment/'),
    body: { network_id: '0001' },
    at: 50,
  }
  const cancel = {
    as: 'pk_a',
    path: providerPath(code, 'cancel-payment/'),
    body: { network_id: '0001' },
    at: 51,
  }
  const first = await node.request(start)
  const again = await node.request(start)
  assert.is(again.status, 200)
  assert.is(again.text, first.text)
  assert.is((await node.request(cancel)).status, 200)
  assert.is((await node.request(start)).status, 409)
  assert.is((await act(code, 'start')).status, 200)
  assert.is((await node.request(cancel)).status, 409)
  assert.is((await act(code, 'start', 'pk_b')).status, 409)
})

test('price, currency and network are judged before the status', async () => {
  const { code } = await ready()
  const answer = await act(code, 'start', 'pk_a', { network_id: '0002', price: '999', price_currency: 'USD' })
  assert.is(answer.status, 400)
  assert.equal(
    answer.json.errors.map((error: { attr: string }) => error.attr),
    ['network_id', 'price', 'price_currency'],
  )
})

test('an unknown code and an order of the other direction are not found', async () => {
  const unknown = await node.request({ as: 'pk_a', path: providerPath('000000000000000') })
  assert.is(unknown.status, 404)
  const { code } = await ready()
  const other = await node.request({ as: 'pk_a', path: `/api/v1/providers/orders/pay-in/${code}/` })
  assert.is(other.status, 404)
  assert.is(other.text, unknown.text)
})

test('another merchant’s order is answered like an unknown one, byte for byte', async () => {
  const { id } = await ready()
  const other = await node.request({ as: 'mk_other', path: `${merchantPath}${id}/` })
  const unknown = await node.request({
    as: 'mk_other',
    path: `${merchantPath}0f8fad5b-d9cb-469f-a165-70867728950e/`,
  })
  const malformed = await node.request({ as: 'mk_other', path: `${merchantPath}nonsense/` })
  assert.is(other.status, 404)
  assert.is(other.text, unknown.text)
  assert.is(malformed.text, unknown.text)
})

test('the price must lie within the merchant’s limits, which are inclusive', async () => {
  const rows: [string, number, string | null][] = [
    ['9.99', 400, 'Value is too low.'],
    ['10.00', 201, null],
    ['50000.00', 201, null],
    ['50000.01', 400, 'Value is too high.'],
  ]
  for (const [price, status, detail] of rows) {
    const answer = await create({ price })
    assert.is(answer.status, status, price)
    if (detail !== null) {
      assert.equal(answer.json, {
        type: 'validation_error',
        errors: [{ attr: 'price', code: 'invalid', detail }],
      })
    }
  }
  const elsewhere = await create({ country: 'AR', price_currency: 'ARS' })
  assert.is(elsewhere.status, 400)
  assert.is(elsewhere.json.detail, 'No matching configuration found for merchant, country, and currency')
})

test('an order just past its expiry is EXPIRED when it is looked at, and cannot be started', async () => {
  const { id, code } = await ready({ expiry: '2026-03-01T12:01:00Z' })
  node.clock.advance(60_000)
  assert.is(await statusOf(id), 'EXPIRED')
  const started = await act(code, 'start')
  assert.is(started.status, 400)
  assert.match(started.json.detail, /EXPIRED/)
})

test('cancel-payment past the expiry ends the order', async () => {
  const expiry = new Date(node.clock.now() + 60_000).toISOString()
  const { id, code } = await ready({ expiry })
  await act(code, 'start')
  node.clock.advance(61_000)
  assert.is(await statusOf(id), 'PAYMENT_STARTED')
  const cancelled = await act(code, 'cancel')
  assert.is(cancelled.status, 200)
  assert.is(cancelled.json.status, 'EXPIRED')
})

test('a confirmation after the grace is refused with 422', async () => {
  const expiry = new Date(node.clock.now() + 60_000).toISOString()
  const { code } = await ready({ expiry })
  await act(code, 'start')
  node.clock.advance(60_000 + 600_000)
  const confirmed = await act(code, 'confirm')
  assert.is(confirmed.status, 422)
  assert.is((await act(code, 'confirm', 'pk_b')).status, 400)
})

test('whatever is wrong with a signature is answered with the same 403', async () => {
  const path = `${merchantPath}0f8fad5b-d9cb-469f-a165-70867728950e/`
  const good = { as: 'mk_shop', path }
  const rows = [
    { path },
    { ...good, at: 301 },
    { ...good, at: -301 },
    { ...good, headers: { 'Message-Hash': '0'.repeat(64) } },
    { ...good, headers: { 'Message-Date': 'today' } },
    { ...good, headers: { 'Merchant-Key': 'mk_nobody' } },
    { ...good, headers: { 'Provider-Key': 'pk_a' } },
    { as: 'pk_a', path },
  ]
  for (const row of rows) {
    const answer = await node.request(row)
    assert.is(answer.status, 403, JSON.stringify(row))
    assert.is(answer.json.detail, 'You do not have permission to perform this action.')
  }
  assert.is((await node.request(good)).status, 404)
})

test('method, query string and trailing slash', async () => {
  const put = await node.request({ as: 'mk_shop', method: 'PUT', path: merchantPath, body: {} })
  assert.is(put.status, 405)
  assert.is(put.headers.get('allow'), 'GET, HEAD, POST')
  assert.is(put.json.detail, 'Method "PUT" not allowed.')
  const { id } = await ready()
  const bare = await node.request({ as: 'mk_shop', path: `${merchantPath}${id}` })
  assert.is(bare.status, 200)
  const unknown = await node.request({ path: '/api/v1/nothing/here/' })
  assert.is(unknown.status, 404)
  for (const query of ['?', '?a=1']) {
    const signed = { as: 'mk_shop', path: `${merchantPath}${id}/` }
    const queried = await node.request({ ...signed, query })
    assert.is(queried.status, 400, query)
    assert.is(queried.json.errors[0].attr, 'non_field_errors')
  }
})

test('an Idempotency-Key replays a creation byte for byte, and refuses another payload', async () => {
  const body = payOutBody({ merchant_order_id: 'idempotent' })
  const headers = { 'Idempotency-Key': 'key-1' }
  const first = await node.request({ as: 'mk_shop', path: merchantPath, body, headers })
  const again = await node.request({ as: 'mk_shop', path: merchantPath, body, headers, at: 1 })
  assert.is(again.status, 201)
  assert.is(again.text, first.text)
  const other = await node.request({
    as: 'mk_shop',
    path: merchantPath,
    body: { ...body, price: '11.00' },
    headers,
  })
  assert.is(other.status, 422)
})

test('a frozen provider starts nothing, and its confirmations go on', async () => {
  const { code } = await ready()
  const locked = await ready()
  await act(locked.code, 'start', 'pk_b')
  const { store } = node.core
  const frozen = await store.step({
    rows: {},
    decide: (_, at) => ({
      answer: null,
      writes: [
        {
          update: 'parties' as const,
          key: { kind: 'provider' as const, name: 'Network B' },
          set: { frozen_at: at, frozen_reason: 'test' },
        },
      ],
    }),
  })
  assert.is(frozen.outcome, 'committed')
  assert.is((await act(code, 'start', 'pk_b')).status, 422)
  assert.is((await act(locked.code, 'confirm', 'pk_b')).status, 200)
})

test.run()
