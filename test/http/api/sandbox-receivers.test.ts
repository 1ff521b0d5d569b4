/** What goes wrong on the way to a merchant's receiver in a sandbox, what is kept of it, and what it proves of an integration. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyWebhook } from '../../../client/index.ts'
import { payOutBody, secretOf, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { cancelAsOperator, newOrder } from '../../support/orders.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receivers.ts'

let node: TestNode
let receiver: Receiver
/** A receiver as it has to be: it refuses what is not signed rightly. */
test.before(async () => {
  const secrets = { mk_shop: secretOf('mk_shop') }
  receiver = await startReceiver(async (response, { headers, body, target: path }) => {
    const isVerified = await verifyWebhook(
      { path, headers, body },
      { secrets, now: () => node.clock.now() },
    ).then(
      () => true,
      () => false,
    )
    response.statusCode = isVerified ? 200 : 403
    response.end(isVerified ? 'thanks' : 'who are you?')
  })
  node = await startTestNode({
    env: { VENTANILLA_WEBHOOKS_TIMEOUTSECONDS: '1', VENTANILLA_LIMITS_REQUESTSPERMINUTE: '100000' },
  })
})
test.after(async () => {
  await stopTestNode(node)
  await receiver.close()
})
test.before.each(async () => {
  receiver.received.length = 0
  for (const { id } of (await get('faults/')).json.results) await post(`faults/${id}/remove/`)
})

let messages = 0
const get = (path: string, as = 'mk_shop') =>
  node.request({ as, path: `/api/v1/sandbox/${path}`, at: ++messages / 1000 })
const post = (path: string, body: object = {}, as = 'mk_shop') =>
  node.request({ as, path: `/api/v1/sandbox/${path}`, body, at: ++messages / 1000 })
const hooks = () => `http://127.0.0.1:${receiver.port}/hooks`

function advance(ms: number): void {
  node.clock.advance(ms)
  node.workers.send({ type: 'worker.wake', id: 'webhooks' })
}

interface Webhook {
  id: string
  state: string
  history: { outcome: string; status: number | null; error: string | null }[]
}

/** A pay-in that is completed, and its webhook. */
async function completed(
  changes: Record<string, unknown> = {},
): Promise<{ order: string; webhook(): Promise<Webhook> }> {
  const { id } = await newOrder(node, 'PAY_IN', 'mk_shop', { notify_url: hooks(), ...changes })
  const done = await post(`orders/${id}/simulate/`, { step: 'confirm' })
  assert.is(done.json.status, 'COMPLETED', done.text)
  return { order: id, webhook: () => webhookOf(id) }
}

async function webhookOf(order: string): Promise<Webhook> {
  const path = '/api/v1/merchants/webhooks/'
  const { json } = await node.request({
    as: 'mk_shop',
    path: `${path}?order=${order}`,
    at: ++messages / 1000,
  })
  const one = await node.request({
    as: 'mk_shop',
    path: `${path}${json.results[0].id}/`,
    at: ++messages / 1000,
  })
  return one.json
}

const settled = async (webhook: () => Promise<Webhook>, state = 'delivered') => {
  await node.until(async () => (await webhook()).state === state)
  return webhook()
}

/** Of one order, the first sent first. */
const deliveriesOf = async (order: string) =>
  (await get(`deliveries/?order=${order}`)).json.results.toReversed()

test('every webhook says that it is of a sandbox, and is listed as it was sent', async () => {
  const { order, webhook } = await completed()
  await settled(webhook)
  const [received] = receiver.received
  assert.is(received?.headers['webhook-mode'], 'sandbox')
  const [delivery, ...more] = await deliveriesOf(order)
  assert.equal(more, [])
  const { body, headers, outcome, status, answer, fault, was_sent } = delivery
  assert.equal(
    { body, outcome, status, answer, fault, was_sent },
    {
      ...{ body: received?.body, outcome: 'acknowledged', status: 200, answer: 'thanks', fault: null },
      was_sent: true,
    },
  )
  assert.match(headers, `Message-Hash: ${received?.headers['message-hash']}`)
})

test('a status in the place of the receiver’s: it is sent again, as in life', async () => {
  const set = await post('faults/', { fault: 'status', status: 500 })
  assert.is(set.status, 201, set.text)
  const { order, webhook } = await completed()
  await node.until(async () => (await webhook()).history[0]?.outcome === 'unavailable')
  assert.is(receiver.received.length, 0)
  advance(1_000)
  const { history } = await settled(webhook)
  assert.equal(
    history.map(({ outcome, status, error }) => [outcome, status, error]),
    [
      ['unavailable', 500, 'simulated fault: status 500'],
      ['acknowledged', 200, null],
    ],
  )
  const sent = await deliveriesOf(order)
  assert.equal(
    sent.map(({ fault, was_sent }: { fault: string; was_sent: boolean }) => [fault, was_sent]),
    [
      ['status 500', false],
      [null, true],
    ],
  )
  assert.equal((await get('faults/')).json.results, [], 'it is used up')
})

test('three times in a row it is a dead letter, and a resend delivers it', async () => {
  await post('faults/', { fault: 'status', deliveries: 3 })
  const { webhook } = await completed()
  const ended = async () => (await webhook()).history.filter(({ outcome }) => outcome !== 'started').length
  for (const [attempts, ms] of [
    [1, 1_000],
    [2, 2_000],
    [3, 0],
  ] as const) {
    await node.until(async () => (await ended()) === attempts)
    advance(ms)
  }
  const { id, state } = await webhook()
  assert.is(state, 'dead')
  await node.request({ as: 'mk_shop', path: `/api/v1/merchants/webhooks/${id}/resend/`, body: {} })
  await settled(webhook)
})

test('a redirect is not followed, and ends the attempts', async () => {
  await post('faults/', { fault: 'redirect' })
  const { webhook } = await completed()
  const { history } = await settled(webhook, 'dead')
  assert.equal([history[0]?.outcome, history[0]?.status], ['refused', 302])
})

test('a receiver that hangs is a time-out', async () => {
  await post('faults/', { fault: 'hang' })
  const { webhook } = await completed()
  await node.until(async () => (await webhook()).history[0]?.outcome === 'timeout')
  assert.is(receiver.received.length, 0)
  advance(1_000)
  await settled(webhook)
})

test('an answer that is cut off: the receiver gets it twice', async () => {
  await post('faults/', { fault: 'cut' })
  const { webhook } = await completed()
  await node.until(async () => (await webhook()).history[0]?.outcome === 'connection')
  assert.is(receiver.received.length, 1)
  advance(1_000)
  await settled(webhook)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(ids.length, 2)
  assert.is(new Set(ids).size, 1)
})

test('a duplicate: the same comes twice, once in the history', async () => {
  await post('faults/', { fault: 'duplicate' })
  const { order, webhook } = await completed()
  const { history } = await settled(webhook)
  assert.is(history.length, 1)
  assert.match(history[0]?.error ?? '', /simulated fault: duplicate/)
  const [first, second] = receiver.received
  assert.is(first?.headers['webhook-id'], second?.headers['webhook-id'])
  const sent = await deliveriesOf(order)
  assert.equal(
    sent.map(({ fault }: { fault: string }) => fault),
    ['duplicate', 'duplicate, the second'],
  )
})

test('out of order: an earlier one comes after the later one', async () => {
  const earlier = await completed()
  await settled(earlier.webhook)
  await post('faults/', { fault: 'out_of_order' })
  const later = await completed()
  await settled(later.webhook)
  const orders = receiver.received.map(({ body }) => JSON.parse(body).id)
  assert.equal(orders, [earlier.order, later.order, earlier.order])
})

test('a wrong signature comes first, and the right one after it', async () => {
  await post('faults/', { fault: 'bad_signature' })
  const { order, webhook } = await completed()
  const { history } = await settled(webhook)
  assert.is(history.length, 1)
  const sent = await deliveriesOf(order)
  assert.equal(
    sent.map(({ fault, status }: { fault: string; status: number }) => [fault, status]),
    [
      ['bad_signature', 403],
      [null, 200],
    ],
  )
})

test('a delay lets it wait', async () => {
  await post('faults/', { fault: 'delay', seconds: 1 })
  const { webhook } = await completed()
  // As long as the node waits for an answer at all.
  await node.until(async () => (await webhook()).history[0]?.outcome === 'timeout')
})

test('what is set for one order leaves the others alone, and what is removed happens to nobody', async () => {
  const first = await newOrder(node, 'PAY_IN', 'mk_shop', { notify_url: hooks() })
  const { json: fault } = await post('faults/', { fault: 'status', order: first.id, deliveries: 3 })
  assert.equal([fault.order, fault.deliveries, fault.status], [first.id, 3, 503])
  const other = await completed()
  assert.is((await settled(other.webhook)).history.length, 1)
  await post(`faults/${fault.id}/remove/`)
  assert.is((await post(`faults/${fault.id}/remove/`)).status, 404)
  await post(`orders/${first.id}/simulate/`, { step: 'confirm' })
  assert.is((await settled(() => webhookOf(first.id))).history.length, 1)
})

test('the same fault once more takes the place of the one before', async () => {
  await post('faults/', { fault: 'status', deliveries: 2 })
  await post('faults/', { fault: 'status', deliveries: 5 })
  const { json } = await get('faults/')
  assert.equal(
    json.results.map(({ fault, deliveries }: { fault: string; deliveries: number }) => [fault, deliveries]),
    [['status', 5]],
  )
})

const refusals: [body: object, attr: string, code: string][] = [
  [{}, 'fault', 'required'],
  [{ fault: 'earthquake' }, 'fault', 'invalid_choice'],
  [{ fault: 'status', status: 600 }, 'status', 'max_value'],
  [{ fault: 'status', status: 100 }, 'status', 'min_value'],
  [{ fault: 'delay', seconds: 31 }, 'seconds', 'max_value'],
  [{ fault: 'hang', deliveries: 1001 }, 'deliveries', 'max_value'],
  [{ fault: 'hang', order: '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10' }, 'order', 'does_not_exist'],
]
for (const [body, attr, code] of refusals)
  test(`refused: ${JSON.stringify(body)}`, async () => {
    const { status, json } = await post('faults/', body)
    assert.equal([status, json.errors[0].attr, json.errors[0].code], [400, attr, code])
  })

test('nobody sets or sees anything of another merchant', async () => {
  const { order, webhook } = await completed()
  await settled(webhook)
  const set = await post('faults/', { fault: 'status', order }, 'mk_other')
  assert.is(set.status, 400)
  const { json: fault } = await post('faults/', { fault: 'status' })
  assert.is((await post(`faults/${fault.id}/remove/`, {}, 'mk_other')).status, 404)
  assert.equal((await get('deliveries/', 'mk_other')).json.results, [])
  assert.equal((await get('faults/', 'mk_other')).json.results, [])
  assert.is((await get('faults/', 'pk_a')).status, 403)
})

test('a ping is listed, too, and what goes wrong goes wrong with it', async () => {
  await post('faults/', { fault: 'bad_signature' })
  const path = '/api/v1/merchants/webhooks/ping/'
  const pinged = await node.request({ as: 'mk_shop', path, body: { notify_url: hooks() } })
  assert.is(pinged.json.outcome, 'acknowledged', pinged.text)
  const [last, before] = (await get('deliveries/?limit=2')).json.results
  assert.equal([last.webhook_id, before.fault], [pinged.json.webhook_id, 'bad_signature'])
  assert.match(last.body, /"type":"ping"/)
})

test('an integration is done with what it has done, and is told how to do the rest', async () => {
  const steps = async (as = 'mk_shop') => (await get('go-live/', as)).json
  const before = await steps('mk_other')
  assert.equal([before.done, before.open], [0, before.results.length])
  for (const { how, done } of before.results) assert.ok(how.length > 10 && done === null)

  // What the tests above have not brought about.
  const path = '/api/v1/merchants/orders/pay-in/'
  const key = { 'Idempotency-Key': 'go-live' }
  const body = payOutBody({ merchant_order_id: 'go-live' })
  for (let times = 0; times < 2; times++)
    await node.request({ as: 'mk_shop', path, body, headers: key, at: ++messages / 1000 })
  const cancelled = await newOrder(node, 'PAY_IN', 'mk_shop', { notify_url: hooks() })
  await cancelAsOperator(node, cancelled.id)
  await settled(() => webhookOf(cancelled.id))
  const expired = await newOrder(node, 'PAY_IN', 'mk_shop', { notify_url: hooks() })
  const paidOut = await newOrder(node, 'PAY_OUT', 'mk_shop', { notify_url: hooks() })
  await post(`orders/${paidOut.id}/simulate/`, { step: 'confirm' })
  await settled(() => webhookOf(paidOut.id))
  advance(61_000)
  node.workers.send({ type: 'worker.wake', id: 'expiry' })
  await node.until(async () => (await node.core.orders.find(expired.id))?.order.status === 'EXPIRED')
  await settled(() => webhookOf(expired.id))

  // A resend while an attempt of it is under way.
  await post('faults/', { fault: 'hang' })
  const hanging = await completed()
  await node.until(async () => (await hanging.webhook()).history[0]?.outcome === 'started')
  const { id } = await hanging.webhook()
  const again = { as: 'mk_shop', path: `/api/v1/merchants/webhooks/${id}/resend/`, body: {} }
  assert.is((await node.request({ ...again, at: ++messages / 1000 })).status, 409)

  const ping = () =>
    node.request({
      as: 'mk_shop',
      path: '/api/v1/merchants/webhooks/ping/',
      body: { notify_url: hooks() },
      at: ++messages / 1000,
    })
  const statuses = new Set<number>()
  for (let times = 0; times < 11; times++) statuses.add((await ping()).status)
  assert.ok(statuses.has(429))
  advance(60_001)
  assert.is((await ping()).status, 200)

  // The last answer is noted beside itself.
  await node.until(async () => (await steps()).open === 0)
  const { evidence } = (await steps()).results.find(
    ({ step }: { step: string }) => step === 'pay_out_completed',
  )
  assert.match(evidence, `order ${paidOut.id}, webhook `)
})

test.run()
