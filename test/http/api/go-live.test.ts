/** What a till's software has done in a sandbox, and what of all this outlives the node. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { call, newOrder, providerPath } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode({ env: { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '60' } })
})
test.after(() => stopTestNode(node))

let messages = 0
interface Step {
  step: string
  done: string | null
  evidence: string | null
}
const steps = async (as = 'pk_a'): Promise<Step[]> =>
  (await node.request({ as, path: '/api/v1/sandbox/go-live/', at: ++messages / 1000 })).json.results
const done = async (as?: string) =>
  (await steps(as)).filter(({ done: at }) => at !== null).map(({ step }) => step)
const isDone = (step: string, as?: string) => node.until(async () => (await done(as)).includes(step))

test('a till has done what it was seen to do, and another one nothing of it', async () => {
  const payIn = await newOrder(node, 'PAY_IN')
  const payOut = await newOrder(node, 'PAY_OUT')
  await call(node, payIn, 'check')
  await node.request({ as: 'pk_a', path: providerPath('PAY_IN', '123456789012347') })
  for (const action of ['start', 'cancel', 'start', 'confirm'] as const) await call(node, payIn, action)
  for (const action of ['start', 'confirm', 'confirm'] as const) await call(node, payOut, action)
  await isDone('confirmation_repeated')
  assert.equal(await done(), [
    ...['code_looked_up', 'unknown_code_handled', 'pay_in_confirmed', 'pay_out_confirmed'],
    ...['payment_cancelled', 'confirmation_repeated'],
  ])
  assert.equal(await done('pk_b'), [])
  assert.match((await steps())[0]?.evidence ?? '', /^request [0-9a-f-]{36}$/)
})

test('simulations are nobody’s deeds', async () => {
  const { id } = await newOrder(node, 'PAY_IN')
  const path = `/api/v1/sandbox/orders/${id}/simulate/`
  await node.request({ as: 'mk_shop', path, body: { step: 'confirm' } })
  assert.equal(await done('pk_b'), [])
})

test('a conflict counts once the till has gone on', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  await call(node, order, 'start', 'pk_a')
  assert.is((await call(node, order, 'start', 'pk_b')).status, 409)
  await isDone('conflict_handled', 'pk_b')
})

test('a limit counts once it is over', async () => {
  let status = 200
  for (let times = 0; status === 200; times++) {
    assert.ok(times < 100)
    status = (await node.request({ as: 'pk_b', path: '/api/v1/sandbox/go-live/', at: ++messages / 1000 }))
      .status
  }
  assert.is(status, 429)
  node.clock.advance(60_001)
  await steps('pk_b')
  await isDone('limit_handled', 'pk_b')
})

test('a node that is started again knows it all, and what is to go wrong, too', async () => {
  // Nothing is sent of it.
  const { id: order } = await newOrder(node, 'PAY_IN')
  const fault = { fault: 'hang', deliveries: 3, order }
  await node.request({ as: 'mk_shop', path: '/api/v1/sandbox/faults/', body: fault })
  const before = await done()
  await node.stop()
  node = await startTestNode({ directory: node.directory, clock: node.clock, parties: null })
  assert.equal(await done(), before)
  const { json } = await node.request({
    as: 'mk_shop',
    path: '/api/v1/sandbox/faults/',
    at: ++messages / 1000,
  })
  assert.equal([json.results[0].fault, json.results[0].deliveries], ['hang', 3])
})

test.run()
