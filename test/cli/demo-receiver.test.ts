import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatMessageDate, sign } from '../../actors/keys/signature.ts'
import { type DemoReceiver, type ReceivedWebhook, startDemoReceiver } from '../../cli/demo-receiver.ts'
import { CommandError } from '../../node/exit-codes.ts'
import { fakeClock } from '../support/clock.ts'

const clock = fakeClock()
const secret = 'the secret that only shop and node know'
const heard: ReceivedWebhook[] = []
let receiver: DemoReceiver

test.before(async () => {
  receiver = await startDemoReceiver({
    port: 0,
    clock,
    secretOf: async (key) => (key === 'mk_demo' ? secret : null),
    onReceived: (webhook) => heard.push(webhook),
  })
})
test.after(() => receiver.stop())

const body = JSON.stringify({ id: 'order-1', merchant_order_id: 'one', status: 'COMPLETED' })

async function post(
  changes: { key?: string; with?: string; at?: number; path?: string; sent?: string } = {},
) {
  const { key = 'mk_demo', at = clock.now(), path = '/webhooks', sent = body } = changes
  const messageDate = formatMessageDate(at)
  const message = { key, messageDate, method: 'POST', path: '/webhooks', body }
  const response = await fetch(`${receiver.url}${path}`, {
    method: 'POST',
    headers: {
      'Merchant-Key': key,
      'Message-Date': messageDate,
      'Message-Hash': sign(message, changes.with ?? secret),
    },
    body: sent,
  })
  return response.status
}

test('a webhook whose signature is right is acknowledged and kept', async () => {
  assert.is(await post(), 200)
  assert.equal(heard.at(-1), {
    at: '2026-03-01T12:00:00.000Z',
    verified: true,
    status: 'COMPLETED',
    order: 'order-1',
    merchantOrderId: 'one',
    body: JSON.parse(body),
  })
  assert.is(receiver.received.at(-1), heard.at(-1))
})

test('the query of the notify URL is no part of what is signed', async () => {
  assert.is(await post({ path: '/webhooks?tenant=7' }), 200)
})

test('what differs from what was signed is refused', async () => {
  for (const changes of [
    { with: 'another secret' },
    { sent: body.replace('COMPLETED', 'CANCELLED') },
    { sent: '' },
    { path: '/webhooks/' },
    { key: 'mk_other' },
    { at: clock.now() - 300_001 },
  ]) {
    assert.is(await post(changes), 403, JSON.stringify(changes))
    assert.is(heard.at(-1)?.verified, false)
  }
})

test('what was received is listed, as text or as JSON', async () => {
  const text = await (await fetch(receiver.url)).text()
  const [first = ''] = text.split('\n')
  assert.is(first, '2026-03-01T12:00:00.000Z  COMPLETED  one  order order-1  signature verified')
  assert.match(text, /SIGNATURE WRONG, refused/)
  const json = await fetch(receiver.url, { headers: { Accept: 'application/json' } })
  assert.equal(await json.json(), heard)
})

test('a port that is taken is told as such', async () => {
  try {
    const port = Number(new URL(receiver.url).port)
    await startDemoReceiver({ port, clock, secretOf: async () => null, onReceived: () => {} })
    assert.unreachable()
  } catch (error) {
    assert.ok(error instanceof CommandError)
    assert.match(error.message, /the port is in use/)
  }
})

test.run()
