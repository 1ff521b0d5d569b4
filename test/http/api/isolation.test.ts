/**
 * Two merchants and two providers on every route: another's object is byte for byte like an unknown one, and a
 * key of one kind is nobody on the routes of the other.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  payOutBody,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
} from '../../support/node.ts'
import { call, merchantPath, newOrder, orderIn, paymentBody, providerPath } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

const unknownId = '0f8fad5b-d9cb-469f-a165-70867728950e'
const directions = ['PAY_OUT', 'PAY_IN'] as const

/** All of an answer that may depend on what was asked for. */
function whole({ status, headers, text }: TestAnswer): unknown {
  const own = ['date', 'request-id', 'ratelimit', 'ratelimit-remaining', 'ratelimit-reset']
  return { status, text, headers: [...headers].filter(([name]) => !own.includes(name)) }
}

interface Asked {
  method: 'GET' | 'HEAD' | 'POST'
  path: string
  body?: unknown
}

const merchantRoutes = (direction: (typeof directions)[number], id: string): Asked[] => [
  { method: 'GET', path: merchantPath(direction) },
  { method: 'POST', path: merchantPath(direction), body: payOutBody() },
  { method: 'GET', path: merchantPath(direction, id) },
]
const providerRoutes = (direction: (typeof directions)[number], code: string): Asked[] => [
  { method: 'GET', path: providerPath(direction, code) },
  ...['start', 'confirm', 'cancel'].map((action) => ({
    method: 'POST' as const,
    path: providerPath(direction, code, action),
    body: paymentBody(),
  })),
]

for (const direction of directions) {
  test(`${direction}: another merchant’s order is like an unknown one, in whatever status it is`, async () => {
    for (const situation of ['READY', 'LOCKED', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const) {
      const { id } = await orderIn(node, direction, situation)
      for (const method of ['GET', 'HEAD']) {
        const ask = (of: string) =>
          node.request({ as: 'mk_other', method, path: merchantPath(direction, of) })
        const other = await ask(id)
        assert.is(other.status, 404)
        assert.equal(whole(other), whole(await ask(unknownId)))
        assert.equal(whole(other), whole(await ask('nonsense')))
      }
      assert.is((await node.request({ as: 'mk_shop', path: merchantPath(direction, id) })).status, 200)
    }
  })

  test(`${direction}: a merchant’s key is nobody on a provider’s routes, whatever the code`, async () => {
    const { code } = await newOrder(node, direction)
    for (const named of [code, '000000000000000', 'nonsense']) {
      for (const asked of providerRoutes(direction, named)) {
        const unsigned = await node.request(asked)
        assert.is(unsigned.status, 403)
        assert.equal(whole(await node.request({ ...asked, as: 'mk_shop' })), whole(unsigned))
      }
    }
  })

  test(`${direction}: a provider’s key is nobody on a merchant’s routes, whatever the id`, async () => {
    const { id } = await newOrder(node, direction)
    for (const named of [id, unknownId]) {
      for (const asked of merchantRoutes(direction, named)) {
        const unsigned = await node.request(asked)
        assert.is(unsigned.status, 403)
        assert.equal(whole(await node.request({ ...asked, as: 'pk_a' })), whole(unsigned))
      }
    }
  })

  test(`${direction}: a merchant_order_id is one merchant’s own`, async () => {
    const body = payOutBody()
    const ask = (as: string) => node.request({ as, path: merchantPath(direction), body })
    assert.equal([(await ask('mk_shop')).status, (await ask('mk_other')).status], [201, 201])
    const { merchant_order_id } = body
    for (const as of ['mk_shop', 'mk_other']) {
      const path = `${merchantPath(direction)}?merchant_order_id=${merchant_order_id}`
      assert.is((await node.request({ as, path })).json.results.length, 1)
    }
  })

  test(`${direction}: a list of one merchant’s shows nothing of another’s`, async () => {
    const { id } = await newOrder(node, direction)
    const listed = async (as: string): Promise<string> =>
      (await node.request({ as, path: merchantPath(direction) })).text
    assert.match(await listed('mk_shop'), id)
    assert.not.match(await listed('mk_other'), id)
  })

  test(`${direction}: one provider’s networks are unknown to another, like those of nobody`, async () => {
    const order = await newOrder(node, direction)
    const ask = (network_id: string) => call(node, order, 'start', 'pk_b', { ...paymentBody(), network_id })
    const other = await ask('0001')
    assert.is(other.status, 400)
    assert.equal(whole(other), whole(await ask('9999')))
  })

  test(`${direction}: who holds an order is told to nobody`, async () => {
    const order = await orderIn(node, direction, 'LOCKED')
    const own = await call(node, order, 'check')
    assert.equal(whole(await call(node, order, 'check', 'pk_b')), whole(own))
  })

  test(`${direction}: what one provider sent is no repetition when another sends it`, async () => {
    const order = await newOrder(node, direction)
    const send = (as: string, at: number) =>
      node.request({
        as,
        path: providerPath(direction, order.code, 'start'),
        body: paymentBody(as),
        headers: { 'Idempotency-Key': `the-same-${direction}` },
        at,
      })
    assert.is((await send('pk_a', 0)).status, 200)
    assert.is((await send('pk_b', 0)).status, direction === 'PAY_OUT' ? 409 : 403)
  })
}

test.run()
