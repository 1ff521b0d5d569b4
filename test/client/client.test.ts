import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { webhookHeaders } from '../../actors/webhooks/headers.ts'
import {
  type ClientOptions,
  Conflict,
  createMerchantClient,
  createProviderClient,
  InvalidRequest,
  Misuse,
  NoAnswer,
  NotFound,
  PermissionDenied,
  Throttled,
  Unavailable,
  verify,
  verifyWebhook,
} from '../../client/index.ts'
import vectors from '../../docs/signature-vectors.json' with { type: 'json' }
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
    assert.is(invalid.message, 'price: Value is too low.')
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

/** Answers in turn, the last one for ever; counts what was asked and how long was slept. */
function answers(...turns: (Response | Error)[]) {
  const sent: Headers[] = []
  const waits: number[] = []
  let at = node.clock.now()
  const more: Partial<ClientOptions> = {
    attempts: 30,
    now: () => at,
    async sleep(ms) {
      waits.push(ms)
      at += ms
    },
    async fetch(_, init) {
      sent.push(new Headers(init?.headers))
      const turn = turns[Math.min(sent.length, turns.length) - 1]
      if (turn instanceof Error) {
        at += 15_000
        throw turn
      }
      return turn?.clone() ?? new Response('', { status: 503 })
    },
  }
  return { sent, waits, more }
}
const busy = (after: string) => new Response('busy', { status: 429, headers: { 'retry-after': after } })
const caught = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error) => error)

test('whoever is told to wait longer than it wants to learns at once how long', async () => {
  const soon = new Date(node.clock.now() + 5_000).toUTCString()
  const rows: [string, number, number[]][] = [
    ['86522', 86_522, []],
    ['9999999999', 9_999_999_999, []],
    ['61', 61, []],
    ['60', 60, [60_000]],
    ['0', 0, [250]],
    [soon, 5, [5_000]],
    ['soon', 1, [1_000]],
    ['-5', 1, [1_000]],
  ]
  for (const [told, seconds, waited] of rows) {
    const { more, waits, sent } = answers(busy(told))
    const error = await caught(
      createMerchantClient(options('mk_shop', { ...more, attempts: 2 })).listPayInOrders(),
    )
    assert.instance(error, Throttled, told)
    if (error instanceof Throttled && told !== soon) {
      assert.is(error.retryAfterSeconds, seconds)
      assert.match(error.message, `${seconds} s`)
    }
    assert.equal(waits, waited, told)
    assert.is(sent.length, waited.length + 1)
  }
  const { more, waits } = answers(busy('20'))
  await caught(createMerchantClient(options('mk_shop', { ...more, maxPauseMs: 10_000 })).listPayInOrders())
  assert.equal(waits, [])
})

test('no pause is longer than a timer can be, however often it is tried', async () => {
  const { more, waits } = answers(new Response('', { status: 503 }))
  const patient = { ...more, attempts: 60, maxPauseMs: Number.MAX_SAFE_INTEGER, timeoutMs: 2 ** 40 }
  await caught(createMerchantClient(options('mk_shop', patient)).listPayInOrders())
  assert.is(waits.length, 59)
  assert.is(Math.max(...waits), 2 ** 31 - 1)
})

test('a start that may have been judged is repeated byte for byte, and given up once it is too old', async () => {
  const { more, sent } = answers(new TypeError('the connection broke'))
  const provider = createProviderClient(options('pk_a', more))
  const error = await caught(provider.startPayOut({ code: '123456789012347', body: paymentBody() }))
  assert.instance(error, NoAnswer)
  assert.match(String(error), 'look the order up')
  const dates = new Set(sent.map((headers) => headers.get('message-date')))
  assert.is(dates.size, 1)
  const [date] = dates
  // 15 s for each attempt, and pauses of at most a minute: none was sent that the node would refuse for its age.
  assert.ok(sent.length > 5 && sent.length < 20, String(sent.length))
  assert.is(Math.round(Number(date)), Math.round(node.clock.now() / 1000))
})

test('a start that was refused for its number alone is signed anew', async () => {
  const { more, sent } = answers(busy('50'))
  const provider = createProviderClient(options('pk_a', { ...more, attempts: 9 }))
  assert.instance(
    await caught(provider.startPayOut({ code: '123456789012347', body: paymentBody() })),
    Throttled,
  )
  const dates = sent.map((headers) => Number(headers.get('message-date')))
  assert.equal(
    dates.map((date) => Math.round(date - (dates[0] ?? 0))),
    [0, 50, 100, 150, 200, 250, 300, 350, 400],
  )
})

test('a start that is to be signed again is the caller’s to decide', async () => {
  const conflict = new Response('{"detail":"sign it again"}', { status: 409 })
  const { more, sent } = answers(new TypeError('the connection broke'), conflict)
  const provider = createProviderClient(options('pk_a', more))
  const error = await caught(provider.cancelPayOut({ code: '123456789012347', body: paymentBody() }))
  assert.instance(error, Conflict)
  assert.is(sent.length, 2)
})

test('the API’s base is as good as the node’s address, and what cannot work is said at once', async () => {
  for (const end of ['/', '//', '/api/v1', '/api/v1/']) {
    const merchant = createMerchantClient(options('mk_shop', { url: `${node.publicUrl}${end}` }))
    assert.ok(Array.isArray((await merchant.listPayInOrders()).results), end)
  }
  const misuse = (more: Partial<ClientOptions>) => {
    try {
      createMerchantClient(options('mk_shop', more))
      return 'taken'
    } catch (error) {
      return error instanceof Misuse ? error.message.split(':')[0] : String(error)
    }
  }
  const others = ['https://pay.example/?', 'https://pay.example#', 'https://ana:secret@pay.example']
  for (const url of ['', 'pay.example', 'ftp://pay.example', 'https://pay.example/?a=1', ...others]) {
    assert.is(misuse({ url }), 'url', url)
  }
  assert.is(misuse({ key: '' }), 'key')
  assert.is(misuse({ secret: '' }), 'secret')
  const merchant = createMerchantClient(options('mk_shop'))
  for (const id of ['', '.', '..']) {
    assert.match(String(await caught(merchant.getPayOutOrder({ id }))), /^Misuse: id: /)
  }
  for (const id of ['%2e%2e', 'a/b', '?', '#', 'ñ']) {
    assert.instance(await caught(merchant.getPayOutOrder({ id })), NotFound, id)
  }
})

test('answers of something between are errors like others', async () => {
  for (const text of [
    '',
    'null',
    '[]',
    '"no"',
    '{"errors":7}',
    '{"errors":[null,{}],"detail":3}',
    '<html>',
  ]) {
    const { more } = answers(new Response(text, { status: 400 }))
    const error = await caught(createMerchantClient(options('mk_shop', more)).listPayInOrders())
    assert.instance(error, InvalidRequest, text)
    if (error instanceof InvalidRequest)
      assert.equal([error.message, error.errors], ['The node answered 400.', []])
  }
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
  assert.is(await refused({ path: '' }), 'Its hash differs.')
  for (const [text, message] of [
    ['{', 'Its body is not JSON.'],
    ['7', 'Its body is no order.'],
    ['null', 'Its body is no order.'],
  ] as const) {
    const others = webhookHeaders(
      { id: 'w1', sequence: 2, url: 'https://shop.example/hooks', body: text },
      1,
      credential,
      node.clock.now(),
    )
    assert.is(await refused({ body: text, headers: new Headers(others) }), message)
  }
  assert.is(await refused({ headers: {} }), 'It is signed with an unknown key.')
  assert.is(await refused({}, { secrets: { toString: 'x' } }), 'It is signed with an unknown key.')
  assert.is(await refused({}, { now: () => node.clock.now() + 301_000 }), 'It was signed at another time.')
})

test('the signature of a webhook covers the path that its request line has', async () => {
  const { key, secret, date, webhooks } = vectors
  const at = Number(date) * 1000
  for (const { notify_url, path, body, hash } of webhooks) {
    const signed = webhookHeaders({ id: 'w1', sequence: 1, url: notify_url, body }, 1, { key, secret }, at)
    assert.is(signed['Message-Date'], date)
    assert.is(signed['Message-Hash'], hash, notify_url)
    // The path as it is sent, and as it was given.
    const given = notify_url.replace('https://shop.example', '').replace(/[?#].*/, '')
    for (const each of [path, given]) {
      const verified = await verifyWebhook(
        { path: each, headers: new Headers(signed), body },
        { secrets: { [key]: secret }, now: () => at },
      )
        .then(() => 'genuine')
        .catch((error) => error.message)
      assert.is(verified, body === '' ? 'Its body is not JSON.' : 'genuine', `${notify_url}: ${each}`)
    }
    assert.is(await verify({ key, messageDate: date, method: 'POST', path, body }, secret, hash), true)
  }
  assert.ok(webhooks.length > 10)
})

test.run()
