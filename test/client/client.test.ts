import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { webhookHeaders } from '../../actors/webhooks/headers.ts'
import {
  type ClientOptions,
  createMerchantClient,
  createProviderClient,
  InvalidRequest,
  NoAnswer,
  NotFound,
  PermissionDenied,
  Throttled,
  Unavailable,
  verifyWebhook,
} from '../../client/index.ts'
import { payOutBody, secretOf, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { newOrder, paymentBody } from '../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

const options = (key: string, more: Partial<ClientOptions> = {}): ClientOptions => ({
  url: node.publicUrl,
  key,
  secret: secretOf(key),
  now: node.clock.now,
  sleep: async () => {},
  ...more,
})

interface Sent {
  url: string
  headers: Headers
}

/** A network that carries the first request out, and loses the answer, so often. */
function losing(times: number): { fetch: typeof fetch; sent: Sent[] } {
  const sent: Sent[] = []
  return {
    sent,
    async fetch(url, init) {
      sent.push({ url: String(url), headers: new Headers(init?.headers) })
      const answer = await fetch(url, init)
      if (sent.length > times) return answer
      await answer.text()
      throw new TypeError('the connection broke')
    },
  }
}

const body = () => {
  const { order_type: _, ...rest } = payOutBody()
  return { order_type: 'LocalCurrencyOrder', ...rest } as Parameters<
    ReturnType<typeof createMerchantClient>['createPayInOrder']
  >[0]['body']
}

test('a creation whose answer was lost is repeated under one Idempotency-Key, and creates one order', async () => {
  const network = losing(2)
  const merchant = createMerchantClient(options('mk_shop', { fetch: network.fetch }))
  const order = await merchant.createPayInOrder({ body: body() })
  assert.is(network.sent.length, 3)
  assert.is(new Set(network.sent.map(({ headers }) => headers.get('idempotency-key'))).size, 1)
  const { results } = await merchant.listPayInOrders({
    query: { merchant_order_id: order.merchant_order_id },
  })
  assert.equal(results, [order])
  assert.equal(await merchant.getPayInOrder({ id: order.id }), order)
})

test('a start whose answer was lost is repeated byte for byte, and a confirmation at any time', async () => {
  const { code } = await newOrder(node, 'PAY_OUT')
  const network = losing(1)
  const provider = createProviderClient(options('pk_a', { fetch: network.fetch }))
  const started = await provider.startPayOut({ code, body: paymentBody() })
  assert.is(started.status, 'PAYMENT_STARTED')
  const [first, second] = network.sent
  assert.equal([...(first?.headers ?? [])], [...(second?.headers ?? [])])
  const confirmed = await provider.confirmPayOut({ code, body: paymentBody() })
  assert.equal(await provider.confirmPayOut({ code, body: paymentBody() }), confirmed)
})

test('refusals are errors by their status, and are not repeated', async () => {
  const network = losing(0)
  const merchant = createMerchantClient(options('mk_shop', { fetch: network.fetch }))
  const provider = createProviderClient(options('pk_a'))
  const error = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(() => null).catch((cause) => cause)
  const invalid = await error(merchant.createPayInOrder({ body: { ...body(), price: '1.00' } }))
  assert.instance(invalid, InvalidRequest)
  if (invalid instanceof InvalidRequest) {
    assert.equal(
      invalid.of('price').map(({ detail }) => detail),
      ['Value is too low.'],
    )
    assert.ok(invalid.requestId)
  }
  assert.instance(await error(merchant.getPayOutOrder({ id: 'none/../..' })), NotFound)
  assert.instance(await error(provider.checkPayOut({ code: '123456789012347' })), NotFound)
  const forged = createMerchantClient(options('mk_shop', { secret: 'another', fetch: network.fetch }))
  assert.instance(await error(forged.listPayOutOrders()), PermissionDenied)
  assert.is(network.sent.length, 3)
})

test('it waits as it is told to, gives up in the end, and says when nothing is known', async () => {
  const waits: number[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
  }
  const answering = (status: number, headers: Record<string, string> = {}) =>
    createMerchantClient(
      options('mk_shop', {
        attempts: 3,
        sleep,
        fetch: async () => new Response('busy', { status, headers }),
      }),
    )
  const name = (work: Promise<unknown>) => work.then(() => 'answered').catch((error) => error.constructor)
  assert.is(await name(answering(429, { 'retry-after': '7' }).listPayInOrders()), Throttled)
  assert.is(await name(answering(503).listPayInOrders()), Unavailable)
  assert.equal(waits, [7000, 7000, 250, 500])
  const nobody = createMerchantClient(options('mk_shop', { url: 'http://127.0.0.1:1', attempts: 2 }))
  assert.is(await name(nobody.listPayInOrders()), NoAnswer)
})

test('webhooks are verified by their raw body, and refused for another key, hash, path or time', async () => {
  const text = JSON.stringify({ id: 'o', status: 'COMPLETED', description: 'é' })
  const credential = { key: 'mk_shop', secret: secretOf('mk_shop') }
  const signed = webhookHeaders(
    { id: 'w1', sequence: 2, url: 'https://shop.example/hooks?x=1', body: text },
    3,
    credential,
    node.clock.now(),
  )
  const headers = new Headers(signed)
  const rules = { secrets: { mk_shop: credential.secret }, now: node.clock.now }
  const verified = await verifyWebhook({ path: '/hooks', headers, body: Buffer.from(text) }, rules)
  assert.equal(
    [verified.id, verified.sequence, verified.attempt, verified.order.status],
    ['w1', 2, 3, 'COMPLETED'],
  )
  const lowerCase = Object.fromEntries(headers)
  assert.is((await verifyWebhook({ path: '/hooks', headers: lowerCase, body: text }, rules)).id, 'w1')
  const refused = async (change: object, otherRules = {}) =>
    verifyWebhook({ path: '/hooks', headers, body: text, ...change }, { ...rules, ...otherRules })
      .then(() => 'believed')
      .catch((error) => error.message)
  assert.is(await refused({ body: `${text} ` }), 'Its hash differs.')
  assert.is(await refused({ path: '/hooks?x=1' }), 'Its hash differs.')
  assert.is(await refused({ headers: {} }), 'It is signed with an unknown key.')
  assert.is(await refused({}, { secrets: { toString: 'x' } }), 'It is signed with an unknown key.')
  assert.is(await refused({}, { now: () => node.clock.now() + 301_000 }), 'It was signed at another time.')
})

test.run()
