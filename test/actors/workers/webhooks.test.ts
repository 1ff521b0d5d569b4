import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sandboxRetries } from '../../../machines/retry.ts'
import { contact, webhookWorlds } from '../../support/webhook-world.ts'

const inWorld = webhookWorlds(test)
const hourMs = 3_600_000

inWorld('a webhook is sent, acknowledged, and written down', async ({ clock, sender, start, ...world }) => {
  const [id = ''] = await world.order('f')
  const createdAt = clock.now()
  clock.advance(70)
  sender.receive = () => ({ outcome: 'acknowledged', status: 201, answer: 'ok', answerBytes: 2 })
  await start().run()
  const { body, due_at, ...webhook } = await world.webhook(id)
  assert.equal(webhook.state, 'delivered')
  assert.equal([webhook.attempts, webhook.last_answer, webhook.lease_until_at], [1, '201', null])
  assert.equal([webhook.first_attempt_at, webhook.settled_at], [createdAt + 70, createdAt + 70])
  const [sent, ...more] = sender.sent
  assert.equal(more, [])
  assert.is(sent?.message.body, body)
  const { 'Message-Hash': hash, ...headers } = sent?.message.headers ?? {}
  assert.match(hash ?? '', /^[0-9a-f]{64}$/)
  assert.equal(headers, {
    'Content-Type': 'application/json',
    'Merchant-Key': 'mk_shop',
    'Message-Date': '1772366400.070',
    'Webhook-Id': id,
    'Webhook-Attempt': '1',
    'Webhook-Sequence': '1',
    'User-Agent': 'Ventanilla',
  })
  assert.equal(await world.attempts(id), [
    {
      webhook_id: id,
      attempt: 1,
      started_at: createdAt + 70,
      ended_at: createdAt + 70,
      milliseconds: 20,
      status: 201,
      outcome: 'acknowledged',
      error: null,
      address: '192.0.2.1',
      answer: 'ok',
      answer_bytes: 2,
      is_cut: 0,
      credential_key: 'mk_shop',
      message_date: headers['Message-Date'],
    },
  ])
  assert.ok(due_at > 0)
})

inWorld('production makes 600 attempts in 354,423 s, none over 600 s after the one before', async (world) => {
  const { clock, sender, start } = world
  const [id = ''] = await world.order('f')
  sender.receive = () => ({ outcome: 'unavailable', status: 503 })
  const startedAt = clock.now()
  await start().runUntil(startedAt + 200 * hourMs)
  const times = sender.sent.map(({ at }) => at - startedAt)
  assert.is(times.length, 600)
  assert.is(times.at(-1), 354_423_000)
  assert.ok(Math.max(...times.map((at, index) => at - (times[index - 1] ?? at))) <= 600_000)
  const attempts = sender.sent.map(({ message }) => Number(message.headers['Webhook-Attempt']))
  assert.equal(
    attempts,
    Array.from({ length: 600 }, (_, index) => index + 1),
  )
  const ledger = await world.attempts(id)
  assert.equal(
    ledger.map(({ started_at }) => started_at - startedAt),
    times,
  )
  assert.ok(ledger.every(({ outcome, ended_at }) => outcome === 'unavailable' && ended_at !== null))
  assert.equal((await world.webhook(id)).state, 'dead')
  const [exception, ...more] = await world.rows('exceptions')
  assert.equal([exception?.kind, exception?.state, more.length], ['webhook_dead', 'open', 0])
  assert.match(exception?.reason ?? '', /CANCELLED.*answered 503.*600 attempts.*Shop \(ops@shop.example\)/)
  assert.is(JSON.parse(exception?.evidence_json ?? '{}').contact, contact)
})

inWorld('the sandbox makes 3 attempts with gaps of 1 and 2 s', async ({ clock, sender, start, ...world }) => {
  const [id = ''] = await world.order('f')
  sender.receive = () => ({ outcome: 'timeout' })
  const startedAt = clock.now()
  await start({ policy: sandboxRetries }).runUntil(startedAt + hourMs)
  assert.equal(
    sender.sent.map(({ at }) => at - startedAt),
    [0, 1000, 3000],
  )
  assert.equal((await world.webhook(id)).state, 'dead')
})

test.run()
