/** Webhooks as a merchant of a running node receives them. */
import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionList } from '../../actors/operations/exceptions.ts'
import { type OrderStatus, orderStatuses } from '../../machines/order.ts'
import { newOrder } from '../persistence/rows.ts'
import { payOutBody, secretOf, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { type Answering, type Receiver, startReceiver } from '../support/webhook-receivers.ts'

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

async function readyOrder(body: Record<string, unknown> = {}): Promise<{ id: string; code: string }> {
  const notify_url = `http://127.0.0.1:${receiver.port}/avisos/ñ?source=node`
  const made = await node.request({ as: 'mk_shop', path: orders, body: payOutBody({ notify_url, ...body }) })
  const { id } = made.json
  await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  return { id, code: (await node.core.orders.find(id))?.order.code ?? '' }
}

async function complete(code: string): Promise<void> {
  for (const action of ['start', 'confirm']) {
    const path = `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`
    const { status } = await node.request({ as: 'pk_a', path, body: { network_id: '0001' } })
    assert.is(status, 200)
  }
}

const received = (count: number) => node.until(async () => receiver.received.length >= count)

test('the hash is that of key, date, POST, path without query, and the exact bytes', async () => {
  const { code } = await readyOrder({ description: 'Devolución — 50 % «café»' })
  await complete(code)
  await received(1)
  const [webhook] = receiver.received
  assert.ok(webhook)
  const { headers, body, target, method } = webhook
  assert.is(first?.headers['webhook-id'], second?.headers['webhook-id'])
  assert.equal([first?.headers['webhook-attempt'], second?.headers['webhook-attempt']], ['1', '2'])
})

test.run()
