/** What becomes of webhooks at real receivers, well-behaved and hostile: over real connections, in the ledger. */
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TargetRules } from '../../../actors/outbound/target.ts'
import { createWebhookSender, type SenderOptions } from '../../../actors/webhooks/sender.ts'
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts'
import type { Receiver } from '../../support/webhook-receivers.ts'
import { anywhere, impatient, webhookSending } from '../../support/webhook-sending.ts'
import { type WebhookWorld, type WorldDelivery, webhookWorlds } from '../../support/webhook-world.ts'

const inWorld = webhookWorlds(test)
const { receiving, receivingRaw } = webhookSending(test)

interface Attempting {
  url: string
  sender?: Partial<SenderOptions>
  rulesFor?: () => TargetRules
}

/** Sends a final webhook there, and returns its id once its first attempt has ended. */
async function attempt(world: WebhookWorld, { url, sender, rulesFor = () => anywhere }: Attempting) {
  const [id = ''] = await world.order('f', { url })
  const resolve = async () => ['127.0.0.1']
  const delivery = world.start({ sender: createWebhookSender({ resolve, ...sender }), rulesFor })
  await untilEnded(world, delivery, id, 1)
  return { id, delivery }
}

async function untilEnded(world: WebhookWorld, delivery: WorldDelivery, id: string, attempts: number) {
  const deadline = performance.now() + 20_000
  for (;;) {
    await delivery.run()
    const ledger = await world.attempts(id)
    if (ledger.length === attempts && ledger.every(({ outcome }) => outcome !== 'started')) return
    if (performance.now() > deadline) throw new Error('an attempt has not ended')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

async function ledgerOf(world: WebhookWorld, id: string) {
  const webhook = await world.webhook(id)
  const attempts = await world.attempts(id)
  return [
    webhook.state,
    ...attempts.map((it) => [it.outcome, it.status, it.address, it.is_cut === 1 ? 'cut' : 'whole'].join(' ')),
  ]
}

const local = (receiver: Receiver, path = '/hooks') => `http://127.0.0.1:${receiver.port}${path}`

inWorld('500 and then 200: tried again, and delivered', async (world) => {
  const answers = [500, 200]
  const receiver = await receiving((response) => response.writeHead(answers.shift() ?? 0).end('thanks'))
  const { id, delivery } = await attempt(world, { url: local(receiver) })
  assert.equal(await ledgerOf(world, id), ['pending', 'unavailable 500 127.0.0.1 whole'])
  world.clock.advance(1000)
  await untilEnded(world, delivery, id, 2)
  assert.equal(await ledgerOf(world, id), [
    'delivered',
    'unavailable 500 127.0.0.1 whole',
    'acknowledged 200 127.0.0.1 whole',
  ])
  const [first, second] = receiver.received
  assert.is(first?.body, second?.body)
  assert.is(first?.body, (await world.webhook(id)).body)
  assert.equal([first?.headers['webhook-attempt'], second?.headers['webhook-attempt']], ['1', '2'])
  assert.is.not(first?.headers['message-hash'], second?.headers['message-hash'])
})

for (const status of [400, 202, 204, 410])
  inWorld(`${status}: a dead letter after one attempt`, async (world) => {
    const receiver = await receiving((response) => response.writeHead(status).end())
    const { id } = await attempt(world, { url: local(receiver) })
    assert.equal(await ledgerOf(world, id), ['dead', `refused ${status} 127.0.0.1 whole`])
    assert.is((await world.rows('exceptions')).length, 1)
  })

inWorld('301 to a metadata address: not followed, a dead letter', async (world) => {
  const receiver = await receiving((response) =>
    response.writeHead(301, { Location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  )
  const { id } = await attempt(world, { url: local(receiver) })
  assert.equal(await ledgerOf(world, id), ['dead', 'refused 301 127.0.0.1 whole'])
  assert.is(receiver.received.length, 1)
})

inWorld('a receiver that hangs before the headers: a time-out, tried again', async (world) => {
  const receiver = await receiving(() => {})
  const { id } = await attempt(world, { url: local(receiver), sender: { limits: impatient } })
  assert.equal(await ledgerOf(world, id), ['pending', 'timeout  127.0.0.1 whole'])
  const [{ milliseconds, error } = { milliseconds: 0, error: '' }] = await world.attempts(id)
  assert.ok((milliseconds ?? 0) >= 1990, `${milliseconds} ms`)
  assert.is(error, 'no answer within 2000 ms')
})

inWorld('a receiver that hangs in the body: a time-out, whatever it began with', async (world) => {
  const receiver = await receiving((response) => response.writeHead(200, { 'Content-Length': 9 }).write('x'))
  const { id } = await attempt(world, { url: local(receiver), sender: { limits: impatient } })
  assert.equal(await ledgerOf(world, id), ['pending', 'timeout 200 127.0.0.1 whole'])
})

inWorld('a reset: a failed connection, tried again', async (world) => {
  const receiver = await receivingRaw((socket) => socket.resetAndDestroy())
  const { id } = await attempt(world, { url: local(receiver) })
  assert.equal(await ledgerOf(world, id), ['pending', 'connection  127.0.0.1 whole'])
})

inWorld('a certificate that nobody vouches for: failed TLS, tried again, and nothing sent', async (world) => {
  const identity = selfSignedCertificate(['shop.test'])
  const receiver = await receiving((response) => response.end(), identity)
  const { id } = await attempt(world, { url: `https://shop.test:${receiver.port}/` })
  assert.equal(await ledgerOf(world, id), ['pending', 'tls  127.0.0.1 whole'])
  assert.is(receiver.received.length, 0)
})

inWorld('a bomb of gzip: cut, and judged by its status', async (world) => {
  const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20))
  const receiver = await receiving((response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
  )
  const { id } = await attempt(world, { url: local(receiver) })
  assert.equal(await ledgerOf(world, id), ['delivered', 'acknowledged 200 127.0.0.1 cut'])
  assert.is((await world.attempts(id))[0]?.answer?.length, 4096)
})

inWorld('a body of a gigabyte: cut, and judged by its status', async (world) => {
  let written = 0
  const receiver = await receivingRaw((socket) => {
    socket.write(`HTTP/1.1 503 Busy\r\nContent-Length: ${2 ** 30}\r\n\r\n`)
    const chunk = Buffer.alloc(65_536, 'x')
    const more = () => {
      while (!socket.destroyed && written < 2 ** 30) {
        written += chunk.length
        if (!socket.write(chunk)) return socket.once('drain', more)
      }
    }
    more()
  })
  const { id } = await attempt(world, { url: local(receiver) })
  assert.equal(await ledgerOf(world, id), ['pending', 'unavailable 503 127.0.0.1 cut'])
  const [{ answer, answer_bytes } = { answer: '', answer_bytes: 0 }] = await world.attempts(id)
  assert.equal([answer, (answer_bytes ?? 0) > 16_384], ['x'.repeat(4096), true])
  assert.ok(written < 64 * 2 ** 20, `${written} bytes were taken`)
})

inWorld('Retry-After in every form: between the gap and ten minutes', async (world) => {
  const waits: [header: string, waitMs: number][] = [
    ['120', 120_000],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
    ['Sun Mar  1 12:01:00 2026', 60_000],
    ['9999999999', 600_000],
    ['-1', 1000],
    ['NaN', 1000],
  ]
  for (const [header, waitMs] of waits) {
    const receiver = await receiving((response) => response.writeHead(503, { 'Retry-After': header }).end())
    const { id } = await attempt(world, { url: local(receiver) })
    assert.is((await world.webhook(id)).due_at - world.clock.now(), waitMs, header)
    assert.equal(await ledgerOf(world, id), ['pending', 'unavailable 503 127.0.0.1 whole'])
  }
})

inWorld(
  'DNS that changes after the check: the connection stays, the next attempt is refused',
  async (world) => {
    const identity = selfSignedCertificate(['shop.test'])
    const receiver = await receiving((response) => response.writeHead(503).end(), identity)
    const addresses = [['127.0.0.1'], ['10.0.0.1']]
    const strict = { ...anywhere, allowPrivate: false, ports: [receiver.port] }
    const { id, delivery } = await attempt(world, {
      url: `https://shop.test:${receiver.port}/`,
      sender: { resolve: async () => addresses.shift() ?? [], certificates: [identity.cert] },
      rulesFor: () => (addresses.length === 2 ? anywhere : strict),
    })
    assert.equal(await ledgerOf(world, id), ['pending', 'unavailable 503 127.0.0.1 whole'])
    world.clock.advance(1000)
    await untilEnded(world, delivery, id, 2)
    assert.equal(await ledgerOf(world, id), [
      'dead',
      'unavailable 503 127.0.0.1 whole',
      'forbidden  10.0.0.1 whole',
    ])
    assert.match(
      (await world.rows('exceptions'))[0]?.reason ?? '',
      /resolves to an address that is not public/,
    )
    assert.is(receiver.received.length, 1)
  },
)

test.run()
