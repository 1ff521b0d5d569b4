/** Webhooks that are sent from a thread of their own: the same outcomes, and a thread that may die. */
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TargetRules } from '../../actors/outbound/target.ts'
import { type AttemptResult, nothingHeard, type WebhookSender } from '../../actors/webhooks/sender.ts'
import { createThreadedSender, judgeSilence } from '../../node/sender-thread.ts'
import { anywhere, body, message, publicOnly, webhookSending } from '../support/webhook-sending.ts'

const { receiving } = webhookSending(test)
const threads: Worker[] = []
process.on('worker', (worker) => {
  if (worker.threadName === 'sender-worker') threads.push(worker)
})
const senders: WebhookSender[] = []

/** @param plain what few at once are sent by; without it a thread is running already */
async function createSender({ totalMs = 10_000, plain }: { totalMs?: number; plain?: WebhookSender } = {}) {
  const fail = (error: Error) => assert.unreachable(error.message)
  const sender = createThreadedSender({ totalMs }, plain ?? nowhere, fail)
  senders.push(sender)
  if (plain === undefined) await sendMany(sender, 'no URL')
  return sender
}

/** Nothing leaves by it, and it ends with what a sender ends with. */
const nowhere: WebhookSender = {
  send: async () => ({ ...nothingHeard, milliseconds: 0, error: 'sent nowhere', wasSent: false }),
  close() {},
}

/** As many at once as start a thread. */
const sendMany = (sender: WebhookSender, url: string) =>
  Promise.all(Array.from({ length: 9 }, () => sender.send(message(url))))

test.before.each(() => {
  threads.length = 0
})
test.after.each(() => {
  for (const sender of senders.splice(0)) sender.close()
})

const facts = ({ outcome, status, wasSent }: AttemptResult) => [outcome, status, wasSent]

test('what is sent together arrives, each with its own answer, by one thread', async () => {
  const receiver = await receiving((response, { target }) => response.end(`thanks for ${target}`))
  const sender = await createSender()
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
  const sender = await createSender()
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
  const result = await (await createSender({ totalMs: 2_000 })).send(
    message(`http://127.0.0.1:${receiver.port}/`),
  )
  assert.equal(facts(result), ['timeout', null, true])
})

test('an attempt that is aborted says whether it was sent', async () => {
  const asked = Promise.withResolvers<void>()
  const receiver = await receiving(() => asked.resolve())
  const sender = await createSender()
  const stop = new AbortController()
  const sent = sender.send(message(`http://127.0.0.1:${receiver.port}/`), stop.signal)
  await asked.promise
  const unsent = sender.send(message(`http://127.0.0.1:${receiver.port}/`), AbortSignal.abort())
  stop.abort()
  assert.equal(facts(await sent), ['unknown', null, true])
  assert.equal(facts(await unsent), ['unknown', null, false])
})

test('few at once are sent by what there is; many start a thread, and all that follow are sent by it', async () => {
  let plainly = 0
  const plain: WebhookSender = {
    ...nowhere,
    send(...asked) {
      plainly++
      return nowhere.send(...asked)
    },
  }
  const sender = await createSender({ plain })
  for (let time = 0; time < 20; time++) await sender.send(message('no URL'))
  await Promise.all(Array.from({ length: 8 }, () => sender.send(message('no URL'))))
  assert.equal([threads.length, plainly], [0, 28])
  const results = await sendMany(sender, 'no URL')
  assert.equal([threads.length, plainly], [1, 36])
  assert.equal(results.map(({ outcome }) => outcome).sort(), ['forbidden', ...Array(8).fill('unknown')])
  assert.is((await sender.send(message('no URL'))).outcome, 'forbidden')
  assert.equal([threads.length, plainly], [1, 36])
})

test('what was under way when the thread died is unknown, and many after it have another thread', async () => {
  const asked = Promise.withResolvers<void>()
  let isDeaf = true
  const receiver = await receiving((response) => (isDeaf ? asked.resolve() : response.end()))
  const sender = await createSender()
  const url = `http://127.0.0.1:${receiver.port}/`
  const lost = sender.send(message(url))
  await asked.promise
  await threads[0]?.terminate()
  assert.equal(facts(await lost), ['unknown', null, true])
  isDeaf = false
  await sendMany(sender, 'no URL')
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
  const sender = await createSender()
  await sender.send(message(`http://127.0.0.1:${receiver.port}/`))
  const [thread] = threads
  assert.ok(thread)
  const gone = once(thread, 'exit')
  sender.close()
  assert.equal(await gone, [0])
})

test.run()
