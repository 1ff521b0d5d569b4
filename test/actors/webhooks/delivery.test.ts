import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sandboxRetries } from '../../../machines/retry.ts'
import { contact, type WebhookWorld, webhookWorlds } from '../../support/webhook-world.ts'

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

inWorld('a receiver that asks for an hour does not stretch the gaps of the sandbox', async (world) => {
  const { clock, sender, start } = world
  await world.order('f')
  sender.receive = () => ({ outcome: 'unavailable', status: 503, retryAfter: '3600' })
  const startedAt = clock.now()
  await start({ policy: sandboxRetries }).runUntil(startedAt + hourMs)
  assert.equal(
    sender.sent.map(({ at }) => at - startedAt),
    [0, 1000, 3000],
  )
})

inWorld('a refused webhook is dead at once, and an exception names the contact', async (world) => {
  const { sender, start } = world
  const [id = ''] = await world.order('f')
  sender.receive = () => ({ outcome: 'refused', status: 400, answer: 'no such order' })
  await start().run()
  const webhook = await world.webhook(id)
  assert.equal([webhook.state, webhook.attempts, webhook.last_answer], ['dead', 1, '400'])
  const [exception] = await world.rows('exceptions')
  assert.equal([exception?.kind, exception?.order_id], ['webhook_dead', 'o1'])
  assert.is(
    exception?.reason,
    'The webhook CANCELLED was not delivered: its receiver answered 400. ' +
      `Tell Shop (${contact}); once its receiver works: webhook retry ${id}`,
  )
  const evidence = JSON.parse(exception?.evidence_json ?? '{}')
  assert.equal([evidence.webhook, evidence.status, evidence.contact], [id, 400, contact])
})

inWorld(
  'a webhook that has nothing to tell yet waits without an attempt, and others go on',
  async (world) => {
    const { clock, sender, start } = world
    const [waiting = ''] = await world.order('n')
    const [other = ''] = await world.order('f')
    const text = { now: null as string | null }
    const delivery = start({ bodyNow: async (webhook) => (webhook.id === waiting ? text.now : webhook.body) })
    sender.receive = () => ({ outcome: 'unavailable', status: 503 })
    await delivery.runUntil(clock.now() + 10_000)
    assert.ok(sender.sent.every(({ message }) => message.headers['Webhook-Id'] === other))
    const before = await world.webhook(waiting)
    assert.equal(
      [before.state, before.attempts, before.first_attempt_at, before.last_answer],
      ['pending', 0, null, null],
    )
    assert.equal(await world.attempts(waiting), [])

    text.now = '{"number":1,"transaction":"one"}'
    await delivery.runUntil(clock.now() + 2_000)
    text.now = '{"number":1,"transaction":"two"}'
    sender.receive = () => ({ outcome: 'acknowledged', status: 200 })
    await delivery.runUntil(clock.now() + 60_000)
    const bodies = sender.sent
      .filter(({ message }) => message.headers['Webhook-Id'] === waiting)
      .map(({ message }) => JSON.parse(message.body).transaction)
    assert.equal([bodies[0], bodies.at(-1)], ['one', 'two'])
    const after = await world.webhook(waiting)
    assert.equal([after.state, after.attempts, after.body], ['delivered', bodies.length, text.now])
  },
)

inWorld('a target that is not public is dead at once, and says so', async ({ sender, start, ...world }) => {
  const [id = ''] = await world.order('f')
  const error = 'the name resolves to an address that is not public (loopback)'
  sender.receive = () => ({ outcome: 'forbidden', error, wasSent: false })
  await start().run()
  assert.equal(
    [(await world.webhook(id)).state, (await world.webhook(id)).last_answer],
    ['dead', 'forbidden'],
  )
  assert.match((await world.rows('exceptions'))[0]?.reason ?? '', /may not be sent there, the name resolves/)
})

inWorld('a dead letter does not block what comes after it in its order', async (world) => {
  const { clock, sender, start } = world
  const ids = await world.order('nnf')
  sender.receive = ({ body }) =>
    JSON.parse(body).number === 1
      ? { outcome: 'refused', status: 404 }
      : { outcome: 'acknowledged', status: 200 }
  await start().runUntil(clock.now() + 1000)
  const states = await Promise.all(ids.map(async (id) => (await world.webhook(id)).state))
  assert.equal(states, ['dead', 'delivered', 'delivered'])
  assert.equal(sequencesSent(world), ['1', '2', '3'])
})

inWorld(
  'webhooks of an order go one at a time, each once the one before it is out of the way',
  async (world) => {
    const { clock, sender, start } = world
    const ids = await world.order('nnn')
    const startedAt = clock.now()
    let failures = 3
    sender.receive = () =>
      failures-- > 0 ? { outcome: 'unavailable', status: 503 } : { outcome: 'acknowledged', status: 200 }
    const { run, runUntil } = start()
    await run()
    const [first, ...later] = await Promise.all(ids.map(world.webhook))
    assert.is(first?.due_at, startedAt + 1000)
    assert.ok(later.every(({ due_at }) => due_at >= startedAt + 1000))
    await runUntil(startedAt + 60_000)
    assert.equal(sequencesSent(world), ['1', '1', '1', '1', '2', '3'])
    assert.equal(
      sender.sent.map(({ at }) => at - startedAt),
      [0, 1000, 3000, 7000, 7000, 7000],
    )
  },
)

inWorld('a final event passes earlier ones that fail, after one attempt of each', async (world) => {
  const { clock, sender, start } = world
  const ids = await world.order('nnf')
  sender.receive = ({ body }) =>
    JSON.parse(body).number === 3 ? { outcome: 'acknowledged', status: 200 } : { outcome: 'timeout' }
  await start().runUntil(clock.now() + hourMs)
  assert.equal(sequencesSent(world), ['1', '2', '3'])
  const states = await Promise.all(ids.map(async (id) => (await world.webhook(id)).state))
  assert.equal(states, ['superseded', 'superseded', 'delivered'])
  assert.equal(await world.rows('exceptions'), [])
})

inWorld('a final event that comes later passes what has been failing since', async (world) => {
  const { clock, sender, start, commit } = world
  const [first = ''] = await world.order('n')
  sender.receive = ({ body }) =>
    JSON.parse(body).number === 1 ? { outcome: 'unavailable', status: 500 } : { outcome: 'acknowledged' }
  const { run, runUntil } = start()
  await runUntil(clock.now() + 100_000)
  const tried = sender.sent.length
  const { id: _, ...webhook } = await world.webhook(first)
  const values = {
    ...webhook,
    id: 'o1-2',
    sequence: 2,
    is_final: 1,
    body: '{"number":2}',
    attempts: 0,
  } as const
  const fresh = { due_at: clock.now(), first_attempt_at: null, last_attempt_at: null }
  await commit([{ insert: 'webhooks', values: { ...values, ...fresh } }])
  await run()
  assert.equal(sequencesSent(world).slice(tried), ['2'])
  assert.equal(
    [(await world.webhook(first)).state, (await world.webhook('o1-2')).state],
    ['superseded', 'delivered'],
  )
})

inWorld(
  'Retry-After is kept to between the gap and ten minutes',
  async ({ clock, sender, start, ...world }) => {
    const startedAt = clock.now()
    const table: [retryAfter: string, waitMs: number][] = [
      ['120', 120_000],
      ['Sun, 01 Mar 2026 12:03:00 GMT', 180_000],
      ['9999999999', 600_000],
      ['-1', 1000],
      ['NaN', 1000],
    ]
    const ids = await Promise.all(table.map(async () => (await world.order('f'))[0] ?? ''))
    sender.receive = ({ headers }) => {
      const [retryAfter = null] = table[ids.indexOf(headers['Webhook-Id'] ?? '')] ?? []
      return { outcome: 'unavailable', status: 429, retryAfter }
    }
    // What was due before the node knew the lane is released one after the other.
    await start().runUntil(startedAt + 500)
    for (const [index, [retryAfter, waitMs]] of table.entries()) {
      const { due_at, last_attempt_at } = await world.webhook(ids[index] ?? '')
      const sinceStartMs = (last_attempt_at ?? 0) - startedAt
      const expected = retryAfter.includes('GMT') ? waitMs - sinceStartMs : waitMs
      assert.is(due_at - (last_attempt_at ?? 0), expected, retryAfter)
    }
  },
)

inWorld('while the clock is in doubt nothing is given up for its age, and sending goes on', async (world) => {
  const { clock, sender, start } = world
  const [id = ''] = await world.order('f')
  let isTrusted = true
  sender.receive = () => ({ outcome: 'unavailable', status: 503 })
  const { run } = start({ isTrusted: () => isTrusted })
  await run()
  isTrusted = false
  clock.jump(30 * 24 * hourMs)
  await run()
  const doubtful = await world.webhook(id)
  assert.equal([doubtful.state, doubtful.attempts], ['pending', 2])
  isTrusted = true
  clock.advance(10_000)
  await run()
  assert.equal([(await world.webhook(id)).state, (await world.webhook(id)).attempts], ['dead', 3])
})

function sequencesSent({ sender }: WebhookWorld): (string | undefined)[] {
  return sender.sent.map(({ message }) => message.headers['Webhook-Sequence'])
}

test.run()
