/** Attempts over TLS. */
import type { Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts'
import { message, webhookSending } from '../../support/webhook-sending.ts'

const { createSender, receiving, receivingRaw } = webhookSending(test)

test('over TLS the name is asked for and compared, and the connection goes to its address', async () => {
  const identity = selfSignedCertificate(['shop.test'])
  const receiver = await receiving((response) => response.writeHead(201).end(), identity)
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
  const receiver = await receiving((response) => response.end(), identity)
  const sender = createSender({ certificates: [identity.cert] })
  assert.is((await sender.send(message(`https://127.0.0.1:${receiver.port}/`))).outcome, 'acknowledged')
})

test('a certificate that nobody vouches for fails TLS', async () => {
  const receiver = await receiving((response) => response.end(), selfSignedCertificate(['shop.test']))
  const result = await createSender().send(message(`https://shop.test:${receiver.port}/`))
  assert.is(result.outcome, 'tls')
  assert.match(result.error ?? '', /self-signed/)
})

test('a receiver that speaks no TLS, or closes during its handshake, fails TLS', async () => {
  for (const handle of [
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
    (socket: Socket) => socket.end(),
  ]) {
    const receiver = await receivingRaw(handle)
    const result = await createSender().send(message(`https://shop.test:${receiver.port}/`))
    assert.is(result.outcome, 'tls')
  }
})

test('a TLS handshake that hangs is a time-out of the connection', async () => {
  const receiver = await receivingRaw(() => {})
  const result = await createSender({ limits: { connectMs: 300 } }).send(
    message(`https://shop.test:${receiver.port}/`),
  )
  assert.is(result.outcome, 'timeout')
  assert.is(result.wasSent, false)
  assert.match(result.error ?? '', /no connection within 300 ms/)
})

test.run()
