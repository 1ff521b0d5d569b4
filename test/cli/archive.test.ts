/** The archive of a real node: its worker, `archive show` and `archive verify`, and what is left of an order elsewhere. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { onSqlite } from '../support/console.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'
import { type Receiver, startReceiver } from '../support/webhook-receivers.ts'

const payOuts = '/api/v1/merchants/orders/pay-out/'
const dayMs = 86_400_000
let node: TestNode
let receiver: Receiver
let paid: { id: string; code: string }

const order = (id: string) => node.core.orders.find(id)
const file = () => join(node.directory, 'node.db')
const folder = () => `${file()}.archive`
const run = (...args: string[]) =>
  ventanilla(
    {
      cwd: node.directory,
      env: {
        VENTANILLA_DATABASE: `sqlite:${file()}`,
        VENTANILLA_KEYS_FILE: join(node.directory, 'node.db.key'),
      },
      clock: node.clock,
    },
    ...args,
  )

async function ready(fields: Record<string, unknown>): Promise<{ id: string; code: string }> {
  const notify_url = `http://127.0.0.1:${receiver.port}/`
  const { json } = await node.request({
    as: 'mk_shop',
    path: payOuts,
    body: payOutBody({ notify_url, ...fields }),
  })
  await node.until(async () => (await order(json.id))?.order.status === 'READY')
  return { id: json.id, code: (await order(json.id))?.order.code ?? '' }
}

const act = (code: string, action: string) =>
  node.request({
    as: 'pk_a',
    path: `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`,
    body: { network_id: '0001' },
  })

test.before(async () => {
  receiver = await startReceiver((response) => response.writeHead(200).end('thanks'))
  const { env, ...place } = onSqlite()
  node = await startTestNode({ ...place, env: { ...env, VENTANILLA_RETENTION_ORDERSDAYS: '30' } })
  paid = await ready({ merchant_order_id: 'paid' })
  await act(paid.code, 'start')
  await act(paid.code, 'confirm')
  await node.until(async () => receiver.received.length === 1)
  await ready({ merchant_order_id: 'open', expiry: '2027-03-01T00:00:00Z' })
  // The worker looks again and again: the webhook may be on its way to being settled.
  node.clock.advance(31 * dayMs)
  await node.core.clockWatch.accept()
  await node.until(async () => {
    node.workers.send({ type: 'worker.wake', id: 'archive' })
    return (await order(paid.id)) === null
  })
})

test.after(async () => {
  await stopTestNode(node)
  await receiver.close()
})

test('an archived order is gone from the API, and nobody can make it again', async () => {
  const at = 1
  const look = await node.request({ as: 'mk_shop', path: `${payOuts}${paid.id}/`, at })
  const unknown = await node.request({ as: 'mk_shop', path: `${payOuts}${paid.id.replace(/.$/, 'x')}/`, at })
  assert.equal([look.status, look.text], [404, unknown.text])
  assert.is((await act(paid.code, 'confirm')).status, 404)
  const again = await node.request({
    as: 'mk_shop',
    path: payOuts,
    body: payOutBody({ merchant_order_id: 'paid', expiry: '2027-03-01T00:00:00Z' }),
    at,
  })
  assert.equal([again.status, again.json.errors[0].code], [400, 'unique'])
})

test('whoever asks for it is told where it is', async () => {
  const { code, err } = await run('order', 'show', paid.id)
  assert.is(code, 1)
  assert.match(err, /The order ended COMPLETED, and was archived at 2026-0.*, in 2026-0\d\.jsonl\./)
  assert.match(err, new RegExp(`ventanilla archive show ${paid.id} reads it there`))
  assert.match((await run('order', 'show', paid.code)).err, /was archived/)
})

test('archive show reads it, with the node running', async () => {
  const { code, out, err } = await run('archive', 'show', paid.id)
  assert.is(code, 0, err)
  assert.match(out, /status +COMPLETED\nprice +1000\.00 MXN\nmerchant +paid/)
  assert.match(out, /provider:Network A +payment\.confirm +PAYMENT_STARTED → COMPLETED +accepted/)
  const { json } = await run('archive', 'show', paid.code, '--json')
  assert.equal(Object.keys(json), ['archived', 'file', 'erased', 'order', 'consumer', 'journal', 'rows'])
  assert.is(json.rows.order.price_minor, '100000')
  assert.is((await run('archive', 'show', 'nobody')).code, 1)
})

test('archive verify proves it, and says what is wrong', async () => {
  const { code, json } = await run('archive', 'verify', '--json')
  assert.equal([code, json.ok, json.orders, json.spare], [0, true, 1, 0])
  assert.is((await run('verify')).code, 0)
  const [name = ''] = readdirSync(folder())
  assert.is(statSync(join(folder(), name)).mode & 0o077, 0, 'nobody else reads it')
  const whole = readFileSync(join(folder(), name), 'utf8')
  writeFileSync(join(folder(), name), whole.replace('COMPLETED', 'CANCELLED'))
  const wrong = await run('archive', 'verify')
  assert.is(wrong.code, 1)
  assert.match(wrong.out, /WRONG: 2026-0\d\.jsonl, line 1: it is not as this node has sealed it/)
  writeFileSync(join(folder(), name), whole)
  const elsewhere = await run('archive', 'verify', '--folder', 'nowhere')
  assert.match(elsewhere.out, /its line is not there; it was written to 2026-/)
})

test.run()
