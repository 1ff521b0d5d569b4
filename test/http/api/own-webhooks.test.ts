/** A merchant's own webhooks over the API: protocol 6.8. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMerchantClient, verifyWebhook } from '../../../client/index.ts'
import { secretOf, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { call, newOrder } from '../../support/orders.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receivers.ts'

let node: TestNode
let receiver: Receiver
let status = 200
test.before(async () => {
  receiver = await startReceiver((response) => {
    response.statusCode = status
    response.end(`answered ${status}`)
  })
  node = await startTestNode()
})
test.after(async () => {
  await stopTestNode(node)
  await receiver.close()
})
test.before.each(() => {
  status = 200
  receiver.received.length = 0
})

const base = '/api/v1/merchants/webhooks/'
const get = (path = '', as = 'mk_shop') => node.request({ as, path: `${base}${path}` })
let messages = 0
const post = (path: string, body: unknown = {}, as = 'mk_shop') =>
  node.request({ as, path: `${base}${path}`, body, at: ++messages / 1000 })

/** A completed order whose webhook has ended in this state. */
async function told(state: string): Promise<{ order: string; webhook: string }> {
  const body = { notify_url: `http://127.0.0.1:${receiver.port}/hooks` }
  const order = await newOrder(node, 'PAY_OUT', 'mk_shop', body)
  await call(node, order, 'start')
  await call(node, order, 'confirm')
  const find = async () => (await get(`?order=${order.id}`)).json.results[0]
  await node.until(async () => (await find())?.state === state)
  return { order: order.id, webhook: (await find()).id }
}

test('a merchant lists its webhooks, and looks at one with its body and every attempt', async () => {
  status = 400
  const { order, webhook } = await told('dead')
  const { json } = await get(`?order=${order}&state=dead`)
  const [{ notify_url, created, settled, ...listed }] = json.results
  assert.equal(listed, {
    id: webhook,
    order,
    sequence: 1,
    status: 'COMPLETED',
    state: 'dead',
    attempts: 1,
    last_answer: '400',
    due: null,
  })
  const shown = (await get(`${webhook}/`)).json
  assert.is(JSON.parse(shown.body).id, order)
  assert.is(shown.history.length, 1)
  const [{ started, ended, milliseconds, message_date, ...attempt }] = shown.history
  assert.equal(attempt, {
    attempt: 1,
    outcome: 'refused',
    status: 400,
    error: null,
    answer: 'answered 400',
    is_cut: false,
    key: 'mk_shop',
  })
})

test('pages go on where they ended, and know their own cursors alone', async () => {
  await told('delivered')
  await told('delivered')
  const first = (await get('?limit=1')).json
  const second = (await get(`?limit=1&cursor=${encodeURIComponent(first.next)}`)).json
  assert.is.not(first.results[0].id, second.results[0].id)
  assert.is((await get('?cursor=nonsense')).status, 400)
})

test('another merchant’s webhook is unknown, and is not sent again', async () => {
  const { webhook } = await told('delivered')
  for (const ask of [get(`${webhook}/`, 'mk_other'), post(`${webhook}/resend/`, {}, 'mk_other')]) {
    assert.is((await ask).status, 404)
  }
  assert.equal((await get('', 'mk_other')).json.results, [])
  assert.is((await get('nonsense/')).status, 404)
})

test('one webhook is sent again under its id, whatever became of it', async () => {
  const { webhook } = await told('delivered')
  const resent = await post(`${webhook}/resend/`)
  assert.equal([resent.status, resent.json.state], [200, 'pending'])
  await node.until(async () => receiver.received.length === 2)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])), new Set([webhook]))
})

test('dead letters of a time are sent again, and no others', async () => {
  status = 400
  const dead = [await told('dead'), await told('dead')].map(({ webhook }) => webhook)
  status = 200
  await told('delivered')
  receiver.received.length = 0
  const since = new Date(node.clock.now()).toISOString()
  const later = new Date(node.clock.now() + 1000).toISOString()
  assert.equal((await post('resend/', { since: later })).json, { resent: 0, has_more: false })
  const answer = await post('resend/', { since })
  assert.is(answer.json.has_more, false)
  assert.ok(answer.json.resent >= 2, answer.text)
  node.clock.advance(1000)
  node.workers.send({ type: 'worker.wake', id: 'webhooks' })
  await node.until(async () => {
    const sent = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    return dead.every((id) => sent.has(id))
  })
  assert.is((await post('resend/', {})).status, 400)
})

test('a ping is a signed webhook of no order, and its answer is told at once', async () => {
  const merchant = createMerchantClient({
    url: node.publicUrl,
    key: 'mk_shop',
    secret: secretOf('mk_shop'),
    now: node.clock.now,
  })
  status = 503
  const notify_url = `http://127.0.0.1:${receiver.port}/hooks?a=1`
  const { webhook_id, milliseconds, ...rest } = await merchant.pingWebhook({ body: { notify_url } })
  assert.equal(rest, {
    notify_url,
    key: 'mk_shop',
    outcome: 'unavailable',
    status: 503,
    error: null,
    answer: 'answered 503',
  })
  const [received] = receiver.received
  if (received === undefined) throw new Error('nothing came')
  const { headers, body } = received
  await verifyWebhook(
    { path: '/hooks', headers, body },
    { secrets: { mk_shop: secretOf('mk_shop') }, now: node.clock.now },
  )
  assert.equal([JSON.parse(body).type, headers['webhook-id']], ['ping', webhook_id])
  assert.is(receiver.received.length, 1, 'it is not repeated')
})

test('a ping goes where webhooks may go, and not too often', async () => {
  const refused = await post('ping/', { notify_url: 'ftp://shop.example/' })
  assert.is(refused.status, 400)
  const notify_url = `http://127.0.0.1:${receiver.port}/hooks`
  const statuses: number[] = []
  for (let count = 0; count < 12; count++)
    statuses.push((await post('ping/', { notify_url }, 'mk_other')).status)
  assert.equal(statuses.slice(9), [200, 429, 429])
  assert.is(receiver.received.length, 10)
})

test.run()
