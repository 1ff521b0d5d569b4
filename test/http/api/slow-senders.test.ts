/** Slow senders and many connections: none of them starves the others. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody } from '../../../http/foundation/body.ts'
import { answerRefusal } from '../../../http/foundation/errors.ts'
import { createClientAddresses } from '../../../http/limits/client-address.ts'
import { limitConnections } from '../../../http/limits/connections.ts'
import { createHttpServer, type ServerTimes } from '../../../node/listeners.ts'
import { assertSpecifiedShape } from '../../support/answer-shape.ts'
import { startTestNode, stopTestNode } from '../../support/node.ts'
import { merchantPath, newOrder } from '../../support/orders.ts'
import { exchange, open } from '../../support/raw-http.ts'

test('two hundred idle and two hundred slow connections keep nobody waiting', async () => {
  const node = await startTestNode()
  const { port } = new URL(node.publicUrl)
  const started = [
    '',
    `GET ${merchantPath('PAY_OUT')} HTTP/1.1\r\nHost: node\r\nX-Slow`,
    `POST ${merchantPath('PAY_OUT')} HTTP/1.1\r\nHost: node\r\nContent-Length: 1000\r\n\r\n{"pri`,
    `POST ${merchantPath('PAY_OUT')} HTTP/1.1\r\nHost: node\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"p`,
  ]
  const sockets = await Promise.all(
    Array.from({ length: 400 }, async (_, index) => {
      const socket = (await open(port)).resume()
      const text = started[index < 200 ? 0 : 1 + (index % 3)]
      if (text) socket.write(text)
      return socket
    }),
  )
  // None of them is answered or given up before its ten seconds are over: these do not wait for that.
  const begin = performance.now()
  for (let index = 0; index < 5; index++) await newOrder(node, 'PAY_IN')
  assert.ok(performance.now() - begin < 8_000, 'five orders were made in time')
  assert.is(sockets.filter((socket) => socket.destroyed).length, 0)
  for (const socket of sockets) socket.destroy()
  await stopTestNode(node)
})

test('who sends without waiting is served one at a time, and nobody waits for the rest', async () => {
  let underWay = 0
  let most = 0
  const waiting: (() => void)[] = []
  const server = createHttpServer((request, response) => {
    underWay++
    most = Math.max(most, underWay)
    const finish = () => {
      underWay--
      response.end(request.url)
    }
    if (request.url === '/held') waiting.push(finish)
    else finish()
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
  const all = ['/held', ...Array.from({ length: 30 }, (_, index) => `/${index}`)]
  const sent = `${all.map((path) => get(path)).join('')}${get('/last', 'Connection: close\r\n')}`
  const answers = exchange(port, sent)
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const [other] = await exchange(port, get('/other', 'Connection: close\r\n'))
  assert.is(other?.text, '/other')
  assert.is(most, 2, 'the one that is held, and the one of the other connection')
  for (const finish of waiting) finish()
  assert.equal(
    (await answers).map(({ text }) => text),
    [...all, '/last'],
  )
})

test('what a sender has asked for and left is not begun', async () => {
  const begun: string[] = []
  const waiting: (() => void)[] = []
  const server = createHttpServer((request, response) => {
    begun.push(request.url ?? '')
    waiting.push(() => response.end())
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const left = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)))
  const socket = await open((server.address() as AddressInfo).port)
  socket.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n')
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  socket.resetAndDestroy()
  // Paused, the node learns of it when it answers.
  for (const finish of waiting) finish()
  await left
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(begun, ['/1'])
})

test('a thousand requests without waiting are refused by the end of the connection', async () => {
  const port = await serve()
  const answers = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1000))
  assert.ok(answers.length < 100)
})

/** What tests have time to wait for, and a busy machine to send a request in. */
const hasty: ServerTimes = {
  headersTimeoutMs: 1_000,
  requestTimeoutMs: 1_500,
  keepAliveTimeoutMs: 100,
  checkEveryMs: 25,
}
/** Nobody is cut off for being slow. */
const patient: ServerTimes = {
  ...{ headersTimeoutMs: 60_000, requestTimeoutMs: 60_000 },
  ...{ keepAliveTimeoutMs: 60_000, checkEveryMs: 25 },
}

async function serve({ maxPerAddress = 500, times = hasty } = {}): Promise<number> {
  const server = createHttpServer(async (request, response) => {
    const body = await readBody(request, { maxBytes: 1000, timeoutMs: 150 })
    const {
      status,
      headers,
      body: text,
    } = body.ok
      ? { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{}' }
      : answerRefusal(body.refusal)
    response.writeHead(status, headers).end(text)
  }, times)
  limitConnections(server, {
    addresses: createClientAddresses(['127.0.0.9']),
    clock: { now: () => 0 },
    onExcess: (address) => excesses.push(address),
    isUnused: server.sockets.isUnused,
    maxPerAddress,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return (server.address() as AddressInfo).port
}

const servers: Server[] = []
/** Addresses that opened too many connections. */
const excesses: string[] = []
test.after.each(() => {
  for (const server of servers) server.close().closeAllConnections()
})

const slow: [name: string, bytes: string, statuses: number[]][] = [
  ['nothing at all', '', [408]],
  ['half a header', 'GET / HTTP/1.1\r\nHost: a\r\nX', [408]],
  ['half a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{', [408]],
  ['half a chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{', [408]],
  ['a request, and then nothing', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', [200]],
  ['a request, and then half of one', 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHo', [200, 408]],
]
for (const [name, bytes, statuses] of slow)
  test(`who sends ${name} is cut off in time: ${statuses}`, async () => {
    const port = await serve()
    const answers = await exchange(port, bytes)
    assert.equal(
      answers.map(({ status }) => status),
      statuses,
    )
    for (const { status, headers, text } of answers) {
      assertSpecifiedShape({ status, contentType: headers['content-type'], text })
    }
  })

test('who sends a byte now and then is cut off all the same', async () => {
  const port = await serve()
  const socket = await open(port)
  const text = `GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ${'a'.repeat(1000)}`
  let sent = 0
  const drip = setInterval(() => socket.write(text[sent++] ?? 'a'), 10)
  const [received] = await once(socket, 'data')
  clearInterval(drip)
  assert.match(String(received), /^HTTP\/1\.1 408 /)
  assert.ok(sent < text.length)
})

test('who breaks off in the middle of anything breaks nothing', async () => {
  const port = await serve()
  const beginnings = [
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\nab',
  ]
  const waits: ((then: () => void) => void)[] = [
    (then) => then(),
    setImmediate,
    (then) => setTimeout(then, 2),
  ]
  for (const text of beginnings) {
    for (const wait of waits) {
      for (let times = 0; times < 20; times++) {
        const socket = await open(port)
        const closed = once(socket, 'close')
        socket.write(text, () => wait(() => socket.resetAndDestroy()))
        await closed
      }
    }
  }
  const [answer] = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  assert.is(answer?.status, 200)
})

/** Loopback has many addresses: one for each client. */
async function connectFrom(localAddress: string, port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

const canBindLoopback = await new Promise<boolean>((resolve) => {
  const probe = createTcpServer().once('error', () => resolve(false))
  probe.listen(0, '127.0.0.2', () => probe.close(() => resolve(true)))
})
if (!canBindLoopback) console.log('SKIP this system has one loopback address only')
else
  test('an address has so many connections and no more; others are served, and proxies are not counted', async () => {
    const port = await serve({ maxPerAddress: 3, times: patient })
    const ask = async (socket: Socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      const event = await new Promise<unknown>((resolve) => {
        socket.once('data', resolve).once('close', () => resolve('closed'))
        if (socket.closed) resolve('closed')
      })
      return String(event).slice(0, 12)
    }
    const silent = await Promise.all([1, 2, 3].map(() => connectFrom('127.0.0.2', port)))
    const held = await Promise.all([1, 2, 3].map(() => connectFrom('127.0.0.2', port)))
    assert.equal(await Promise.all(held.map(ask)), Array(3).fill('HTTP/1.1 200'), 'the silent ones gave way')
    for (const socket of silent) if (!socket.closed) await once(socket.resume(), 'close')
    assert.is(await ask(await connectFrom('127.0.0.2', port)), 'closed')
    assert.is(await ask(await connectFrom('127.0.0.2', port)), 'closed')
    assert.equal(excesses, ['127.0.0.2'], 'the operator is told once')
    assert.is(await ask(await connectFrom('127.0.0.3', port)), 'HTTP/1.1 200')
    const proxied = await Promise.all(Array.from({ length: 10 }, () => connectFrom('127.0.0.9', port)))
    assert.equal(await Promise.all(proxied.map(ask)), Array(10).fill('HTTP/1.1 200'))
    // One that ends makes room for another.
    held[0]?.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.is(await ask(await connectFrom('127.0.0.2', port)), 'HTTP/1.1 200')
  })

test('there are so many connections in all, and one on which nothing was asked gives way', async () => {
  const server = createHttpServer((_, response) => response.end('served'))
  let full = 0
  limitConnections(server, {
    addresses: createClientAddresses(['127.0.0.1']),
    clock: { now: () => 0 },
    isUnused: server.sockets.isUnused,
    onExcess: () => assert.unreachable('a proxy is many'),
    onFull: () => full++,
    maxInAll: 3,
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const silent = await Promise.all([1, 2, 3].map(() => open(port)))
  const first = Promise.race(silent.map((socket) => once(socket.resume(), 'close')))
  const asking = await open(port)
  asking.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  assert.match(String((await once(asking, 'data'))[0]), /served$/)
  await first
  assert.is(server.sockets.count, 3)
  assert.is(full, 1)
  for (const socket of [...silent, asking]) socket.destroy()
})

test.run()
