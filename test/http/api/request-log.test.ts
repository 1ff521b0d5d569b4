/** What the operator's log says of a request: why it was refused, and nothing that is as good as money. */
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { secretOf, startTestNode, stopTestNode, type TestNode, type TestRequest } from '../../support/node.ts'
import { call, merchantPath, newOrder, providerPath } from '../../support/orders.ts'

let node: TestNode
let lines: string[]
test.before(async () => {
  lines = []
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  node = await startTestNode({ log, env: { VENTANILLA_LIMITS_UNAUTHENTICATEDPERMINUTE: '1000' } })
})
test.after(() => stopTestNode(node))

async function logged(request: TestRequest): Promise<Record<string, unknown>> {
  lines.length = 0
  const answer = await node.request(request)
  await node.until(async () => lines.length > 0)
  const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'request')
  assert.is(line.requestId, answer.headers.get('request-id'))
  assert.is(line.status, answer.status)
  return line
}

const path = merchantPath('PAY_OUT', '0f8fad5b-d9cb-469f-a165-70867728950e')
const good = { as: 'mk_shop', path }
const refusals: [why: string, request: TestRequest][] = [
  ['headers', { path }],
  ['headers', { ...good, headers: { 'Provider-Key': 'pk_a' } }],
  ['unknown_key', { ...good, headers: { 'Merchant-Key': 'nobody' } }],
  ['wrong_party', { path, headers: { 'Merchant-Key': 'pk_a', 'Message-Date': '1', 'Message-Hash': '0' } }],
  ['message_date', { ...good, headers: { 'Message-Date': 'today' } }],
  ['clock', { ...good, at: 301 }],
  ['signature', { ...good, headers: { 'Message-Hash': '0'.repeat(64) } }],
]
for (const [why, request] of refusals)
  test(`a signature refused for ${why} is logged as such, with the address`, async () => {
    const line = await logged(request)
    assert.equal([line.status, line.refused, line.address], [403, why, '127.0.0.1'])
    assert.is(line.party, undefined)
  })

test('a signed request is logged with its party, key and order, by its pattern and not by its path', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  lines.length = 0
  const line = await logged({ as: 'pk_a', path: providerPath('PAY_OUT', order.code) })
  assert.equal(
    [line.method, line.route, line.party, line.key, line.order, line.address],
    ['GET', 'GET /providers/orders/pay-out/:code/', 'Network A', 'pk_a', order.id, undefined],
  )
})

test('codes, secrets, hashes and personal data are in no line', async () => {
  lines.length = 0
  const order = await newOrder(node, 'PAY_OUT')
  await call(node, order, 'start')
  await call(node, order, 'confirm')
  const text = lines.join('')
  assert.match(text, order.id)
  for (const secret of [
    order.code,
    secretOf('mk_shop'),
    'ana@example.com',
    'Refund of order',
    'Message-Hash',
  ]) {
    assert.not.match(text, secret)
  }
})

test.run()
