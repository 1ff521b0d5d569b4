/** Webhooks that are sent from a thread of their own: the same outcomes, and a thread that may die. */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TargetRules } from '../../actors/outbound/target.ts'
import type { AttemptResult, WebhookSender } from '../../actors/webhooks/sender.ts'
import { createThreadedSender, judgeSilence } from '../../node/sender-thread.ts'
import { anywhere, body, message, publicOnly, webhookSending } from '../support/webhook-sending.ts'

const { receiving } = webhookSending(test)
const threads: Worker[] = []
process.on('worker', (worker) => {
  if (worker.threadName === 'sender-worker') threads.push(worker)
})
const senders: WebhookSender[] = []

function createSender(totalMs = 10_000): WebhookSender {
  const fail = (error: Error) => assert.unreachable(error.message)
  const sender = createThreadedSender({ totalMs }, fail)
  senders.push(sender)
  return sender
}

test.before.each(() => {
  threads.length = 0
})
test.after.each(() => {
  for (const sender of senders.splice(0)) sender.close()
})

const facts = ({ outcome, status, wasSent }: AttemptResult) => [outcome, status, wasSent]

test('what is sent together arrives, each with its own answer, by one thread', async () => {
  const receiver = await receiving((response, { target }) => response.end(`thanks for ${target}`))
  const sender = createSender()
  const paths = Array.from({ length: 20 }, (_, index) => `/hooks/${index}`)
  const results = await Promise.all(
    paths.map((path) => sender.send(message(`http://127.0.0.1:${receiver.port}${path}`))),
  )
  assert.equal(
    results.map(({ outcome, address, answer }) => [outcome, address, answer]),
    paths.map((path) => ['acknowledged', '127.0.0.1', `thanks for ${path}`]),
  )
  assert.ok(receiver.received.every((webhook) => webhook.body === body))
  assert.is(threads.length, 1)
})

test('where a webhook may go is judged as on any other thread', async () => {
  const receiver = await receiving((response) => response.end())
  const own = `http://127.0.0.1:${receiver.port}/sandbox/inbox/own`
  const strict = { ...publicOnly, isInbox: (url: string) => url === own }
  const sender = createSender()
  const outcomeOf = async (url: string, rules: TargetRules = strict) =>
    (await sender.send(message(url, { rules }))).outcome
  assert.is(await outcomeOf(own), 'acknowledged')
  assert.is(await outcomeOf(`${own}er`), 'forbidden')
  assert.is(await outcomeOf('https://10.0.0.1/'), 'forbidden')
  assert.is(await outcomeOf('no URL'), 'forbidden')
  assert.is(await outcomeOf(`http://127.0.0.1:${receiver.port}/`, anywhere), 'acknowledged')
})

test('a receiver that does not answer in time is a time-out', async () => {
  const receiver = await receiving(() => {})
  const result = await createSender(300).send(message(`http://127.0.0.1:${receiver.port}/`))
  assert.equal(facts(result), ['timeout', null, true])
})

test('an attempt that is aborted says whether it was sent', async () => {
  const asked = Promise.withResolvers<void>()
  const receiver = await receiving(() => asked.resolve())
  const sender = createSender()
  const stop = new AbortController()
  const sent = sender.send(message(`http://127.0.0.1:${receiver.port}/`), stop.signal)
  await asked.promise
  const unsent = sender.send(message(`http://127.0.0.1:${receiver.port}/`), AbortSignal.abort())
  stop.abort()
  assert.equal(facts(await sent), ['unknown', null, true])
  assert.equal(facts(await unsent), ['unknown', null, false])
})

test('what was under way when the thread died is unknown, and the next one has another thread', async () => {
  const asked = Promise.withResolvers<void>()
  let isDeaf = true
  const receiver = await receiving((response) => (isDeaf ? asked.resolve() : response.end()))
  const sender = createSender()
  const url = `http://127.0.0.1:${receiver.port}/`
  const lost = sender.send(message(url))
  await asked.promise
  await threads[0]?.terminate()
  assert.equal(facts(await lost), ['unknown', null, true])
  isDeaf = false
  assert.equal(facts(await sender.send(message(url))), ['acknowledged', 200, true])
  assert.is(threads.length, 2)
})

for (const [waiting, silentMs, judged] of [
  [0, 59_999, 'well'],
  [0, 60_000, 'idle'],
  [1, 60_000, 'hung'],
  [1, 44_999, 'well'],
  [512, 45_000, 'hung'],
] as const)
  test(`a thread that is silent for ${silentMs} ms with ${waiting} under way is ${judged}`, () => {
    assert.is(judgeSilence({ waiting, silentMs }, { totalMs: 15_000 }), judged)
  })

test('its thread ends when it is closed', async () => {
  const receiver = await receiving((response) => response.end())
  const sender = createSender()
  await sender.send(message(`http://127.0.0.1:${receiver.port}/`))
  const [thread] = threads
  assert.ok(thread)
  const gone = once(thread, 'exit')
  sender.close()
  assert.equal(await gone, [0])
})

test.run()
