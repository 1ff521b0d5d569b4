/** Webhooks as a merchant of a running node receives them. */
import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type OrderStatus, orderStatuses } from '../../../machines/statuses.ts'
import { exceptionsPage } from '../../../persistence/queries/operations.ts'
import type { Write } from '../../../persistence/store.ts'
import { newOrder } from '../../persistence/rows.ts'
import { payOutBody, secretOf, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { type Answering, type Receiver, startReceiver } from '../../support/webhook-receivers.ts'

let node: TestNode
let receiver: Receiver
let answer: Answering = (response) => response.end()

test.before(async () => {
  receiver = await startReceiver((response, webhook) => answer(response, webhook))
  node = await startTestNode()
})

test.after(async () => {
  await stopTestNode(node)
  await receiver.close()
})

test.before.each(() => {
  receiver.received.length = 0
  answer = (response) => response.end()
})

const orders = '/api/v1/merchants/orders/pay-out/'
const orderOf = async (id: string) => (await node.core.orders.find(id))?.order

async function readyOrder(body: Record<string, unknown> = {}): Promise<{ id: string; code: string }> {
  const notify_url = `http://127.0.0.1:${receiver.port}/avisos/ñ?source=node`
  const made = await node.request({ as: 'mk_shop', path: orders, body: payOutBody({ notify_url, ...body }) })
  const { id } = made.json
  await node.until(async () => (await orderOf(id))?.status === 'READY')
  return { id, code: (await orderOf(id))?.code ?? '' }
}

async function complete(code: string): Promise<void> {
  for (const action of ['start', 'confirm']) {
    const path = `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`
    const { status } = await node.request({ as: 'pk_a', path, body: { network_id: '0001' } })
    assert.is(status, 200)
  }
}

const received = (count: number) => node.until(async () => receiver.received.length >= count)

/** Time goes by, and the node notices. */
function advance(ms: number): void {
  node.clock.advance(ms)
  node.workers.send({ type: 'worker.wake', id: 'webhooks' })
}

test('the hash is that of key, date, POST, path without query, and the exact bytes', async () => {
  const { code } = await readyOrder({ description: 'Devolución — 50 % «café»' })
  await complete(code)
  await received(1)
  const [webhook] = receiver.received
  assert.ok(webhook)
  const { headers, body, target, method } = webhook
  assert.equal([method, target], ['POST', '/avisos/%C3%B1?source=node'])
  assert.is(headers['merchant-key'], 'mk_shop')
  const signed = `mk_shop:${headers['message-date']}:POST:/avisos/%C3%B1:${body}`
  const hash = createHmac('sha256', secretOf('mk_shop')).update(signed, 'utf8').digest('hex')
  assert.is(headers['message-hash'], hash)
  assert.match(String(headers['message-date']), /^\d{10}\.\d{3}$/)
  assert.equal([headers['content-type'], headers['webhook-attempt']], ['application/json', '1'])
  const order = JSON.parse(body)
  assert.equal([order.status, order.description], ['COMPLETED', 'Devolución — 50 % «café»'])
  assert.ok(order.paid)
})

test('a receiver that asks for the order at once sees at least the state in the body', async () => {
  const seen: [told: OrderStatus, asked: OrderStatus][] = []
  answer = (response, { body }) => {
    const told = JSON.parse(body)
    void node.request({ as: 'mk_shop', path: `${orders}${told.id}/` }).then(({ json }) => {
      seen.push([told.status, json.status])
      response.end()
    })
  }
  const made = await Promise.all(Array.from({ length: 20 }, () => readyOrder()))
  await Promise.all(made.map(({ code }) => complete(code)))
  await node.until(async () => seen.length >= made.length)
  const rank = (status: OrderStatus) => orderStatuses.indexOf(status)
  for (const [told, asked] of seen) assert.ok(rank(asked) >= rank(told), `told ${told}, asked ${asked}`)
})

test('a step that is rolled back sends nothing', async () => {
  const { store } = node.core
  const { id, code } = await readyOrder()
  const order = await orderOf(id)
  assert.ok(order)
  const webhook = {
    id: 'never',
    order_id: id,
    merchant_id: order.merchant_id,
    sequence: 1,
    order_status: 'COMPLETED',
    is_final: 1,
    url: order.notify_url,
    host: new URL(order.notify_url).host,
    body: '{}',
    state: 'pending',
    created_at: node.clock.now(),
    due_at: node.clock.now(),
    attempts: 0,
  } as const
  const stepWith = (last: Write) =>
    store.step({
      rows: {},
      decide: () => ({
        answer: null,
        writes: [{ insert: 'webhooks', values: webhook }, last],
        wake: ['webhooks'],
      }),
    })
  const { merchant_id, credential_key, merchant_order_id } = order
  const second = newOrder('twice', node.clock.now(), { merchant_id, credential_key, merchant_order_id })
  assert.is((await stepWith(second)).outcome, 'violated')
  const nowhere: Write = { update: 'orders', key: { id: 'nowhere' }, set: { locks: 1 } }
  assert.instance(await stepWith(nowhere).catch((error: unknown) => error), Error)
  advance(0)
  // What comes after it arrives; nothing of it ever did.
  await complete(code)
  await received(1)
  assert.equal(
    receiver.received.map(({ body }) => JSON.parse(body).status),
    ['COMPLETED'],
  )
  assert.is.not(receiver.received[0]?.headers['webhook-id'], 'never')
})

test('in the sandbox a receiver that fails is tried three times, and the operator is told whom to call', async () => {
  answer = (response) => response.writeHead(503).end()
  const { id, code } = await readyOrder()
  await complete(code)
  const newest = exceptionsPage({ orderId: id }, { after: null, limit: 1 })
  const exceptionOf = async () => (await node.core.store.query(newest, {}))[0]
  await node.until(async () => {
    advance(1000)
    return (await exceptionOf()) !== undefined
  })
  const exception = await exceptionOf()
  assert.is(exception?.kind, 'webhook_dead')
  assert.match(
    exception?.reason ?? '',
    /COMPLETED was not delivered.*503.*after 3 attempts.*ops@shop.example/,
  )
  assert.is(receiver.received.length, 3)
})

test('a node that stops hands back what is under way, and the next one goes on', async () => {
  const hanging = Promise.withResolvers<void>()
  answer = () => hanging.resolve()
  const { code } = await readyOrder()
  await complete(code)
  await hanging.promise
  await node.stop()
  answer = (response) => response.end()
  node = await startTestNode({ directory: node.directory, clock: node.clock, parties: null })
  await node.until(async () => {
    advance(1000)
    return receiver.received.length >= 2
  })
  const [first, second] = receiver.received
  assert.is(first?.headers['webhook-id'], second?.headers['webhook-id'])
  assert.equal([first?.headers['webhook-attempt'], second?.headers['webhook-attempt']], ['1', '2'])
})

test.run()
