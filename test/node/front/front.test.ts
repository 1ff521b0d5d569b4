/** A node with a front on a thread of its own: what it reads, what it asks, how it dies and how it ends. */
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderCancel } from '../../../actors/orders/change-operations.ts'
import type { FromFront } from '../../../node/front/messages.ts'
import { frontsStarted, latestFront, withFront } from '../../support/fronts.ts'
import { publicShapes } from '../../support/hostile-shapes.ts'
import {
  payOutBody,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
  until,
} from '../../support/node.ts'
import { merchantPath, newOrder } from '../../support/orders.ts'
import { exchange } from '../../support/raw-http.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode({ env: { ...withFront, VENTANILLA_LIMITS_UNAUTHENTICATEDPERMINUTE: '1000000' } })
})
test.after(() => stopTestNode(node))

const isServed = async () => (await fetch(`${node.publicUrl}/readyz`).catch(() => null))?.status === 200

const create = (key: string, merchant_order_id: string) =>
  node.request({
    as: 'mk_shop',
    path: merchantPath('PAY_OUT'),
    body: payOutBody({ merchant_order_id, expiry: new Date(node.clock.now() + 3_600_000).toISOString() }),
    headers: { 'idempotency-key': key },
  })

/** Holds each creation up before its step, until it is told to let them go on. */
function holdCreations() {
  const { store } = node.core
  const step = store.step.bind(store)
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  store.step = async (asked) => {
    if (asked.isEssential === false) {
      begun.resolve()
      await held.promise
    }
    return step(asked)
  }
  return {
    begun: begun.promise,
    goOn() {
      store.step = step
      held.resolve()
    },
  }
}

async function listed(merchantOrderId: string): Promise<TestAnswer['json'][]> {
  const query = `?merchant_order_id=${merchantOrderId}`
  const path = merchantPath('PAY_OUT')
  const answer = await node.request({ as: 'mk_shop', path: path + query })
  return answer.json.results
}

test('what the core has committed is read at once, whoever has been told', async () => {
  const { core, clock } = node
  for (let count = 0; count < 20; count++) {
    const { id } = await newOrder(node, 'PAY_OUT')
    const reading = Array.from({ length: 4 }, () =>
      node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', id) }),
    )
    await orderCancel.run({ ...core, clock, operator: 'ana' }, { id, reason: 'test', force: false })
    const after = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', id) })
    assert.is(after.json.status, 'CANCELLED')
    for (const { status } of await Promise.all(reading)) assert.is(status, 200)
  }
})

test('a drain holds from the moment that it was said, and no longer than that', async () => {
  const { drainWatch } = node.core
  for (let count = 0; count < 10; count++) {
    await drainWatch.drain('ana', 'test')
    assert.is((await create(`drained ${count}`, `drained-${count}`)).status, 503)
    await drainWatch.undrain()
    assert.is((await create(`open ${count}`, `open-${count}`)).status, 201)
  }
})

test('a front that is killed takes its connections with it, and nothing that the core has begun', async () => {
  const held = holdCreations()
  const fronts = frontsStarted()
  const asking = create('killed', 'killed').catch((error: unknown) => error)
  await held.begun
  await latestFront().terminate()
  assert.instance(await asking, Error)
  held.goOn()
  await until(isServed)
  assert.is(frontsStarted(), fronts + 1)
  const again = await create('killed', 'killed')
  assert.is(again.status, 201)
  const found = await listed('killed')
  assert.equal(
    found.map(({ id }) => id),
    [again.json.id],
  )
})

test('one that fails by itself is replaced, and meanwhile the operator is told', async () => {
  const { condition } = node.core
  const reasons: string[] = []
  const { unsubscribe } = condition.subscribe(({ context }) => {
    if (context.reasons.front !== undefined) reasons.push(context.reasons.front)
  })
  latestFront().postMessage({ kind: 'serve', work: null })
  await until(async () => reasons.length > 0)
  assert.is((await fetch(`${node.operatorUrl}/healthz`)).status, 200)
  await until(isServed)
  await until(async () => condition.getSnapshot().context.reasons.front === undefined)
  unsubscribe()
  assert.match(reasons[0] ?? '', /public listener/)
  const { id } = await newOrder(node, 'PAY_OUT')
  const shown = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', id) })
  assert.is(shown.status, 200)
})

test('what a stranger sends in any shape takes nothing of the core but whether it is well', async () => {
  const { id } = await newOrder(node, 'PAY_OUT')
  const { port } = new URL(node.publicUrl)
  const messageDate = (node.clock.now() / 1000).toFixed(3)
  const shapes = publicShapes({ key: 'mk_shop', messageDate, id })
  const asked: string[] = []
  const since = performance.now()
  const front = latestFront()
  const listen = (message: FromFront) => {
    if (message.kind === 'calls') asked.push(...message.calls.map(([, name]) => name))
  }
  front.on('message', listen)
  for (const { bytes } of shapes) await exchange(port, bytes)
  front.off('message', listen)
  assert.ok(shapes.length > 100)
  // A sandbox's core hears of what names a key of ours once a second, however much that is.
  const isOften =
    asked.filter((name) => name === 'noteRequests').length > 2 + (performance.now() - since) / 1_000
  assert.not(isOften)
  const beyond = asked.filter((name) => name !== 'readiness' && name !== 'noteRequests')
  // The secret of nobody is opened once, as that of each key is.
  assert.ok(beyond.length <= 1 && beyond.every((name) => name === 'openSecret'), beyond.join(', '))
})

test('what the front counts is told with what the core counts', async () => {
  const read = async () => (await fetch(`${node.operatorUrl}/metrics`)).text()
  // A front that is held up is left out.
  await until(async () => /^ventanilla_front_utilization /m.test(await read()))
  const text = await read()
  assert.match(
    text,
    /^ventanilla_http_requests_total\{route="GET \/merchants\/orders\/pay-out\/:id\/",status="200"\} \d+$/m,
  )
  assert.match(text, /^ventanilla_front_utilization [\d.e-]+$/m)
  assert.match(text, /^ventanilla_commits_total \d+$/m)
})

test('what waits for its commit when the node is told to stop is answered', async () => {
  const stopping = await startTestNode({ env: withFront })
  const first = node
  node = stopping
  try {
    const held = holdCreations()
    const asking = create('stopped', 'stopped')
    await held.begun
    const stopped = stopping.stop()
    await delay(50)
    held.goOn()
    assert.is((await asking).status, 201)
    await stopped
  } finally {
    await stopTestNode(stopping)
    node = first
  }
})

test.run()
