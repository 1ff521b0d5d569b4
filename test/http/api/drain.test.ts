/** Drain mode as merchants, providers and an operator see it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCondition } from '../../../actors/condition/condition.ts'
import { nodeDrain, nodeShow, nodeUndrain } from '../../../actors/condition/drain-operations.ts'
import { createDrainWatch } from '../../../actors/condition/drain-watch.ts'
import { addOperators, onSqlite, visitorAs } from '../../support/console.ts'
import { isOnPostgres } from '../../support/database.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { operatorOf } from '../../support/operations.ts'

const merchants = '/api/v1/merchants'
let node: TestNode
let tick = 0

test.before.each(async () => {
  node = await startTestNode()
})
test.after.each(() => stopTestNode(node))

const at = () => ++tick / 1000
const operator = () => operatorOf({ ...node.core, clock: node.clock })
const readyz = () => node.request({ path: '/readyz' })
const create = (key?: string) => {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  const body = payOutBody({ merchant_order_id: key ?? `order ${++tick}` })
  return node.request({ as: 'mk_shop', path: `${merchants}/orders/pay-out/`, body, headers, at: at() })
}
const act = (code: string, action: string, as = 'pk_a') =>
  node.request({
    as,
    path: `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`,
    body: { network_id: as === 'pk_a' ? '0001' : '0002' },
    at: at(),
  })

async function ready(key?: string): Promise<{ id: string; code: string }> {
  const { id } = (await create(key)).json
  const find = async () => (await node.core.orders.find(id))?.order
  await node.until(async () => (await find())?.status === 'READY')
  return { id, code: (await find())?.code ?? '' }
}

const refusal = {
  detail: 'The service takes nothing new on at the moment, try again later.',
  type: 'server_error',
  errors: [
    {
      attr: null,
      code: 'service_unavailable',
      detail: 'The service takes nothing new on at the moment, try again later.',
    },
  ],
}

test('while the node is drained nothing is begun, and what was begun goes on to its end', async () => {
  const [paid, released, waiting] = [await ready('paid'), await ready(), await ready()]
  assert.is((await act(paid.code, 'start')).status, 200)
  assert.is((await act(released.code, 'start')).status, 200)
  await operator().ask(nodeDrain, { reason: 'new disk' })

  const quote = {
    blockchain: 'SOLANA',
    send: '10',
    send_currency: 'USDC',
    target_country: 'MX',
    target_currency: 'MXN',
  }
  for (const refused of [
    await create(),
    await node.request({
      as: 'mk_shop',
      path: `${merchants}/orders/pay-in/`,
      body: payOutBody({}),
      at: at(),
    }),
    await node.request({ as: 'mk_shop', path: `${merchants}/quotes/`, body: quote, at: at() }),
    await act(waiting.code, 'start'),
  ]) {
    assert.is(refused.status, 503)
    assert.equal(refused.json, refusal)
    assert.is(refused.headers.get('retry-after'), '60')
  }
  assert.is((await create('paid')).status, 201, 'a creation that was made is answered as it was')
  assert.is(
    (await act(paid.code, 'start', 'pk_b')).status,
    409,
    'what the order refuses itself stays its own',
  )
  assert.is((await act(paid.code, 'confirm')).status, 200)
  assert.is((await act(paid.code, 'confirm')).status, 200)
  assert.is((await act(released.code, 'cancel')).json.status, 'READY')
  const look = await node.request({ as: 'mk_shop', path: `${merchants}/orders/pay-out/${waiting.id}/` })
  assert.equal([look.status, look.json.status], [200, 'READY'])

  await operator().ask(nodeUndrain, {})
  assert.is((await act(waiting.code, 'start')).status, 200)
  assert.is((await create()).status, 201)
})

test('a drained node is degraded and not down, or nobody could confirm through a load balancer', async () => {
  await operator().ask(nodeDrain, { reason: 'new disk' })
  const { status, json } = await readyz()
  assert.equal([status, json.status], [200, 'degraded'])
  assert.match(json.reasons.drain, /^Drained since 20.*: no new orders, quotes or starts are accepted/)
  assert.not.match(json.reasons.drain, /ana|new disk/, 'strangers read it')
  await operator().ask(nodeUndrain, {})
  assert.equal((await readyz()).json, { status: 'ready' })
})

test('the first to drain it is who did, and their reason stands', async () => {
  const { clock } = node
  const first = await operator().ask(nodeDrain, { reason: 'new disk' })
  clock.advance(1_000)
  const second = operatorOf({ ...node.core, clock, operator: 'eva' })
  assert.equal(await second.ask(nodeDrain, { reason: 'another' }), first)
  assert.equal(await second.ask(nodeShow, {}), {
    state: 'drained',
    since: first.since,
    operator: 'ana',
    reason: 'new disk',
  })
})

test('a drain that was set beside the node is heard of', async () => {
  const { store } = node.core
  const other = await createDrainWatch({ store, clock: node.clock, condition: createCondition() })
  await other.drain('eva', 'new disk')
  assert.is((await readyz()).json.status, 'ready', 'not yet')
  assert.is((await create()).status, 503, 'its step looks')
  node.workers.send({ type: 'worker.wake', id: 'drain' })
  await node.until(async () => (await readyz()).json.status === 'degraded')
  assert.is((await create()).status, 503)
})

if (!isOnPostgres) {
  test('a restart does not end it', async () => {
    await operator().ask(nodeDrain, { reason: 'new disk' })
    await node.stop()
    const { directory, clock } = node
    node = await startTestNode({ directory, clock, parties: null })
    assert.is((await readyz()).json.status, 'degraded')
    assert.is((await create()).status, 503)
  })
}

test('an administrator drains it from the page of its health', async () => {
  await stopTestNode(node)
  node = await startTestNode(onSqlite())
  await addOperators(node)
  const visitor = await visitorAs(node, 'administrator')
  assert.match((await visitor.get('/health')).text, /Drain for maintenance/)
  await visitor.post('/node/drain', { reason: 'new disk' })
  assert.equal(await operator().ask(nodeShow, {}), {
    state: 'drained',
    since: '2026-03-01T12:00:00.000Z',
    operator: 'administrator',
    reason: 'new disk',
  })
  assert.match((await visitor.get('/health')).text, /End the drain/)
  await visitor.post('/node/undrain', {})
  assert.is((await operator().ask(nodeShow, {})).state, 'open')
  const viewer = await visitorAs(node, 'viewer')
  assert.not.match((await viewer.get('/health')).text, /Drain for maintenance/)
})

test.run()
