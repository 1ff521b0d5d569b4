/** Whoever is dead is let go, whatever it was about. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createHttpServer, stopServing, type WatchedServer } from '../../node/listeners.ts'
import { deadBeginnings, dieAfter } from '../support/dead-sockets.ts'
import { startTestNode, stopTestNode, until } from '../support/node.ts'
import { open } from '../support/raw-http.ts'

const large = Buffer.alloc(1_000_000, 'a')

const serve: Parameters<typeof createHttpServer>[0] = (request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/plain' })
  if (request.url === '/events') response.write('retry: 1\n\n')
  else response.end(request.url === '/large' ? large : 'served')
}

interface Patience {
  takenMs?: number
  stalledMs?: number
  /** Before a request has come as a whole. */
  requestMs?: number
}

/** A listener whose patience is short. */
async function start({ takenMs = 60_000, stalledMs = 150, requestMs = 150 }: Patience = {}): Promise<{
  server: WatchedServer
  port: number
}> {
  const server = createHttpServer(serve, {
    headersTimeoutMs: requestMs,
    requestTimeoutMs: requestMs,
    keepAliveTimeoutMs: 100,
    checkEveryMs: 20,
    sockets: { stalledMs, takenMs, lingerMs: 50, silentMs: 300 },
  })
  servers.push(server)
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const servers: WatchedServer[] = []
const dead: Socket[] = []
test.after.each(async () => {
  for (const socket of dead.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await stopServing(server, { acceptMs: 0, graceMs: 0 })
})

for (const [name, bytes] of Object.entries(deadBeginnings('/large')))
  for (const isHalfClosed of [false, true])
    test(`${name}, ${isHalfClosed ? 'and the end of its half' : 'and no end'}: the socket is let go`, async () => {
      const { server, port } = await start()
      const connected = once(server, 'connection')
      dead.push(await dieAfter(port, bytes, isHalfClosed))
      await connected
      await until(async () => server.sockets.count === 0)
    })

test('an upgrade that nobody answers is let go', async () => {
  const { server, port } = await start()
  server.removeAllListeners('upgrade').on('upgrade', () => {})
  const connected = once(server, 'connection')
  dead.push(await dieAfter(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'))
  await connected
  await until(async () => server.sockets.count === 0)
})

test('a reader that takes a little now and then has a deadline all the same', async () => {
  const { server, port } = await start({ takenMs: 300 })
  const connected = once(server, 'connection')
  const socket = await dieAfter(port, 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(30))
  dead.push(socket)
  const drip = setInterval(() => socket.read(65_536), 20)
  await connected
  await until(async () => server.sockets.count === 0)
  clearInterval(drip)
})

test('whoever waits for us, and a stream that is read, are left alone', async () => {
  const { server, port } = await start({ requestMs: 60_000 })
  const socket = await open(port)
  socket.resume().write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 600))
  assert.is(server.sockets.count, 1)
  socket.destroy()
})

test('an answer for which the program was held up longer than readers may be is read to its end', async () => {
  const { server, port } = await start({ stalledMs: 3_000 })
  const long = Buffer.alloc(20_000_000, 'a')
  server.removeAllListeners('request').on('request', (request, response) => {
    server.sockets.follow(request, response)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_200)
    response.end(long)
  })
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  assert.is((await answer.arrayBuffer()).byteLength, long.length)
})

/** As the node has it. */
async function startPatient(): Promise<{ server: WatchedServer; port: number }> {
  const server = createHttpServer(serve)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

test('what comes at the end from a connection that was silent for long is answered', async () => {
  const { server, port } = await startPatient()
  const socket = await open(port)
  await until(async () => server.sockets.count === 1)
  // Longer than anybody may be silent once the listener is closed.
  await new Promise((resolve) => setTimeout(resolve, 600))
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const answer = once(socket, 'data').then(([bytes]) => String(bytes))
  server.sockets.hurry()
  // Nothing is read meanwhile, however much time passes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
  const gone = once(socket, 'close').then(() => 'nothing')
  assert.match(await Promise.race([answer, gone]), /^HTTP\/1\.1 200 /)
})

test('dead sockets of every kind are let go by a listener that stops, long before its patience is over', async () => {
  const { server, port } = await startPatient()
  await bringDead(port, '/large')
  // The test would not end before the grace does.
  await stopServing(server, { acceptMs: 0, graceMs: 600_000 })
  await until(async () => server.sockets.count === 0)
})

test('a node with dead sockets of every kind on both listeners stops', async () => {
  const node = await startTestNode()
  for (const url of [node.publicUrl, node.operatorUrl])
    await bringDead(Number(new URL(url).port), '/api/v1/docs/')
  await stopTestNode(node)
})

/** One of each kind, with and without the end of its half. */
async function bringDead(port: number, large: string): Promise<void> {
  for (const bytes of Object.values(deadBeginnings(large)))
    for (const isHalfClosed of [false, true]) dead.push(await dieAfter(port, bytes, isHalfClosed))
}

test.run()
