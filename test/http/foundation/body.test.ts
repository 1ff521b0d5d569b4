import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type BodyLimits, bodyLimits, parseBody, readBody } from '../../../http/foundation/body.ts'
import { answerRefusal, type Outcome } from '../../../http/foundation/errors.ts'
import { JsonNumber } from '../../../http/foundation/json.ts'

const json = { 'content-type': 'application/json' }

const documents: [body: string | Buffer, headers: Record<string, string>, value: unknown][] = [
  ['', json, {}],
  ['', {}, {}],
  ['', { 'content-type': 'text/plain' }, {}],
  ['{}', json, {}],
  ['\ufeff{}', json, {}],
  [' {"a": "é😀"} ', json, { a: 'é😀' }],
  ['{"a":1,"a":2}', json, { a: new JsonNumber('2') }],
  [
    '{"a":12.10,"b":[1e400,-0]}',
    json,
    { a: new JsonNumber('12.10'), b: [new JsonNumber('1e400'), new JsonNumber('-0')] },
  ],
  ['12345678901234567890', json, new JsonNumber('12345678901234567890')],
  ['{"a":"\\ud800"}', json, { a: '\ud800' }],
  [`${'['.repeat(32)}${']'.repeat(32)}`, json, JSON.parse(`${'['.repeat(32)}${']'.repeat(32)}`)],
  [`{"a":"${'['.repeat(100)}\\"{{{"}`, json, { a: `${'['.repeat(100)}"{{{` }],
  ['{}', { 'content-type': 'Application/JSON ; charset="UTF-8"; version=1' }, {}],
  ['{}', { ...json, 'content-encoding': 'identity' }, {}],
]
for (const [body, headers, value] of documents)
  test(`${JSON.stringify(String(body).slice(0, 40))} with ${JSON.stringify(headers)} is read`, () =>
    assert.equal(parseBody(Buffer.from(body), headers), { ok: true, value }))

test('a prototype in a body is a name like any other', () => {
  const read = parseBody(Buffer.from('{"__proto__":{"a":1},"constructor":2}'), json)
  assert.ok(read.ok && read.value !== null && typeof read.value === 'object')
  assert.equal(Object.keys(read.value), ['__proto__', 'constructor'])
  assert.is(Object.getPrototypeOf(read.value), Object.prototype)
})

/** What the reason says of a body that is no JSON; the engine's own words may change with it. */
const unreadable: [body: string | Buffer, reason: string | RegExp][] = [
  [' ', /^Unexpected end/],
  ['{"a":', /^Unexpected end/],
  ['{a:1}', /position 1 \(line 1 column 2\)$/],
  ['{"a":1,}', /position 7/],
  ['[01]', /position 2/],
  ['{"a":"\n"}', /position 6/],
  ['{} {}', /position 3/],
  ['NaN', 'The body is not JSON'],
  ['undefined', 'The body is not JSON'],
  ['a=1&b=2', /^Unexpected token/],
  [Buffer.from([0x22, 0xff, 0x22]), 'The body is not valid UTF-8'],
  [Buffer.from('{"a":"é"}', 'latin1'), 'The body is not valid UTF-8'],
  [Buffer.from('{}', 'utf16le'), /position 1/],
  [`${'['.repeat(33)}${']'.repeat(33)}`, 'The body nests deeper than 32 levels'],
  ['{"a":'.repeat(10_000), 'The body nests deeper than 32 levels'],
]
for (const [body, reason] of unreadable)
  test(`${JSON.stringify(String(body).slice(0, 40))} is no JSON`, () => {
    const read = parseBody(Buffer.from(body), json)
    assert.ok(!read.ok && read.refusal.name === 'parse_error')
    const said = String(read.refusal.values.reason)
    if (typeof reason === 'string') assert.is(said, reason)
    else assert.match(said, reason)
  })

test('what is said of a body that is no JSON quotes nothing of it', () => {
  for (const body of [
    '{"email": ana@example.com}',
    'ana@example.com',
    '{"email":"ana@example.com" x}',
    '[ana]',
  ]) {
    const read = parseBody(Buffer.from(body), json)
    assert.ok(!read.ok)
    assert.not.match(answerRefusal(read.refusal).body, /ana|email/)
  }
})

const unsupported: [headers: Record<string, string>, detail: string][] = [
  [{}, 'Unsupported media type "" in request.'],
  [{ 'content-type': 'text/plain' }, 'Unsupported media type "text/plain" in request.'],
  [{ 'content-type': 'application/jsonp' }, 'Unsupported media type "application/jsonp" in request.'],
  [
    { 'content-type': 'application/json; charset=latin1' },
    'Unsupported media type "application/json; charset=latin1" in request.',
  ],
  [{ ...json, 'content-encoding': 'gzip' }, 'Unsupported content encoding "gzip" in request.'],
]
for (const [headers, detail] of unsupported)
  test(`a body with ${JSON.stringify(headers)} is not looked at`, () => {
    const read = parseBody(Buffer.from('nonsense'), headers)
    assert.ok(!read.ok)
    const { status, body } = answerRefusal(read.refusal)
    assert.is(status, 415)
    assert.is(JSON.parse(body).detail, detail)
  })

/** A server that reads one body under `limits`; it answers like the API would. */
async function reading(
  limits: BodyLimits,
  use: (port: number, outcome: Promise<Outcome<Buffer>>) => Promise<void>,
): Promise<void> {
  const read = Promise.withResolvers<Outcome<Buffer>>()
  const server: Server = createServer(async (incoming: IncomingMessage, response) => {
    const outcome = await readBody(incoming, limits)
    const answer = outcome.ok ? { status: 200, headers: {}, body: '' } : answerRefusal(outcome.refusal)
    response.writeHead(answer.status, answer.headers).end(answer.body)
    read.resolve(outcome)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await use((server.address() as AddressInfo).port, read.promise)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function post(port: number, chunks: readonly Buffer[], headers: Record<string, number> = {}) {
  const sending = request({ host: '127.0.0.1', port, method: 'POST', headers })
  for (const chunk of chunks) sending.write(chunk)
  sending.end()
  const [response]: IncomingMessage[] = await once(sending, 'response')
  assert.ok(response)
  response.resume()
  await once(response, 'end')
  return response
}

test('a body is read as it is, byte for byte', () =>
  reading(bodyLimits, async (port, outcome) => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    await post(port, [bytes, bytes])
    assert.equal(await outcome, { ok: true, value: Buffer.concat([bytes, bytes]) })
  }))

test('a request without a body has an empty one', () =>
  reading(bodyLimits, async (port, outcome) => {
    await post(port, [])
    assert.equal(await outcome, { ok: true, value: Buffer.alloc(0) })
  }))

const sizes: [bytes: number, status: number][] = [
  [64 * 1024, 200],
  [64 * 1024 + 1, 413],
  [800 * 1024, 413],
]
for (const [bytes, status] of sizes) {
  test(`${bytes} bytes of announced length are answered ${status}`, () =>
    reading(bodyLimits, async (port) => {
      const response = await post(port, [Buffer.alloc(bytes, 0x20)], { 'Content-Length': bytes })
      assert.is(response.statusCode, status)
    }))
  test(`${bytes} bytes in chunks are answered ${status}`, () =>
    reading(bodyLimits, async (port) => {
      const half = Buffer.alloc(Math.floor(bytes / 2), 0x20)
      const response = await post(port, [half, Buffer.alloc(bytes - half.length, 0x20)])
      assert.is(response.statusCode, status)
    }))
}

test('an announced length beyond all measure is refused before a byte of it', () =>
  reading(bodyLimits, async (port, outcome) => {
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: node\r\nContent-Length: 99999999999\r\n\r\n')
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 413 [\s\S]*Connection: close/)
    assert.equal(await outcome, {
      ok: false,
      refusal: { name: 'body_too_large', values: { max_bytes: 65_536 } },
    })
    socket.destroy()
  }))

test('chunks without end are refused and the connection is closed', () =>
  reading(bodyLimits, async (port, outcome) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.resume().on('close', resolve))
    socket.write('POST / HTTP/1.1\r\nHost: node\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    for (let sent = 0; sent < 20; sent++) socket.write(chunk)
    assert.equal(await outcome, {
      ok: false,
      refusal: { name: 'body_too_large', values: { max_bytes: 65_536 } },
    })
    await closed
  }))

test('a body that does not arrive in time is given up', () =>
  reading({ maxBytes: 100, timeoutMs: 20 }, async (port, outcome) => {
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: node\r\nContent-Length: 10\r\n\r\n{"a')
    const [answer] = await once(socket, 'data')
    assert.equal(await outcome, { ok: false, refusal: { name: 'request_timeout' } })
    assert.match(String(answer), /^HTTP\/1\.1 408 /)
    socket.destroy()
  }))

test('a sender that goes away in the middle is no fault of the node', () =>
  reading(bodyLimits, async (port, outcome) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.end('POST / HTTP/1.1\r\nHost: node\r\nContent-Length: 10\r\n\r\n{"a')
    assert.equal(await outcome, { ok: false, refusal: { name: 'malformed_request' } })
    socket.destroy()
  }))

test.run()
