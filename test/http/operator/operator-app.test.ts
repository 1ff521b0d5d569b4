import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import type { Dispatch } from '../../../actors/operations/dispatch.ts'
import { generateToken, proofOf } from '../../../http/operator/access.ts'
import { createOperatorApp } from '../../../http/operator-app.ts'
import { createHttpServer } from '../../../node/listeners.ts'
import { createUploads } from '../../../node/uploads.ts'
import { StoreUnavailable } from '../../../persistence/store.ts'

const token = generateToken()
const lines: string[] = []
const asked: unknown[] = []
let ending: () => unknown = () => ({ done: true })

const dispatch: Dispatch = async (name, input, operator) => {
  asked.push([name, input, operator])
  return ending()
}

let server: Server
let port = 0

test.before(async () => {
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const app = createOperatorApp({
    dispatch,
    uploads: createUploads({ maxBytes: 1000, maxFiles: 2, keepMs: 60_000 }),
    token,
    hosts: ['node.internal', 'console.example'],
    publicUrl: 'https://pay.example',
    log,
  })
  server = createHttpServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

test.after(() => {
  server.close()
  server.closeAllConnections()
})

test.before.each(() => {
  asked.length = 0
  lines.length = 0
  ending = () => ({ done: true })
})

interface Asking {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: unknown
}

const json = { 'Content-Type': 'application/json' }
const bearer = { Authorization: `Bearer ${token}` }

function send({
  method = 'POST',
  path = '/api/operations/order.list',
  headers,
  body,
}: Asking): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: headers ?? { ...bearer, ...json } },
      async (incoming) => {
        const text = (await buffer(incoming)).toString()
        const { statusCode: status = 0, headers: received } = incoming
        resolve({ status, headers: received, body: text === '' ? null : JSON.parse(text) })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function errorOf({ status, body }: Answer): [number, unknown] {
  const { error } = body as { error: { code: string } }
  return [status, error.code]
}

test('an operation is asked for with the token, and answered as JSON', async () => {
  const answer = await send({
    headers: { ...bearer, ...json, 'Operator-Name': encodeURIComponent('Ana Núñez') },
    body: '{"limit":3}',
  })
  assert.equal([answer.status, answer.body], [200, { done: true }])
  assert.equal(asked, [['order.list', { limit: 3 }, 'Ana Núñez']])
  assert.is(answer.headers['cache-control'], 'no-store')
  await send({})
  assert.equal(asked[1], ['order.list', {}, 'operator'], 'an empty body is an empty input')
})

test('without the token nothing is asked', async () => {
  for (const authorization of [undefined, `Bearer ${token}x`, 'Bearer ', `Basic ${token}`, token]) {
    const headers = authorization === undefined ? json : { ...json, Authorization: authorization }
    const answer = await send({ headers, body: '{}' })
    assert.equal(errorOf(answer), [401, 'unauthorized'])
    assert.is(answer.headers['www-authenticate'], 'Bearer')
  }
  assert.equal(asked, [])
})

test('a stranger’s web page gets nothing, even with the token', async () => {
  const own = `127.0.0.1:${port}`
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ Host: own, Origin: `http://${own}` }, 200],
    [{ Host: 'localhost:9', Origin: 'http://localhost:9' }, 200],
    [{ Host: 'console.example', Origin: 'https://console.example' }, 200],
    [{ Host: '[::1]:9' }, 200],
    [{ Host: 'node.internal:9' }, 200],
    [{ Host: own, 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ Host: own, 'Sec-Fetch-Site': 'none' }, 200],
    [{ Host: own, 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ Host: own, 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Host: own, Origin: 'https://evil.example' }, 403],
    [{ Host: own, Origin: 'null' }, 403],
    [{ Host: 'evil.example' }, 403],
    [{ Host: 'evil.example', Origin: 'http://evil.example' }, 403],
    [{ Host: '127.0.0.1.evil.example' }, 403],
    [{ Host: 'a b' }, 403],
  ]
  for (const [headers, status] of cases) {
    const answer = await send({ headers: { ...bearer, ...json, ...headers } })
    assert.is(answer.status, status, JSON.stringify(headers))
  }
  assert.is(asked.length, cases.filter(([, status]) => status === 200).length)
})

test('what is wrong with the body is told apart', async () => {
  const cases: [asking: Asking, status: number, code: string][] = [
    [{ headers: { ...bearer, 'Content-Type': 'text/plain' }, body: '{}' }, 415, 'unsupported_media_type'],
    [{ headers: bearer, body: '{}' }, 415, 'unsupported_media_type'],
    [{ body: '{"limit":' }, 400, 'invalid'],
    [{ body: Buffer.alloc(8 * 1024 * 1024 + 1, 32) }, 413, 'too_large'],
    [{ headers: { ...bearer, ...json, 'Operator-Name': '%0A' } }, 400, 'invalid'],
    [{ headers: { ...bearer, ...json, 'Operator-Name': '%' } }, 400, 'invalid'],
    [{ headers: { ...bearer, ...json, 'Operator-Name': 'x'.repeat(65) } }, 400, 'invalid'],
    [{ method: 'GET' }, 405, 'method_not_allowed'],
    [{ path: '/api/operations/' }, 404, 'not_found'],
    [{ path: '/nothing' }, 404, 'not_found'],
  ]
  for (const [asking, status, code] of cases) {
    assert.equal(errorOf(await send(asking)), [status, code], `${asking.path} ${asking.body?.length}`)
  }
  assert.equal(asked, [])
})

test('each expected error has its status, with its hint and details', async () => {
  for (const [code, status] of [
    ['invalid', 400],
    ['not_found', 404],
    ['conflict', 409],
    ['refused', 422],
  ] as const) {
    ending = () => {
      throw new OperationError(code, 'No.', { hint: 'Ask again.', details: ['id: is missing'] })
    }
    const answer = await send({})
    assert.equal(
      [answer.status, answer.body],
      [status, { error: { code, message: 'No.', hint: 'Ask again.', details: ['id: is missing'] } }],
    )
  }
})

test('a file whose operation was refused is in nobody’s way', async () => {
  const sent = () => send({ path: '/api/files', headers: bearer, body: 'a,b' })
  const use = (body: unknown) => send({ headers: { ...bearer, ...json }, body: JSON.stringify(body) })
  ending = () => {
    throw new OperationError('not_found', 'There is no claim 12.')
  }
  for (let time = 0; time < 3; time++) {
    const { status, body } = await sent()
    assert.is(status, 200)
    assert.is((await use(body)).status, 404)
  }
  // What was no refusal keeps its files, two of them here; a name that is none takes nothing away.
  ending = () => ({ done: true })
  assert.equal([(await use((await sent()).body)).status, (await sent()).status], [200, 200])
  assert.is((await use({ file: 4 })).status, 200)
  assert.is((await sent()).status, 422)
})

test('a fault is logged with its cause, and told by its request only', async () => {
  ending = () => {
    throw new Error('SELECT * FROM secrets')
  }
  const answer = await send({})
  assert.equal(errorOf(answer), [500, 'fault'])
  const told = JSON.stringify(answer.body)
  assert.not.match(told, /SELECT/)
  assert.ok(told.includes(String(answer.headers['request-id'])))
  assert.match(lines.join(''), /SELECT \* FROM secrets/)
  ending = () => {
    throw new StoreUnavailable('full', 'the disk is full')
  }
  assert.equal(errorOf(await send({})), [503, 'unavailable'])
})

test('the log has who asked for what, and neither token nor input', async () => {
  await send({ headers: { ...bearer, ...json, 'Operator-Name': 'ana' }, body: '{"secret":"treasure"}' })
  const [line = '{}'] = lines
  const { operation, operator, status } = JSON.parse(line)
  assert.equal([lines.length, operation, operator, status], [1, 'order.list', 'ana', 200])
  assert.not.ok(line.includes('treasure') || line.includes(token))
})

test('whoever asks is greeted with a proof of the token, and health needs none', async () => {
  const hello = await send({ method: 'GET', path: '/api/hello?challenge=abc', headers: {} })
  assert.equal(hello.body, { proof: proofOf(token, 'abc'), publicUrl: 'https://pay.example' })
  assert.is.not(proofOf(token, 'abd'), proofOf(token, 'abc'))
  assert.is.not(proofOf(`${token}x`, 'abc'), proofOf(token, 'abc'))
  const health = await send({ method: 'GET', path: '/healthz', headers: {} })
  assert.equal([health.status, health.body], [200, { status: 'ok' }])
})

test.run()
