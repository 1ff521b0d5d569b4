import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TargetRules } from '../../../actors/outbound/target.ts'
import {
  type AttemptResult,
  createWebhookSender,
  type SenderOptions,
  type WebhookMessage,
  type WebhookSender,
} from '../../../actors/webhooks/sender.ts'
import { nextAttemptAt, productionRetries, verdicts } from '../../../machines/retry.ts'
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts'
import {
  type Answering,
  closedPort,
  type Receiver,
  startRawReceiver,
  startReceiver,
} from '../../support/webhook-receivers.ts'

const body = '{"id":"a","description":"Café — 50 %"}'
const rules: TargetRules = { allowPrivate: true, ports: [443], exemptOrigins: [], ownAddresses: () => [] }
const publicOnly: TargetRules = { ...rules, allowPrivate: false }
/** For receivers that hang; all others have the usual time, however busy the machine is. */
const impatient = { dnsMs: 150, connectMs: 300, totalMs: 400 }

const open = new Set<Receiver | WebhookSender>()

test.after.each(async () => {
  for (const each of open) await each.close()
  open.clear()
})

function opened<T extends Receiver | WebhookSender>(it: T): T {
  open.add(it)
  return it
}

function createSender(options: Partial<SenderOptions> = {}): WebhookSender {
  const resolve = () => Promise.resolve(['127.0.0.1'])
  return opened(createWebhookSender({ resolve, ...options }))
}

function message(url: string, rest: Partial<WebhookMessage> = {}): WebhookMessage {
  return { url, body, headers: { 'Content-Type': 'application/json', 'Webhook-Id': 'w1' }, rules, ...rest }
}

async function sendTo(answer: Answering, limits = {}): Promise<AttemptResult> {
  const receiver = opened(await startReceiver(answer))
  return createSender({ limits }).send(message(`http://127.0.0.1:${receiver.port}/hooks`))
}

async function sendToRaw(handle: (socket: Socket) => void, limits = {}): Promise<AttemptResult> {
  const receiver = opened(await startRawReceiver(handle))
  return createSender({ limits }).send(message(`http://127.0.0.1:${receiver.port}/hooks`))
}

test('the exact bytes arrive at the path and query of the URL, with identity asked for', async () => {
  const receiver = opened(await startReceiver((response) => response.end('thanks')))
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
  const receiver = opened(
    await startReceiver((response) =>
      response.writeHead(301, { Location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    ),
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
  assert.ok(result.milliseconds >= 390 && result.milliseconds < 5000, `${result.milliseconds} ms`)
})

test('an answer whose body does not end in time is a time-out, whatever its status', async () => {
  const result = await sendTo((response) => response.writeHead(200, { 'Content-Length': 10 }).write('he'), {
    ...impatient,
    totalMs: 1000,
  })
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
  const result = await createSender().send(message(`http://127.0.0.1:${await closedPort()}/`))
  assert.is(result.outcome, 'connection')
  assert.is(result.wasSent, false)
  assert.match(result.error ?? '', /ECONNREFUSED/)
})

test('a body of a gigabyte is cut and judged by its status', async () => {
  let written = 0
  const result = await sendToRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 ** 30}\r\n\r\n`)
    const chunk = Buffer.alloc(65_536, 'x')
    const more = () => {
      while (!socket.destroyed && written < 2 ** 30) {
        written += chunk.length
        if (!socket.write(chunk)) return socket.once('drain', more)
      }
    }
    more()
  })
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.isCut, true)
  assert.is(result.answer, 'x'.repeat(4096))
  assert.ok(written < 64 * 2 ** 20, `${written} bytes were taken`)
})

test('an endless body is cut and judged by its status', async () => {
  const result = await sendTo((response) => {
    response.writeHead(500)
    const more = () => {
      while (!response.destroyed) if (!response.write('y'.repeat(1000))) return response.once('drain', more)
    }
    more()
  })
  assert.is(result.outcome, 'unavailable')
  assert.is(result.isCut, true)
})

test('a gzip bomb is inflated no further than the limit and judged by its status', async () => {
  const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20))
  const result = await sendTo((response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb))
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.isCut, true)
  assert.is(result.answer?.length, 4096)
  assert.not.match(result.answer ?? '', /\0/)
})

test('a small compressed answer is kept as the text it is', async () => {
  const result = await sendTo((response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('accepted')),
  )
  assert.is(result.answer, 'accepted')
  assert.is(result.isCut, false)
})

test('an answer that only claims to be compressed is judged by its status', async () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip']) {
    const result = await sendTo((response) =>
      response.writeHead(201, { 'Content-Encoding': encoding }).end('plain'),
    )
    assert.is(result.outcome, 'acknowledged', encoding)
  }
})

test('of a long answer 4 KiB are kept, without half a character and without NULs', async () => {
  const result = await sendTo((response) => response.end(`\0${'é'.repeat(5000)}`))
  assert.is(result.answer, `\ufffd${'é'.repeat(2047)}`)
  assert.is(result.isCut, false)
  assert.is(result.answerBytes, 10_001)
})

test('Retry-After reaches the schedule, and does no harm there in any form', async () => {
  const waits: [header: string, waitMs: number][] = [
    ['120', 120_000],
    ['9999999999', 600_000],
    ['-1', 1000],
    ['NaN', 1000],
    ['Fri, 27 Nov 2026 12:01:00 GMT', 60_000],
  ]
  const at = Date.UTC(2026, 10, 27, 12)
  for (const [header, waitMs] of waits) {
    const { outcome, retryAfter } = await sendTo((response) =>
      response.writeHead(503, { 'Retry-After': header }).end(),
    )
    assert.is(verdicts[outcome], 'retry')
    const attempt = { attempts: 1, firstAttemptAt: at, startedAt: at, endedAt: at, retryAfter }
    assert.is(nextAttemptAt(productionRetries, attempt, 0), at + waitMs, header)
  }
})

test('webhooks to one receiver share a connection, but not one whose answer was cut', async () => {
  const receiver = opened(await startReceiver((response) => response.end('x'.repeat(17_000))))
  const short = opened(await startReceiver((response) => response.end('ok')))
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
  const receiver = opened(await startReceiver((response) => response.end()))
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

test('over TLS the name is asked for and compared, and the connection goes to its address', async () => {
  const identity = selfSignedCertificate(['shop.test'])
  const receiver = opened(await startReceiver((response) => response.writeHead(201).end(), identity))
  const sender = createSender({ certificates: [identity.cert] })
  const result = await sender.send(message(`https://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.address, '127.0.0.1')
  assert.is(receiver.received[0]?.headers.host, `shop.test:${receiver.port}`)
  const other = await sender.send(message(`https://other.test:${receiver.port}/`))
  assert.is(other.outcome, 'tls')
  assert.is(other.wasSent, false)
  assert.match(other.error ?? '', /altnames/)
  assert.is(receiver.received.length, 1)
})

test("over TLS a literal address is compared with the certificate's addresses", async () => {
  const identity = selfSignedCertificate(['127.0.0.1'])
  const receiver = opened(await startReceiver((response) => response.end(), identity))
  const sender = createSender({ certificates: [identity.cert] })
  assert.is((await sender.send(message(`https://127.0.0.1:${receiver.port}/`))).outcome, 'acknowledged')
})

test('a certificate that nobody vouches for fails TLS', async () => {
  const receiver = opened(
    await startReceiver((response) => response.end(), selfSignedCertificate(['shop.test'])),
  )
  const result = await createSender().send(message(`https://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'tls')
  assert.match(result.error ?? '', /self-signed/)
})

test('a receiver that speaks no TLS, or closes during its handshake, fails TLS', async () => {
  for (const handle of [
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
    (socket: Socket) => socket.end(),
  ]) {
    const receiver = opened(await startRawReceiver(handle))
    const result = await createSender().send(message(`https://shop.test:${receiver.port}/`))
    assert.is(result.outcome, 'tls')
  }
})

test('a TLS handshake that hangs is a time-out of the connection', async () => {
  const receiver = opened(await startRawReceiver(() => {}))
  const result = await createSender({ limits: impatient }).send(
    message(`https://shop.test:${receiver.port}/`),
  )
  assert.is(result.outcome, 'timeout')
  assert.is(result.wasSent, false)
  assert.match(result.error ?? '', /no connection within 300 ms/)
})

test('DNS that changes between the check and the connection does not move the connection', async () => {
  const receiver = opened(await startReceiver((response) => response.end()))
  let asked = 0
  const resolve = () => Promise.resolve([asked++ === 0 ? '127.0.0.1' : '10.0.0.1'])
  const result = await createSender({ resolve }).send(message(`http://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.address, '127.0.0.1')
  assert.is(asked, 1)
})

test('a name is resolved and judged again at each attempt, also when its connection was kept open', async () => {
  const identity = selfSignedCertificate(['shop.test'])
  const receiver = opened(await startReceiver((response) => response.end(), identity))
  const addresses = ['127.0.0.1', '127.0.0.1', '10.0.0.1']
  const resolve = () => Promise.resolve(addresses.splice(0, 1))
  const sender = createSender({ resolve, certificates: [identity.cert] })
  const url = `https://shop.test:${receiver.port}/`
  const judging = { ...publicOnly, ports: [receiver.port] }
  assert.is((await sender.send(message(url))).outcome, 'acknowledged')
  assert.is((await sender.send(message(url, { rules: judging }))).outcome, 'forbidden')
  assert.is((await sender.send(message(url, { rules: judging }))).outcome, 'forbidden')
  assert.is(addresses.length, 0)
  assert.is(receiver.received.length, 1)
})

const addressesOfFamilies = [
  ['127.0.0.1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['100.64.0.1'],
  ['192.0.2.1'],
  ['198.18.0.1'],
  ['224.0.0.1'],
  ['240.0.0.1'],
  ['255.255.255.255'],
  ['0.0.0.0'],
  ['::'],
  ['::1'],
  ['fe80::1'],
  ['fd00:ec2::254'],
  ['ff02::1'],
  ['2001:db8::1'],
  ['::ffff:127.0.0.1'],
  ['::127.0.0.1'],
  ['64:ff9b::a9fe:a9fe'],
  ['2002:7f00:1::'],
  ['2001:0:808:808::80ff:fffe'],
  ['8.8.8.8', '10.0.0.1'],
  ['8.8.8.8', '1.1.1.1', '8.8.4.4', '9.9.9.9', '::1'],
]

for (const addresses of addressesOfFamilies)
  test(`a name that resolves to ${addresses.join(', ')} is forbidden, and nothing is sent`, async () => {
    const sender = createSender({ resolve: () => Promise.resolve(addresses) })
    const result = await sender.send(message('https://shop.test/', { rules: publicOnly }))
    assert.is(result.outcome, 'forbidden')
    assert.is(result.address, addresses.at(-1))
    assert.is(result.wasSent, false)
  })

test("a name that resolves to one of the node's own public addresses is forbidden", async () => {
  const sender = createSender({ resolve: () => Promise.resolve(['8.8.4.4']) })
  const own = { ...publicOnly, ownAddresses: () => ['8.8.4.4'] }
  assert.is((await sender.send(message('https://shop.test/', { rules: own }))).outcome, 'forbidden')
})

for (const url of [
  'https://0x7f.1/',
  'https://2130706433/',
  'https://[::ffff:127.0.0.1]/',
  'https://localhost/',
])
  test(`${url} is forbidden at delivery too, and no resolver is asked`, async () => {
    const sender = createSender({ resolve: () => Promise.reject(new Error('asked')) })
    const result = await sender.send(message(url, { rules: publicOnly }))
    assert.is(result.outcome, 'forbidden')
    assert.match(result.error ?? '', /public/)
  })

test('an exempt origin is delivered to although it is private', async () => {
  const receiver = opened(await startReceiver((response) => response.end()))
  const exempt = { ...publicOnly, exemptOrigins: [`http://127.0.0.1:${receiver.port}`] }
  const url = `http://127.0.0.1:${receiver.port}/webhooks`
  assert.is((await createSender().send(message(url, { rules: exempt }))).outcome, 'acknowledged')
  assert.is((await createSender().send(message(url, { rules: publicOnly }))).outcome, 'forbidden')
})

test('a name without an address, or that cannot be resolved, or not in time, fails DNS', async () => {
  const notFound = Object.assign(new Error('queryA ENOTFOUND shop.test'), { code: 'ENOTFOUND' })
  const answers: (() => Promise<string[]>)[] = [
    () => Promise.resolve([]),
    () => Promise.reject(notFound),
    () => new Promise(() => {}),
  ]
  for (const resolve of answers) {
    const result = await createSender({ resolve, limits: impatient }).send(message('https://shop.test/'))
    assert.is(result.outcome, 'dns')
    assert.is(result.wasSent, false)
  }
})

test('the next address of a name is tried when one does not connect', async () => {
  const receiver = opened(await startReceiver((response) => response.end()))
  // The discard prefix is not routed anywhere: a connection fails at once, or takes its share of the time.
  const resolve = () => Promise.resolve(['100::1', '127.0.0.1'])
  const sender = createSender({ resolve, limits: { connectMs: 2000 } })
  const result = await sender.send(message(`http://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'acknowledged')
  assert.is(result.address, '127.0.0.1')
})

test('the next address is not tried once the receiver may have seen the webhook', async () => {
  let connections = 0
  const receiver = opened(
    await startRawReceiver((socket) => {
      connections++
      socket.resetAndDestroy()
    }),
  )
  const sender = createSender({ resolve: () => Promise.resolve(['127.0.0.1', '127.0.0.1']) })
  const result = await sender.send(message(`http://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'connection')
  assert.is(connections, 1)
})

test('aborting ends an attempt that was sent with an unknown outcome, at once', async () => {
  const stop = new AbortController()
  const receiver = opened(await startReceiver(() => stop.abort()))
  const sender = createSender()
  const result = await sender.send(message(`http://127.0.0.1:${receiver.port}/`), stop.signal)
  assert.is(result.outcome, 'unknown')
  assert.is(result.wasSent, true)
  assert.ok(result.milliseconds < 5000)
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
  const receiver = opened(
    await startRawReceiver((socket) => {
      socket.on('close', () => closed.resolve())
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    }),
  )
  const sender = createSender()
  assert.is((await sender.send(message(`http://127.0.0.1:${receiver.port}/`))).outcome, 'acknowledged')
  sender.close()
  await closed.promise
})

test.run()
