/** Simulated lives: the same journal, postings and webhooks as real ones, but for who has spoken. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Direction } from '../../../machines/order.ts'
import { journalOfOrder, postingsOfOrder, webhooksPage } from '../../../persistence/queries/operations.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { call, merchantPath, newOrder, type OrderOfTest } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

let messages = 0
const simulate = (order: string, step: string, as = 'mk_shop') =>
  node.request({
    as,
    path: `/api/v1/sandbox/orders/${order}/simulate/`,
    body: { step },
    at: ++messages / 1000,
  })
const statusOf = async (id: string) => (await node.core.orders.find(id))?.order.status

/** What there is of an order, without what no two orders have in common. */
async function traceOf(id: string): Promise<unknown> {
  const { store } = node.core
  const journal = await store.query(journalOfOrder, { orderId: id })
  const postings = await store.query(postingsOfOrder, { orderId: id })
  const page = { after: null, limit: 100, oldestFirst: true }
  const webhooks = await store.query(webhooksPage({ orderId: id }, page), {})
  return {
    journal: journal.map(({ actor, event_json, from_status, to_status, outcome }) => {
      const { merchantOrderId: _, expiry: __, ...event } = JSON.parse(event_json)
      return { actor: actor.replace(' (simulated)', ''), event, from_status, to_status, outcome }
    }),
    postings: postings.map(({ posted_at: _, ...posting }) => posting),
    webhooks: webhooks.map(({ sequence, order_status, state, url }) => ({
      sequence,
      order_status,
      state,
      url,
    })),
  }
}

type Real = 'start' | 'confirm' | 'cancel'
const lives: [name: string, real: readonly Real[], steps: readonly string[], ends: string][] = [
  ['confirmed', ['start', 'confirm'], ['confirm'], 'COMPLETED'],
  ['confirmed step by step', ['start', 'confirm'], ['start', 'confirm'], 'COMPLETED'],
  ['held', ['start'], ['hold'], 'PAYMENT_STARTED'],
  ['released', ['start', 'cancel'], ['start', 'cancel'], 'READY'],
  [
    'released and confirmed',
    ['start', 'cancel', 'start', 'confirm'],
    ['start', 'cancel', 'confirm'],
    'COMPLETED',
  ],
]
for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
  for (const [name, real, steps, ends] of lives) {
    test(`${direction}: ${name}, a simulated life leaves what a real one leaves`, async () => {
      const [lived, simulated] = [await newOrder(node, direction), await newOrder(node, direction)]
      for (const action of real) {
        assert.is((await call(node, lived, action, 'pk_a', said(action, direction))).status, 200)
      }
      for (const step of steps) {
        const answer = await simulate(simulated.id, step)
        assert.is(answer.status, 200, answer.text)
      }
      assert.equal([await statusOf(lived.id), await statusOf(simulated.id)], [ends, ends])
      assert.equal(await traceOf(simulated.id), await traceOf(lived.id))
    })
  }
}

/** What a simulation says, too, as far as an order keeps it. */
const said = (action: Real, direction: Direction) =>
  action === 'start' && direction === 'PAY_IN'
    ? { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
    : { network_id: '0001' }

test('past its expiry and the grace a held order ends as it does with a real provider', async () => {
  const orders = [await newOrder(node, 'PAY_OUT'), await newOrder(node, 'PAY_OUT')] as const
  await call(node, orders[0], 'start', 'pk_a', { network_id: '0001' })
  await simulate(orders[1].id, 'hold')
  node.clock.advance(60_000 + 600_001)
  const [real, simulated] = await Promise.all(orders.map(({ id }) => ended(id)))
  assert.equal(simulated, real)
})

async function ended(id: string): Promise<unknown> {
  await node.until(async () => (await statusOf(id)) === 'EXPIRED')
  return traceOf(id)
}

test('an order that waits for funds is funded, started and confirmed by one step, and the ledger adds up', async () => {
  const { id } = await newOrder(node, 'PAY_OUT', 'mk_other')
  assert.is(await statusOf(id), 'CREATED')
  const { json } = await simulate(id, 'confirm', 'mk_other')
  assert.equal(json, { order: id, status: 'COMPLETED', done: 'fund start confirm' })
  const again = await simulate(id, 'fund', 'mk_other')
  assert.equal([again.status, again.json.errors[0].code], [422, 'simulation_refused'])
  for (const step of ['start', 'cancel']) {
    const { json } = await simulate(id, step, 'mk_other')
    assert.is(json.detail, 'The status of the order is COMPLETED, which does not allow this step.')
  }
})

test('a provider simulates its own counter by the code, and nothing else', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  assert.is((await simulate(order.code, 'start', 'pk_b')).json.status, 'PAYMENT_STARTED')
  assert.is((await simulate(order.code, 'confirm', 'pk_a')).status, 422)
  assert.is((await simulate(order.code, 'confirm', 'pk_b')).json.status, 'COMPLETED')
  assert.is((await simulate(order.code, 'fund', 'pk_b')).status, 400)
  assert.is((await simulate(order.id, 'confirm', 'pk_a')).status, 404, 'it never held it')
})

test('another merchant’s order is unknown, and whoever has not signed is nobody', async () => {
  const { id } = await newOrder(node, 'PAY_OUT')
  assert.is((await simulate(id, 'confirm', 'mk_other')).status, 404)
  const path = `/api/v1/sandbox/orders/${id}/simulate/`
  assert.is((await node.request({ path, body: { step: 'confirm' } })).status, 403)
  const both = { 'Provider-Key': 'pk_a' }
  const twice = await node.request({ as: 'mk_shop', path, body: { step: 'confirm' }, headers: both })
  assert.is(twice.status, 403)
})

test('an order asks by its name, and is seen as it is before', async () => {
  const order = await newOrder(node, 'PAY_IN', 'mk_shop', { merchant_order_id: 'ci-1-sim-confirm-30' })
  const ripen = (ms: number) => {
    node.clock.advance(ms)
    node.workers.send({ type: 'worker.wake', id: 'simulations' })
  }
  ripen(29_000)
  assert.is(await statusOf(order.id), 'READY')
  ripen(1_000)
  await node.until(async () => (await statusOf(order.id)) === 'COMPLETED')
})

test('an order that is only tried asks for nothing', async () => {
  const body = { merchant_order_id: 'ci-2-sim-confirm-1' }
  const order: OrderOfTest = await newOrder(node, 'PAY_IN', 'mk_shop', body)
  const repeated = { as: 'mk_shop', path: merchantPath('PAY_IN'), headers: { 'Dry-Run': 'true' } }
  assert.is((await node.request({ ...repeated, body })).status, 400)
  assert.ok(order.id)
})

test.run()
