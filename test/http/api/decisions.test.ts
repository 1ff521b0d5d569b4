/**
 * What the interface leaves open, as `docs/protocol.md` decides it, row by row, as far as it
 * shows over HTTP. Here: signed messages, and what becomes of them when they come again. Other rows: the other
 * files of this name; the provider's calls: `provider-table`; lists, limits and pay-ins: files of their names;
 * another's objects: `isolation`.
 */
import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  payOutBody,
  secretOf,
  signedHeaders,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
  type TestRequest,
} from '../../support/node.ts'
import { merchantPath, newOrder, providerPath } from '../../support/orders.ts'
import { exchange } from '../../support/raw-http.ts'

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

test('Provider signature: the five parts, joined by colons, under the provider’s secret', async () => {
  const { code } = await newOrder(node, 'PAY_OUT')
  const path = providerPath('PAY_OUT', code, 'start')
  const body = '{ "network_id" : "0001" }'
  const seconds = String(node.clock.now() / 1000)
  const hash = createHmac('sha256', secretOf('pk_a'))
    .update(`pk_a:${seconds}:POST:${path}:${body}`)
    .digest('hex')
  const headers = { 'Provider-Key': 'pk_a', 'Message-Date': seconds, 'Message-Hash': hash }
  assert.is((await node.request({ path, body, headers })).status, 200)
  const capitals = { ...headers, 'Message-Hash': hash.toUpperCase() }
  assert.is((await node.request({ path, body, headers: capitals })).status, 403, 'lowercase, protocol 5.1')
})

test('Message-Date: decimal seconds with up to nine decimals, within 300 s, signed as text', async () => {
  const path = merchantPath('PAY_OUT', unknownId)
  const now = node.clock.now() / 1000
  const rows: [date: string, status: number][] = [
    [`${now}`, 404],
    [`${now}.0`, 404],
    [`${now}.123456789`, 404],
    [`${now}.1234567890`, 403],
    [`${now}.`, 403],
    [`${now}000`, 403],
    [`+${now}`, 403],
    [`0${now}`, 403],
    [`${now}e0`, 403],
    [new Date(node.clock.now()).toISOString(), 403],
    [`${now + 300}`, 404],
    [`${now - 300}`, 404],
    [`${now + 300}.001`, 403],
    [`${now - 301}.999`, 403],
  ]
  for (const [date, status] of rows) {
    const hash = createHmac('sha256', secretOf('mk_shop'))
      .update(`mk_shop:${date}:GET:${path}:`)
      .digest('hex')
    const headers = { 'Merchant-Key': 'mk_shop', 'Message-Date': date, 'Message-Hash': hash }
    assert.is((await node.request({ path, headers })).status, status, date)
  }
})

test('What is signed: the path as it was sent, undecoded', async () => {
  const { id } = await newOrder(node, 'PAY_IN')
  const plain = merchantPath('PAY_IN', id)
  const encoded = plain.replace(id, `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`)
  const ask = async (signedPath: string, sentPath: string) => {
    const headers = Object.entries(signedHeaders('mk_shop', node.clock.now() / 1000, 'GET', signedPath, ''))
    const lines = [...headers, ['Host', 'node'], ['Connection', 'close']].map(
      (line) => `${line.join(': ')}\r\n`,
    )
    const [answer] = await exchange(
      new URL(node.publicUrl).port,
      `GET ${sentPath} HTTP/1.1\r\n${lines.join('')}\r\n`,
    )
    return answer?.status
  }
  assert.is(await ask(encoded, encoded), 200)
  assert.is(await ask(plain, encoded), 403)
  const mixed = encoded.replace(/%../, (digits) => digits.toUpperCase())
  assert.is(await ask(mixed, mixed), 200)
})

test('What is signed: the exact bytes of the body, verified before anything is decoded', async () => {
  const { code } = await newOrder(node, 'PAY_OUT')
  const path = providerPath('PAY_OUT', code, 'start')
  const rows: [body: string, status: number][] = [
    ['\r\n {"network_id":\t"0001"}\n', 200],
    ['{"network_id":"\\u0030001"}', 409],
    ['\ufeff{"network_id":"0001"}', 409],
    ['{"network_id":', 400],
  ]
  for (const [index, [body, status]] of rows.entries()) {
    const as = index === 0 ? 'pk_a' : 'pk_b'
    const asOther = body.replace('0001', as === 'pk_a' ? '0001' : '0002').replace('30001', '30002')
    assert.is((await node.request({ as, path, body: asOther, at: index })).status, status, body)
  }
  const signed = signedHeaders('pk_a', node.clock.now() / 1000, 'POST', path, '{"network_id":"0001"}')
  const changed = await node.request({ path, body: '{"network_id": "0001"}', headers: signed })
  assert.is(changed.status, 403)
})

test('What is signed: a Content-Encoding other than identity is 415', async () => {
  for (const [encoding, status] of [
    ['identity', 201],
    ['gzip', 415],
    ['br', 415],
    ['x, identity', 415],
  ] as const) {
    const answer = await create({}, { headers: { 'Content-Encoding': encoding } })
    assert.is(answer.status, status, encoding)
    if (status === 415) assert.equal(problems(answer), ['null unsupported_media_type'])
  }
})

test('Repeated messages: a creation that is sent again is not unique', async () => {
  const body = payOutBody()
  const request = { as: 'mk_shop', path: payOuts, body }
  assert.is((await node.request(request)).status, 201)
  const again = await node.request(request)
  assert.is(again.status, 400)
  assert.equal(problems(again), ['merchant_order_id unique'])
})

test('Repeated messages: an Idempotency-Key replays a 2xx for 24 hours, and nothing else', async () => {
  const headers = { 'Idempotency-Key': 'for-a-day' }
  const body = payOutBody({ expiry: '2026-04-01T00:00:00Z' })
  const request = { as: 'mk_shop', path: payOuts, body, headers }
  const failed = await node.request({ ...request, body: { ...body, price: '1' } })
  assert.is(failed.status, 400, 'a refusal is not kept')
  const first = await node.request(request)
  assert.is(first.status, 201)
  const again = await node.request({ ...request, at: 1 })
  assert.equal([again.status, again.text], [201, first.text])
  const other = await node.request({ ...request, body: { ...body, description: 'Another' } })
  assert.equal([other.status, problems(other)], [422, ['null idempotency_key_reused']])
  const elsewhere = await node.request({ ...request, path: merchantPath('PAY_IN') })
  assert.is(elsewhere.status, 422)
  const another = await node.request({ ...request, as: 'mk_other' })
  assert.is(another.status, 201, 'each party has its own keys')
  assert.is.not(another.json.id, first.json.id)
  const spaced = await create({}, { headers: { 'Idempotency-Key': 'a b' } })
  assert.is(spaced.status, 201, 'a blank is printable')
  for (const key of ['', 'ü', 'x'.repeat(256)]) {
    const refused = await create({}, { headers: { 'Idempotency-Key': key } })
    assert.equal([refused.status, problems(refused)], [422, ['null idempotency_key_invalid']], key)
  }
  node.clock.advance(24 * 3_600_000)
  const nextDay = await node.request(request)
  assert.equal(problems(nextDay), ['merchant_order_id unique'])
})

test('Repeated messages: of parallel creations with one Idempotency-Key one is made', async () => {
  const body = payOutBody({ expiry: '2026-04-01T00:00:00Z' })
  const request = {
    as: 'mk_shop',
    path: payOuts,
    body,
    headers: { 'Idempotency-Key': 'at once'.replace(' ', '-') },
  }
  const answers = await Promise.all([1, 2, 3, 4, 5].map((at) => node.request({ ...request, at })))
  assert.is(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size, 1)
  assert.ok(answers.every(({ status }) => status === 201 || status === 409))
})

test('Repeated messages: an Idempotency-Key of a start binds it to what the order was', async () => {
  const { code } = await newOrder(node, 'PAY_OUT')
  const send = (action: string, key: string, at: number) =>
    node.request({
      as: 'pk_a',
      path: providerPath('PAY_OUT', code, action),
      body: { network_id: '0001' },
      headers: { 'Idempotency-Key': key },
      at: 200 + at,
    })
  const first = await send('start', 'k1', 0)
  const again = await send('start', 'k1', 1)
  assert.equal([again.status, again.text], [200, first.text])
  const confirmed = await send('confirm', 'k2', 2)
  assert.is(confirmed.status, 200)
  assert.is((await send('start', 'k1', 3)).status, 409)
  assert.is((await send('confirm', 'k2', 4)).text, confirmed.text)
  assert.is((await send('cancel', 'k2', 5)).status, 422)
})

test('Keys: two live ones both speak for their party; two in one message speak for nobody', async () => {
  await node.apply({
    merchants: [
      {
        name: 'Shop',
        contact: 'ops@shop.example',
        credentials: [{ key: 'mk_shop' }, { key: 'mk_shop_2', secret: secretOf('mk_shop_2') }],
      },
    ],
  })
  const { id } = await newOrder(node, 'PAY_IN')
  assert.is((await node.request({ as: 'mk_shop_2', path: merchantPath('PAY_IN', id) })).status, 200)
  const path = merchantPath('PAY_IN', id)
  const signed = Object.entries(signedHeaders('mk_shop', node.clock.now() / 1000, 'GET', path, ''))
  for (const more of [
    'Merchant-Key: mk_shop',
    'Merchant-Key: mk_other',
    'Provider-Key: pk_a',
    'provider-key: ',
  ]) {
    const lines = [...signed.map((line) => line.join(': ')), more, 'Host: node', 'Connection: close']
    const [answer] = await exchange(
      new URL(node.publicUrl).port,
      `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
    )
    assert.is(answer?.status, 403, more)
    assert.equal(JSON.parse(answer?.text ?? ''), permissionDenied)
  }
})

test('403: every failure of authentication says the same', async () => {
  const path = merchantPath('PAY_OUT', unknownId)
  const good = signedHeaders('mk_shop', node.clock.now() / 1000, 'GET', path, '')
  const { 'Message-Hash': hash = '' } = good
  const wrong: Record<string, string>[] = [
    {},
    { ...good, 'Message-Hash': hash.replace(/.$/, hash.endsWith('0') ? '1' : '0') },
    { ...good, 'Message-Hash': '' },
    { ...good, 'Message-Hash': hash.slice(1) },
    { ...good, 'Merchant-Key': 'nobody' },
    { ...good, 'Merchant-Key': '' },
    signedHeaders('mk_shop', node.clock.now() / 1000, 'POST', path, ''),
    signedHeaders('mk_shop', node.clock.now() / 1000, 'GET', `${path}x`, ''),
    signedHeaders('mk_shop', node.clock.now() / 1000, 'GET', path, ' '),
  ]
  for (const headers of wrong) {
    const answer = await node.request({ path, headers })
    assert.is(answer.status, 403)
    assert.is(answer.text, JSON.stringify(permissionDenied))
    assert.is(answer.headers.get('ratelimit-limit'), null)
  }
})

test.run()
