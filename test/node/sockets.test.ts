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

/** A listener whose patience is short. */
async function start(takenMs = 60_000): Promise<{ server: WatchedServer; port: number }> {
  const server = createHttpServer(serve, {
    headersTimeoutMs: 100,
    requestTimeoutMs: 150,
    keepAliveTimeoutMs: 100,
    checkEveryMs: 20,
    sockets: { stalledMs: 150, takenMs, lingerMs: 50, silentMs: 300 },
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
  dead.push(await dieAfter(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'))
  await until(async () => server.sockets.count === 1)
  await until(async () => server.sockets.count === 0)
})

test('a reader that takes a little now and then has a deadline all the same', async () => {
  const { server, port } = await start(300)
  const socket = await dieAfter(port, 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(30))
  dead.push(socket)
  const drip = setInterval(() => socket.read(65_536), 20)
  await until(async () => server.sockets.count === 1)
  await until(async () => server.sockets.count === 0)
  clearInterval(drip)
})

test('whoever waits for us, and a stream that is read, are left alone', async () => {
  const { server, port } = await start()
  const socket = await open(port)
  socket.resume().write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 600))
  assert.is(server.sockets.count, 1)
  socket.destroy()
})

test('a node with dead sockets of every kind on both listeners stops within two seconds', async () => {
  const node = await startTestNode()
  const ports = [node.publicUrl, node.operatorUrl].map((url) => new URL(url).port)
  const beginnings = Object.values(deadBeginnings('/api/v1/docs/'))
  const kinds = beginnings.flatMap((bytes) => [false, true].map((isHalfClosed) => ({ bytes, isHalfClosed })))
  for (const port of ports)
    for (const { bytes, isHalfClosed } of kinds) dead.push(await dieAfter(port, bytes, isHalfClosed))
  const began = performance.now()
  await stopTestNode(node)
  assert.ok(performance.now() - began < 2_000)
})

test.run()
