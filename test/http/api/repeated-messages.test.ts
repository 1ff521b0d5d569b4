/** A signed start, confirm or cancel is judged once (protocol 5.6), as whoever can copy a message from the wire tries it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../../actors/keys/signature.ts'
import { exceptionList, exceptionResolve } from '../../../actors/resolutions/operations.ts'
import type { PaymentAction } from '../../../http/api/refusals.ts'
import { secretOf, startTestNode, stopTestNode, type TestAnswer, type TestNode } from '../../support/node.ts'
import { call, newOrder, type OrderOfTest, orderIn, providerPath } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

type Message = Parameters<TestNode['request']>[0]

/** The bytes of a message, to be sent as often as one likes. */
function message(
  order: Pick<OrderOfTest, 'direction' | 'code'>,
  action: PaymentAction,
  {
    decimals = 3,
    at = 0,
    network = '0001',
    headers = {},
  }: {
    decimals?: number
    at?: number
    network?: string
    headers?: Record<string, string>
  } = {},
): Message {
  const path = providerPath(order.direction, order.code, action)
  const body = JSON.stringify({ network_id: network, price: '1000.00', price_currency: 'MXN' })
  const messageDate = (node.clock.now() / 1000 + at).toFixed(decimals)
  const hash = sign({ key: 'pk_a', messageDate, method: 'POST', path, body }, secretOf('pk_a'))
  const signed = { 'Provider-Key': 'pk_a', 'Message-Date': messageDate, 'Message-Hash': hash }
  return { path, body, headers: { ...signed, ...headers } }
}

const stale = { detail: 'The order has changed since this message was first received. Sign it again.' }
const statusOf = async (order: OrderOfTest) => (await call(node, order, 'check', 'pk_b')).json.status
const brief = ({ status, json }: TestAnswer) => [status, json.errors?.[0]?.code ?? null]

test('a cancel that was refused before a start frees nothing after it', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const cancel = message(order, 'cancel')
  const refused = await node.request(cancel)
  assert.is(refused.status, 400)
  assert.is((await node.request(cancel)).text, refused.text)
  assert.is((await call(node, order, 'start')).status, 200)
  const again = await node.request(cancel)
  assert.equal([again.status, again.json], [409, stale])
  assert.is((await call(node, order, 'start', 'pk_b')).status, 409, 'the lock holds')
  assert.is((await call(node, order, 'confirm')).status, 200)
})

test('a confirm that came too early completes nothing after the start', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const confirm = message(order, 'confirm')
  assert.is((await node.request(confirm)).status, 400)
  assert.is((await call(node, order, 'start')).status, 200)
  assert.equal((await node.request(confirm)).json, stale)
  assert.is((await call(node, order, 'confirm')).status, 200)
  assert.is((await node.request(confirm)).status, 200, 'what is paid is confirmed whatever its bytes')
})

test('a start that was refused with 409 locks nothing later', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  assert.is((await call(node, order, 'start', 'pk_b')).status, 200)
  const start = message(order, 'start')
  assert.is((await node.request(start)).status, 409)
  assert.is((await call(node, order, 'cancel', 'pk_b')).status, 200)
  assert.equal((await node.request(start)).json, stale)
  assert.is(await statusOf(order), 'READY')
})

test('a start that named an unknown network is not taken once the network is registered', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const start = message(order, 'start', { network: 'new_shops' })
  assert.is((await node.request(start)).json.errors[0].attr, 'network_id')
  await node.apply({ providers: [{ name: 'Network A', networks: ['0001', 'a_shops', 'new_shops'] }] })
  assert.is((await node.request(start)).json.errors[0].attr, 'network_id')
  assert.is(await statusOf(order), 'READY')
  node.clock.advance(1)
  assert.is((await node.request(message(order, 'start', { network: 'new_shops' }))).status, 200)
})

test('a start of a frozen provider is not taken after the thaw; one that met a drained node is', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const context = { ...node.core, clock: node.clock, operator: 'test' }
  const { partyFreeze, partyUnfreeze } = await import('../../../actors/parties/operations.ts')
  const frozen = { kind: 'provider', name: 'Network A', reason: 'a test' } as const
  const start = message(order, 'start')
  await partyFreeze.run(context, frozen)
  assert.is((await node.request(start)).status, 422)
  await partyUnfreeze.run(context, frozen)
  assert.is((await node.request(start)).status, 422)
  assert.is(await statusOf(order), 'READY')
})

test('a late confirm is to be signed again once its exception was resolved, and is late still', async () => {
  const order = await orderIn(node, 'PAY_OUT', 'LOCKED')
  node.clock.advance(8 * 86_400_000)
  const confirm = message(order, 'confirm')
  const late = await node.request(confirm)
  assert.is(late.status, 422)
  assert.is((await node.request(confirm)).text, late.text)
  const context = { ...node.core, clock: node.clock, operator: 'test' }
  const { exceptions } = await exceptionList.run(context, { state: 'open', order: order.id })
  const [exception] = exceptions
  await exceptionResolve.run(context, { id: exception?.id ?? '', as: 'honour', reason: 'a test' })
  assert.equal((await node.request(confirm)).json, stale)
  node.clock.advance(1)
  assert.is((await node.request(message(order, 'confirm'))).text, late.text)
})

test('what is not signed of a message cannot be mended by who copies it', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const wrongs: [Record<string, string>, query?: string][] = [
    [{ Accept: 'text/html' }],
    [{ 'content-type': 'text/plain' }],
    [{ 'content-encoding': 'gzip' }],
    [{ 'Idempotency-Key': 'é' }],
    [{}, '?a=1'],
  ]
  for (const [headers, query = ''] of wrongs) {
    node.clock.advance(1)
    const start = message(order, 'start')
    const refused = await node.request({ ...start, query, headers: { ...start.headers, ...headers } })
    assert.ok(refused.status >= 400 && refused.status < 500, refused.text)
    const again = await node.request(start)
    assert.equal([again.status, again.text], [refused.status, refused.text])
  }
  assert.is(await statusOf(order), 'READY')
})

test('a message that came before its time is not taken when its time has come', async () => {
  // Whoever writes fractions of a millisecond gets no other answer.
  for (const at of [310, 330.000_123_4]) {
    const order = await newOrder(node, 'PAY_OUT')
    const start = message(order, 'start', { at, decimals: 9 })
    assert.is((await node.request(start)).status, 403)
    node.clock.advance(35_000)
    assert.is((await node.request(start)).status, 403)
    assert.is(await statusOf(order), 'READY')
  }
})

test('of two tills that sign with whole seconds one gets the order', async () => {
  for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
    for (const decimals of [0, 1, 2]) {
      const order = await newOrder(node, direction)
      const start = message(order, 'start', { decimals })
      const [first, second] = [await node.request(start), await node.request(start)]
      assert.is(first.status, 200)
      assert.is(second.status, direction === 'PAY_OUT' ? 400 : 403)
      const cancel = message(order, 'cancel', { decimals })
      assert.equal([(await node.request(cancel)).status, (await node.request(cancel)).status], [200, 400])
      assert.equal((await node.request(start)).json, stale)
    }
  }
})

test('with milliseconds, or a key, the answer that was lost comes again', async () => {
  for (const [decimals, headers] of [
    [3, {}],
    [9, {}],
    [0, { 'Idempotency-Key': 'till 1' }],
  ] as const) {
    const order = await newOrder(node, 'PAY_OUT')
    const start = message(order, 'start', { decimals, headers })
    const first = await node.request(start)
    assert.is(first.status, 200)
    assert.is((await node.request(start)).text, first.text)
    const other = { ...start, headers: { ...start.headers, 'Idempotency-Key': 'till 2' } }
    assert.is((await node.request(other)).status, decimals === 0 ? 400 : 200)
  }
})

test('twenty copies of one message at once are judged once', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const start = message(order, 'start')
  const answers = await Promise.all(Array.from({ length: 20 }, () => node.request(start)))
  assert.equal([...new Set(answers.map(({ text }) => text))].length, 1)
  assert.equal(brief(await node.request(message(order, 'start', { at: 0.001 }))), [400, 'invalid'])
})

test('a limit is no judgement, and what is kept beyond it is bounded', async () => {
  await stopTestNode(node)
  node = await startTestNode({ env: { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '4' } })
  const order = await orderIn(node, 'PAY_OUT', 'LOCKED')
  const other = await newOrder(node, 'PAY_OUT')
  while ((await call(node, other, 'check')).status !== 429);
  const start = message(other, 'start')
  assert.is((await node.request(start)).status, 429)
  const statuses: number[] = []
  for (let index = 0; index < 7; index++) {
    node.clock.advance(1)
    statuses.push((await node.request(message(order, 'confirm', { network: 'nonsense' }))).status)
  }
  assert.equal(statuses, [400, 400, 400, 400, 429, 429, 429])
  assert.is((await call(node, order, 'confirm')).status, 200)
  node.clock.advance(60_000)
  assert.is((await node.request(start)).json.errors[0].code, 'invalid', 'it is judged: the order has expired')
})

test.run()
