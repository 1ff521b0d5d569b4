import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  webhookPause,
  webhookResume,
  webhookRetry,
  webhookSwitchKey,
} from '../../../actors/webhooks/delivery-operations.ts'
import { webhookList } from '../../../actors/webhooks/operations.ts'
import { sandboxRetries } from '../../../machines/retry.ts'
import { operatorOf } from '../../support/operations.ts'
import { registryOf } from '../../support/order-world.ts'
import { type WebhookWorld, webhookWorlds } from '../../support/webhook-world.ts'

const inWorld = webhookWorlds(test)
const dayMs = 86_400_000

const operator = (world: WebhookWorld) =>
  operatorOf({ store: world.store, clock: world.clock, orders: registryOf(world.store, world.clock) })

/** Has every attempt answered with a status. */
function answering(world: WebhookWorld, status: number): void {
  world.sender.receive = () => ({ outcome: status === 200 ? 'acknowledged' : 'refused', status })
}

const stateOf = async (world: WebhookWorld, id: string) => (await world.webhook(id)).state

inWorld('a dead letter is sent again under its own id, and its exception ends with that', async (world) => {
  const [id = ''] = await world.order('f')
  answering(world, 404)
  const { run } = world.start()
  await run()
  assert.is(await stateOf(world, id), 'dead')
  world.clock.advance(dayMs * 9)
  answering(world, 200)
  const { resent, webhooks } = await operator(world).ask(webhookRetry, { ids: [id.toUpperCase()] })
  assert.equal([resent, webhooks[0]?.id, webhooks[0]?.state], [1, id, 'pending'])
  await run()
  const ids = world.sender.sent.map(({ message }) => message.headers['Webhook-Id'])
  const attempts = world.sender.sent.map(({ message }) => message.headers['Webhook-Attempt'])
  const bodies = new Set(world.sender.sent.map(({ message }) => message.body))
  assert.equal([ids, attempts, bodies.size], [[id, id], ['1', '2'], 1])
  const webhook = await world.webhook(id)
  assert.equal([webhook.state, webhook.attempts, webhook.attempts_before], ['delivered', 2, 1])
  const [exception, ...more] = await world.rows('exceptions')
  assert.equal([exception?.state, exception?.resolution, more], ['resolved', 'retry', []])
})

inWorld('a resend has all its attempts and its whole time before it', async (world) => {
  const [id = ''] = await world.order('f')
  const { run, runUntil } = world.start({ policy: { ...sandboxRetries, maxAgeMs: 10_000 } })
  world.sender.receive = () => ({ outcome: 'unavailable', status: 500 })
  await runUntil(world.clock.now() + dayMs)
  assert.equal([await stateOf(world, id), (await world.webhook(id)).attempts], ['dead', 3])
  await operator(world).ask(webhookRetry, { ids: [id] })
  await run()
  assert.equal([await stateOf(world, id), (await world.webhook(id)).attempts], ['pending', 4])
  await runUntil(world.clock.now() + dayMs)
  assert.equal([await stateOf(world, id), (await world.webhook(id)).attempts], ['dead', 6])
  const { id: now = '' } = (await world.rows('exceptions')).find(({ state }) => state === 'open') ?? {}
  const exceptions = (await world.rows('exceptions')).map((it) => [it.state, it.resolution, it.id === now])
  assert.equal(exceptions.toSorted(), [
    ['open', null, true],
    ['resolved', 'retry', false],
  ])
})

inWorld('what was delivered or is pending can be sent again too', async (world) => {
  const [id = ''] = await world.order('f')
  const { run } = world.start()
  await run()
  assert.is(await stateOf(world, id), 'delivered')
  await operator(world).ask(webhookRetry, { ids: [id] })
  await run()
  assert.equal([await stateOf(world, id), world.sender.sent.length], ['delivered', 2])

  const [late = ''] = await world.order('f')
  world.sender.receive = () => ({ outcome: 'unavailable', status: 503, retryAfter: '600' })
  await run()
  world.sender.receive = () => ({ outcome: 'acknowledged', status: 200 })
  await operator(world).ask(webhookRetry, { ids: [late] })
  await run()
  assert.is(await stateOf(world, late), 'delivered')
})

inWorld('what has an attempt under way is left alone', async (world) => {
  const [id = ''] = await world.order('f')
  world.sender.receive = () => undefined
  const { run, delivery } = world.start()
  await run()
  assert.equal(await operator(world).ask(webhookRetry, { ids: [id] }), {
    resent: 0,
    webhooks: [],
    left: [id],
  })
  await delivery.finish()
})

inWorld('all that an order has not delivered is sent again, in its order', async (world) => {
  const ids = await world.order('nnf')
  answering(world, 410)
  const { runUntil } = world.start()
  await runUntil(world.clock.now() + 1000)
  answering(world, 200)
  world.sender.sent.length = 0
  assert.is((await operator(world).ask(webhookRetry, { order: 'O1' })).resent, 3)
  await runUntil(world.clock.now() + 1000)
  assert.equal(
    world.sender.sent.map(({ message }) => message.headers['Webhook-Id']),
    ids,
  )
})

inWorld("a merchant's dead letters since a time are sent again, one after the other", async (world) => {
  answering(world, 404)
  const { runUntil } = world.start()
  await world.order('f')
  await world.order('f', { merchant_id: 'other', url: 'https://other.example/' })
  await runUntil(world.clock.now() + 60_000)
  const since = new Date(world.clock.now()).toISOString()
  for (let count = 0; count < 150; count++) await world.order('f')
  await runUntil(world.clock.now() + 60_000)
  const until = new Date(world.clock.now()).toISOString()
  world.clock.advance(1000)
  await world.order('f')
  await runUntil(world.clock.now() + 60_000)

  const { ask } = operator(world)
  const { resent, webhooks } = await ask(webhookRetry, { merchant: 'Shop', since, until })
  assert.equal([resent, webhooks.length], [150, 100])
  const dueAts = (await world.rows('webhooks'))
    .filter(({ state }) => state === 'pending')
    .map((it) => it.due_at)
  assert.is(Math.max(...dueAts) - Math.min(...dueAts), 1490)
  assert.is((await ask(webhookList, { merchant: 'Shop', state: 'dead' })).webhooks.length, 2)
  assert.is((await ask(webhookList, { merchant: 'Other Shop' })).webhooks.length, 1)
  const [audit] = (await world.rows('audit')).slice(-1)
  assert.equal(
    [audit?.operation, audit?.outcome],
    ['webhook.retry', 'done: 150 sent again, 0 left as they are'],
  )
})

inWorld('a retry says exactly what it is about, or nothing is done', async (world) => {
  const { refusal } = operator(world)
  const [id = ''] = await world.order('f')
  const inputs: [input: object, code: string, message: RegExp][] = [
    [{}, 'invalid', /Give webhook ids, an order, or a merchant/],
    [{ ids: [id], order: 'o1' }, 'invalid', /Give webhook ids, an order, or a merchant/],
    [{ merchant: 'Shop' }, 'invalid', /--since and --merchant go together/],
    [{ order: 'o1', since: '2026-03-01T12:00:00Z' }, 'invalid', /--since and --merchant go together/],
    [{ merchant: 'Shop', since: 'yesterday' }, 'invalid', /since: "yesterday" is not a time/],
    [{ merchant: 'Nobody', since: '2026-03-01T12:00:00Z' }, 'not_found', /no merchant Nobody/],
    [{ order: 'o9' }, 'not_found', /There is no order o9/],
    [{ ids: [id, 'unknown'] }, 'not_found', /There is no webhook unknown/],
  ]
  for (const [input, code, message] of inputs) {
    const error = await refusal('webhook.retry', input)
    assert.is(error.code, code, JSON.stringify(input))
    assert.match(error.message, message)
  }
  assert.is((await world.webhook(id)).attempts_before, 0)
})

inWorld('what was pruned cannot be sent again', async (world) => {
  const [id = ''] = await world.order('f')
  await world.start().run()
  const pruned = { pruned_at: world.clock.now(), body: '' }
  await world.commit([{ update: 'webhooks', key: { id }, set: pruned }])
  const error = await operator(world).refusal('webhook.retry', { ids: [id] })
  assert.equal([error.code, error.message.includes('was removed at')], ['refused', true])
})

inWorld('while a merchant is paused nothing is sent to it, and the others go on', async (world) => {
  const { ask, refusal } = operator(world)
  const { run, runUntil, delivery } = world.start()
  const paused = await ask(webhookPause, { merchant: 'Shop' })
  assert.equal([paused.merchant, paused.paused], ['Shop', '2026-03-01T12:00:00.000Z'])
  delivery.lookAgain()
  const [own = ''] = await world.order('f')
  const [others = ''] = await world.order('f', { merchant_id: 'other', url: 'https://other.example/' })
  await runUntil(world.clock.now() + 3_600_000)
  assert.equal([await stateOf(world, own), await stateOf(world, others)], ['pending', 'delivered'])
  assert.is((await world.webhook(own)).attempts, 0)
  assert.match((await refusal('webhook.pause', { merchant: 'Shop' })).message, /paused already, since/)

  assert.is((await ask(webhookResume, { merchant: 'Shop' })).paused, null)
  delivery.lookAgain()
  await run()
  assert.is(await stateOf(world, own), 'delivered')
  assert.match((await refusal('webhook.resume', { merchant: 'Shop' })).message, /not paused/)
})

inWorld('a webhook does not age while its merchant is paused', async (world) => {
  const { ask } = operator(world)
  const { run, delivery } = world.start()
  const [id = ''] = await world.order('f')
  world.sender.receive = () => ({ outcome: 'unavailable', status: 503 })
  await run()
  await ask(webhookPause, { merchant: 'Shop' })
  world.clock.advance(10 * dayMs)
  await ask(webhookResume, { merchant: 'Shop' })
  delivery.lookAgain()
  await run()
  const webhook = await world.webhook(id)
  assert.equal([webhook.state, webhook.attempts], ['pending', 2])
})

inWorld(
  "webhooks are signed with the key an operator chose among the merchant's live ones",
  async (world) => {
    const { ask, refusal } = operator(world)
    const chosen = await ask(webhookSwitchKey, { merchant: 'Shop', key: 'mk_shop' })
    assert.equal([chosen.merchant, chosen.chosenKey], ['Shop', 'mk_shop'])
    const foreign = await refusal('webhook.switchKey', { merchant: 'Shop', key: 'mk_other' })
    assert.equal([foreign.code, foreign.message], ['refused', 'Shop has no live key mk_other.'])
    await world.commit([{ update: 'credentials', key: { key: 'mk_shop' }, set: { revoked_at: 1 } }])
    const revoked = await refusal('webhook.switchKey', { merchant: 'Shop', key: 'mk_shop' })
    assert.is(revoked.code, 'refused')
  },
)

test.run()
