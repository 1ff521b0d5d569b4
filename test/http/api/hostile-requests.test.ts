/**
 * Whatever is sent to whatever path, signed or not: never a 5xx, always a body in the specified shape, and
 * nothing is written unless the answer is a success.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fundableAccounts } from '../../../persistence/queries/orders.ts'
import { statement } from '../../../persistence/statement.ts'
import { assertSpecifiedShape } from '../../support/answer-shape.ts'
import { payOutBody, signedHeaders, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { merchantPath, type OrderOfTest, orderIn, providerPath } from '../../support/orders.ts'
import { exchange, type RawAnswer } from '../../support/raw-http.ts'

/** The same inputs on every run; another seed, for exploring, from outside. */
const seed = Number(process.env.FUZZ_SEED ?? 20_260_301)
/** Of each property; `npm run soak hostile-requests` says how many. */
const asked = Number(process.argv[2] ?? 0)
const bounds = (numRuns: number) => ({ seed, numRuns: asked || numRuns })

let node: TestNode
let port: string
let orders: OrderOfTest[]
test.before(async () => {
  const limits = ['REQUESTSPERMINUTE', 'UNAUTHENTICATEDPERMINUTE', 'CODEMISSESPERMINUTE', 'CODEMISSESPERDAY']
  const env = Object.fromEntries(limits.map((name) => [`VENTANILLA_LIMITS_${name}`, '1000000']))
  node = await startTestNode({ env })
  port = new URL(node.publicUrl).port
  orders = [
    await orderIn(node, 'PAY_OUT', 'READY'),
    await orderIn(node, 'PAY_OUT', 'LOCKED'),
    await orderIn(node, 'PAY_IN', 'READY'),
    await orderIn(node, 'PAY_IN', 'COMPLETED'),
  ]
})
test.after(() => stopTestNode(node))

const traces = statement<Record<never, never>>()('test.traces', ({ db }) =>
  db.selectFrom('orders').select(({ fn, selectFrom }) => [
    fn.countAll<number>().as('orders'),
    fn.sum<number>('revision').as('revisions'),
    selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .as('webhooks'),
    selectFrom('postings')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .as('postings'),
    selectFrom('idempotency_keys')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .as('keys'),
  ]),
)
const judged = statement<Record<never, never>>()('test.judged', ({ db }) =>
  db.selectFrom('repeated_messages').select(({ fn }) => fn.countAll<number>().as('messages')),
)

/**
 * What a request may have left behind; refusals are journalled, and are no change of anything. Of a message that is
 * rightly signed it is kept that it was judged (protocol 5.6).
 */
const written = async (isSigned = false) => {
  const { store } = node.core
  return JSON.stringify([await store.query(traces, {}), isSigned ? [] : await store.query(judged, {})])
}

interface Sent {
  method: string
  path: string
  as: string | null
  headers: readonly (readonly [string, string])[]
  body: Buffer
}

function serialize({ method, path, as, headers, body }: Sent): Buffer {
  const signed =
    as === null ? [] : Object.entries(signedHeaders(as, node.clock.now() / 1000, method, path, body))
  const lines = [['Host', 'node'], ['Connection', 'close'], ...signed, ...headers].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

function assertShaped(answers: readonly RawAnswer[]): void {
  for (const { status, headers, text } of answers) {
    assertSpecifiedShape({ status, contentType: headers['content-type'], text })
  }
}

async function assertHarmless(sent: Sent): Promise<void> {
  // What a creation before this one sets in motion is no doing of this request.
  await node.until(async () => (await node.core.store.query(fundableAccounts, {})).length === 0)
  const isSigned = sent.as !== null
  const before = await written(isSigned)
  const answers = await exchange(port, serialize(sent), { isHead: sent.method === 'HEAD' })
  assert.is(answers.length, 1)
  if (sent.method === 'HEAD') return
  assertShaped(answers)
  if (answers.some(({ status }) => status >= 300))
    assert.is(await written(isSigned), before, answers[0]?.text)
}

/** Every route with each party that may speak there, and the fields it reads. */
const routes = () => [
  ...(['PAY_OUT', 'PAY_IN'] as const).flatMap((direction) => [
    { as: 'mk_shop', path: merchantPath(direction), valid: payOutBody() },
    { as: 'mk_other', path: merchantPath(direction, orders[0]?.id), valid: {} },
  ]),
  ...orders.flatMap(({ direction, code }) =>
    ['', 'start', 'confirm', 'cancel'].map((action) => ({
      as: 'pk_b',
      path: providerPath(direction, code, action),
      valid: { network_id: '0002', price: '1000.00', price_currency: 'MXN' },
    })),
  ),
]
const route = fc.nat().map((index) => {
  const all = routes()
  return all[index % all.length] ?? { as: '', path: '/', valid: {} }
})

const nastyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('\0', '\ud800', '9', '.', '-', 'e', ':', 'T', '@', '/'), maxLength: 30 }),
  fc.constantFrom('1e400', '-1', '9'.repeat(400), '2026-03-03T12:00:00Z', 'http://[', 'x'.repeat(3000)),
)
const value = fc.oneof(
  { arbitrary: nastyText, weight: 3 },
  fc.constantFrom(null, true, false, 0, -1, 1e300, [], {}, [[]], { a: 1 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const fieldNames = [
  ...Object.keys(payOutBody()),
  'network_id',
  'quote',
  'wallet',
  '__proto__',
  'constructor',
  '',
]
const change = fc.dictionary(fc.oneof(fc.constantFrom(...fieldNames), nastyText), value, { maxKeys: 4 })

const plainMethod = fc.constantFrom(
  'GET',
  'POST',
  'HEAD',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PURGE',
)
const headerText = fc.string({
  unit: fc.constantFrom(...'abcXYZ019 ,;=*/"\\q.-_()%\x80\xff'.split('')),
  maxLength: 40,
})
const header = fc.tuple(
  fc.constantFrom(
    'Accept',
    'Content-Type',
    'Content-Encoding',
    'Idempotency-Key',
    'Merchant-Key',
    'Provider-Key',
    'Message-Date',
    'Message-Hash',
    'X-Forwarded-For',
    'X-HTTP-Method-Override',
    'Authorization',
    'Cookie',
    'Range',
    'If-None-Match',
    'Accept-Encoding',
    'Upgrade',
    'X-Original-URL',
  ),
  fc.oneof(headerText, fc.constantFrom('application/json', 'gzip', '*/*;q=0', 'mk_shop', 'bytes=0-1', '*')),
)

test('any change of a valid body, rightly signed', () =>
  fc.assert(
    fc.asyncProperty(route, change, async ({ as, path, valid }, changed) => {
      const body = Buffer.from(JSON.stringify({ ...valid, ...changed }))
      await assertHarmless({
        method: 'POST',
        path,
        as,
        body,
        headers: [['Content-Type', 'application/json']],
      })
    }),
    bounds(120),
  ))

test('any bytes with any headers and method, rightly signed', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map(Buffer.from),
    fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
    fc
      .constantFrom('', '{}', '[', '{"a":'.repeat(5000), `"${'\\u0000'.repeat(1000)}"`)
      .map((text) => Buffer.from(text)),
  )
  return fc.assert(
    fc.asyncProperty(
      route,
      plainMethod,
      bytes,
      fc.array(header, { maxLength: 4 }),
      async (to, method, body, headers) => {
        await assertHarmless({ method, path: to.path, as: to.as, body, headers })
      },
    ),
    bounds(120),
  )
})

const pathPart = fc.oneof(
  fc.constantFrom(
    'api',
    'v1',
    'merchants',
    'providers',
    'orders',
    'pay-out',
    'pay-in',
    '..',
    '.',
    '',
    '%2e%2e',
  ),
  fc.constantFrom(
    '%2F',
    '%00',
    '%',
    '%zz',
    '%C0%AF',
    '%F0%9F',
    '%e2%82%ac',
    ';a=b',
    '\\',
    '*',
    '{}',
    '"',
    ':id',
  ),
  fc.string({ unit: fc.constantFrom(...'abc019-_.~!$&()+,;=:@%[]{}|^`<>'.split('')), maxLength: 12 }),
)
const path = fc
  .tuple(
    fc.constantFrom('', '/api/v1', '/api/v1/merchants/orders', '/checkout', '//'),
    fc.array(pathPart, { maxLength: 6 }),
  )
  .map(([base, parts]) => `${base}/${parts.join('/')}`)
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(fc.tuple(fc.constantFrom('status', 'limit', 'cursor', 'created_from', '__proto__'), headerText))
    .map((pairs) => `?${pairs.map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&')}`),
  fc.constantFrom('?', '?%', '?%ff=%ff', '?limit=1&limit=2', '?&&&', '?a#b'),
)

test('any path, any query, signed by anybody or not at all', () => {
  const speaker = fc.constantFrom(null, 'mk_shop', 'pk_a')
  return fc.assert(
    fc.asyncProperty(plainMethod, path, query, speaker, async (method, asked, searched, as) => {
      const before = await written()
      const sent = { method, path: asked + searched, as, body: Buffer.alloc(0), headers: [] }
      const [answer, ...more] = await exchange(port, serialize(sent), { isHead: method === 'HEAD' })
      assert.equal(more, [])
      assert.ok(answer && answer.status < 500)
      // The pages of the checkout are for people.
      const isPage = asked.startsWith('/checkout')
      if (!isPage && method !== 'HEAD') assertShaped([answer])
      assert.is(await written(), before)
    }),
    bounds(150),
  )
})

test('any list of the merchant’s, rightly signed', () =>
  fc.assert(
    fc.asyncProperty(query, async (searched) => {
      const sent = {
        method: 'GET',
        path: merchantPath('PAY_OUT') + searched,
        as: 'mk_shop',
        body: Buffer.alloc(0),
      }
      await assertHarmless({ ...sent, headers: [] })
    }),
    bounds(60),
  ))

test('what is no HTTP is answered in the same shape, or not at all', () => {
  const pieces = fc.constantFrom(
    'GET ',
    'POST ',
    '/healthz',
    ' HTTP/1.1',
    ' HTTP/1.0',
    ' HTTP/9.9',
    '\r\n',
    '\n',
    '\r',
    '\0',
    'Host: a',
    'Content-Length: 5',
    'Content-Length: -1',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: x',
    'ffffffff',
    '0',
    ':',
    ' ',
    '{}',
    'Expect: 100-continue',
    'Expect: b',
    'Upgrade: h2c',
    'Connection: close',
    'CONNECT a:1',
  )
  const garbage = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map(Buffer.from),
    fc.array(pieces, { minLength: 1, maxLength: 15 }).map((parts) => Buffer.from(parts.join(''), 'latin1')),
  )
  return fc.assert(
    fc.asyncProperty(garbage, async (bytes) => {
      const before = await written()
      const answers = await exchange(port, bytes, { end: true })
      for (const answer of answers) if (answer.text !== '{"status":"ok"}') assertShaped([answer])
      assert.is(await written(), before)
    }),
    bounds(120),
  )
})

test('after all that the node serves as before', async () => {
  const answer = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT'), body: payOutBody() })
  assert.is(answer.status, 201)
  assert.is((await fetch(`${node.publicUrl}/readyz`)).status, 200)
})

test.run()
