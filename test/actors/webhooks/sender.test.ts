/** One attempt: what is sent, how it ends, how long it may take. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AttemptResult } from '../../../actors/webhooks/sender.ts'
import { type Answering, closedPort } from '../../support/webhook-receivers.ts'
import { body, impatient, message, webhookSending } from '../../support/webhook-sending.ts'

const { createSender, receiving, receivingRaw, sendTo, sendToRaw } = webhookSending(test)

test('the exact bytes arrive at the path and query of the URL, with identity asked for', async () => {
  const receiver = await receiving((response) => response.end('thanks'))
  const url = `http://127.0.0.1:${receiver.port}/avisos/ñ?a=1&b=%20#part`
  const result = await createSender().send(message(url))
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.status, 200)
  assert.is(result.address, '127.0.0.1')
  assert.is(result.answer, 'thanks')
  assert.is(result.error, null)
  const [webhook] = receiver.received
  assert.is(webhook?.method, 'POST')
  assert.is(webhook?.target, '/avisos/%C3%B1?a=1&b=%20')
  assert.is(webhook?.body, body)
  assert.is(webhook?.headers['accept-encoding'], 'identity')
  assert.is(webhook?.headers['content-length'], String(Buffer.byteLength(body)))
  assert.is(webhook?.headers.host, `127.0.0.1:${receiver.port}`)
  assert.is(webhook?.headers['webhook-id'], 'w1')
})

const statuses: [status: number, outcome: AttemptResult['outcome']][] = [
  [200, 'acknowledged'],
  [201, 'acknowledged'],
  [202, 'refused'],
  [204, 'refused'],
  [304, 'refused'],
  [400, 'refused'],
  [410, 'refused'],
  [408, 'unavailable'],
  [429, 'unavailable'],
  [500, 'unavailable'],
  [503, 'unavailable'],
]

for (const [status, outcome] of statuses)
  test(`an answer of ${status} makes the attempt ${outcome}`, async () => {
    const result = await sendTo((response) => response.writeHead(status).end())
    assert.is(result.outcome, outcome)
    assert.is(result.status, status)
    assert.is(result.wasSent, true)
  })

test('a redirect to a metadata address is not followed and refuses', async () => {
  const receiver = await receiving((response) =>
    response.writeHead(301, { Location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  )
  const result = await createSender().send(message(`http://127.0.0.1:${receiver.port}/`))
  assert.is(result.outcome, 'refused')
  assert.is(result.status, 301)
  assert.is(receiver.received.length, 1)
})

test('101 refuses like any other status', async () => {
  const result = await sendToRaw((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  )
  assert.is(result.outcome, 'refused')
  assert.is(result.status, 101)
})

test('a receiver that never answers is a time-out', async () => {
  const result = await sendTo(() => {}, impatient)
  assert.is(result.outcome, 'timeout')
  assert.is(result.status, null)
  assert.is(result.wasSent, true)
  assert.ok(result.milliseconds >= 1990, `${result.milliseconds} ms`)
})

test('an answer whose body does not end in time is a time-out, whatever its status', async () => {
  const begin: Answering = (response) => response.writeHead(200, { 'Content-Length': 10 }).write('he')
  const result = await sendTo(begin, impatient)
  assert.is(result.outcome, 'timeout')
  assert.is(result.status, 200)
})

test('headers that drip without end are a time-out', async () => {
  const result = await sendToRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 20)
    socket.on('close', () => clearInterval(drip))
  }, impatient)
  assert.is(result.outcome, 'timeout')
})

test('endless interim answers are a time-out', async () => {
  const result = await sendToRaw((socket) => {
    const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20)
    socket.on('close', () => clearInterval(drip))
  }, impatient)
  assert.is(result.outcome, 'timeout')
})

test('a reset before the answer fails the connection', async () => {
  const result = await sendToRaw((socket) => socket.resetAndDestroy())
  assert.is(result.outcome, 'connection')
  assert.is(result.wasSent, true)
  assert.match(result.error ?? '', /ECONNRESET|hang up/)
})

test('a connection closed before the answer fails it', async () => {
  assert.is((await sendToRaw((socket) => socket.end())).outcome, 'connection')
})

test('an answer that breaks off fails the connection, whatever its status', async () => {
  const result = await sendToRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'))
  assert.is(result.outcome, 'connection')
  assert.is(result.status, 200)
})

test('an answer that is not HTTP, or whose headers are too long, fails the connection', async () => {
  assert.is((await sendToRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n'))).outcome, 'connection')
  const long = `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`
  assert.is((await sendToRaw((socket) => socket.end(long))).outcome, 'connection')
})

test('a port where nobody listens fails the connection, and nothing was sent', async () => {
  const result = await createSender().send(message(`http://127.0.0.1:${closedPort}/`))
  assert.is(result.outcome, 'connection')
  assert.is(result.wasSent, false)
  assert.match(result.error ?? '', /ECONNREFUSED/)
})

test('webhooks to one receiver share a connection, but not one whose answer was cut', async () => {
  const receiver = await receiving((response) => response.end('x'.repeat(17_000)))
  const short = await receiving((response) => response.end('ok'))
  const sender = createSender()
  for (const { port } of [receiver, short])
    for (let attempt = 0; attempt < 2; attempt++) await sender.send(message(`http://127.0.0.1:${port}/`))
  assert.is(new Set(short.received.map(({ remotePort }) => remotePort)).size, 1)
  assert.is(new Set(receiver.received.map(({ remotePort }) => remotePort)).size, 2)
})

test('fifty attempts run at once', async () => {
  const warnings: Error[] = []
  const listener = (warning: Error) => warnings.push(warning)
  process.on('warning', listener)
  const receiver = await receiving((response) => response.end())
  const sender = createSender()
  const { signal } = new AbortController()
  const url = `http://127.0.0.1:${receiver.port}/`
  const results = await Promise.all(Array.from({ length: 50 }, () => sender.send(message(url), signal)))
  assert.ok(results.every(({ outcome }) => outcome === 'acknowledged'))
  assert.is(receiver.received.length, 50)
  assert.equal(warnings, [])
  process.off('warning', listener)
})

test('headers that HTTP cannot carry are a failed attempt, not an exception', async () => {
  const headers = { 'Merchant-Key': 'line\nbreak' }
  const result = await createSender().send(message('http://127.0.0.1:1/', { headers }))
  assert.is(result.outcome, 'connection')
  assert.is(result.wasSent, false)
})

test('aborting ends an attempt that was sent with an unknown outcome, at once', async () => {
  const stop = new AbortController()
  const receiver = await receiving(() => stop.abort())
  const sender = createSender()
  const result = await sender.send(message(`http://127.0.0.1:${receiver.port}/`), stop.signal)
  assert.is(result.outcome, 'unknown')
  assert.is(result.wasSent, true)
  assert.ok(result.milliseconds < 15_000, 'it did not wait for its time to be over')
})

test('an attempt that is aborted before it was sent says so', async () => {
  const stop = new AbortController()
  const resolve = () => {
    stop.abort()
    return new Promise<string[]>(() => {})
  }
  const result = await createSender({ resolve }).send(message('https://shop.test/'), stop.signal)
  assert.is(result.outcome, 'unknown')
  assert.is(result.wasSent, false)
  const again = await createSender({ resolve }).send(message('https://127.0.0.1:1/'), stop.signal)
  assert.is(again.outcome, 'unknown')
  assert.is(again.wasSent, false)
})

test('a connection kept open is closed with the sender', async () => {
  const closed = Promise.withResolvers<void>()
  const receiver = await receivingRaw((socket) => {
    socket.on('close', () => closed.resolve())
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  const sender = createSender()
  assert.is((await sender.send(message(`http://127.0.0.1:${receiver.port}/`))).outcome, 'acknowledged')
  sender.close()
  await closed.promise
})

test.run()
