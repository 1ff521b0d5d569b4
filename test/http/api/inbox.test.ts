/** The inbox of a sandbox: the one private address to which webhooks go, and nothing for whoever has not its token. */
import { request as httpRequest } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { webhookRotateSecret } from '../../../actors/operations/webhook-secrets.ts'
import { inboxToken, isInboxUrl, merchantOfToken } from '../../../actors/sandbox/inbox.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { newOrder } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  // Whatever the settings say of private addresses: this one is allowed.
  node = await startTestNode({ env: { VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'false' } })
})
test.after(() => stopTestNode(node))

let messages = 0
const inbox = async (as = 'mk_shop') =>
  (await node.request({ as, path: '/api/v1/sandbox/inbox/', at: ++messages / 1000 })).json
const simulate = (order: string, step: string) =>
  node.request({
    as: 'mk_shop',
    path: `/api/v1/sandbox/orders/${order}/simulate/`,
    body: { step },
    at: ++messages / 1000,
  })

test('a merchant without a server gives it as notify_url, and sees its webhook verified', async () => {
  const { notify_url } = await inbox()
  assert.match(notify_url, `${node.publicUrl}/sandbox/inbox/`)
  const { id } = await newOrder(node, 'PAY_IN', 'mk_shop', { notify_url })
  await simulate(id, 'confirm')
  await node.until(async () => (await inbox()).results.length === 1)
  const [{ order, order_status, is_verified, problem, is_standard, body, attempt }] = (await inbox()).results
  assert.equal(
    [order, order_status, is_verified, problem, is_standard, attempt],
    [id, 'COMPLETED', true, null, false, '1'],
  )
  assert.is(JSON.parse(body).status, 'COMPLETED')
  const sent = () =>
    node.request({ as: 'mk_shop', path: '/api/v1/sandbox/deliveries/', at: ++messages / 1000 })
  // It is written with the end of the attempt.
  await node.until(async () => (await sent()).json.results.length === 1)
  const deliveries = await sent()
  assert.equal([deliveries.json.results[0].verdict, deliveries.json.results[0].status], ['verified', 200])
})

test('what an inbox does is one step of an integration, and no other', async () => {
  const { json } = await node.request({ as: 'mk_shop', path: '/api/v1/sandbox/go-live/' })
  const done = json.results.filter(({ done: at }: { done: string | null }) => at !== null)
  assert.equal(
    done.map(({ step }: { step: string }) => step),
    ['webhook_verified'],
  )
})

test('with Standard Webhooks both signatures are verified', async () => {
  const context = { ...node.core, clock: node.clock, operator: 'ana' }
  await webhookRotateSecret.run(context, { merchant: 'Shop', reason: 'a test' })
  const { notify_url } = await inbox()
  const path = '/api/v1/merchants/webhooks/ping/'
  const pinged = await node.request({ as: 'mk_shop', path, body: { notify_url } })
  assert.equal(JSON.parse(pinged.json.answer), { verdict: 'verified', standard_webhooks: true })
  assert.is((await inbox()).results[0].is_standard, true)
})

test('a wrong signature is refused, and said', async () => {
  await node.request({ as: 'mk_shop', path: '/api/v1/sandbox/faults/', body: { fault: 'bad_signature' } })
  const { notify_url } = await inbox()
  const path = '/api/v1/merchants/webhooks/ping/'
  await node.request({ as: 'mk_shop', path, body: { notify_url }, at: ++messages / 1000 })
  const [right, wrong] = (await inbox()).results
  assert.equal([right.is_verified, wrong.is_verified, wrong.body], [true, false, null])
  assert.match(wrong.problem, /Message-Hash/)
})

const problems: [name: string, headers: Record<string, string>, said: RegExp][] = [
  ['nothing is signed', {}, /is missing/],
  [
    'another key',
    { 'Merchant-Key': 'mk_other', 'Message-Date': '1772366400.1', 'Message-Hash': 'x' },
    /not the key/,
  ],
  ['no time', { 'Merchant-Key': 'mk_shop', 'Message-Date': 'now', 'Message-Hash': 'x' }, /no time/],
  [
    'an old one',
    { 'Merchant-Key': 'mk_shop', 'Message-Date': '1772360000.1', 'Message-Hash': 'x' },
    /five minutes/,
  ],
]
for (const [name, headers, said] of problems)
  test(`${name}: refused, and said why`, async () => {
    const { notify_url } = await inbox()
    const answer = await fetch(notify_url, { method: 'POST', body: '{}', headers })
    assert.is(answer.status, 403)
    assert.match(((await answer.json()) as { verdict: string }).verdict, said)
  })

test('another merchant’s webhook is not verified in it', async () => {
  const { notify_url } = await inbox('mk_other')
  const path = '/api/v1/merchants/webhooks/ping/'
  const pinged = await node.request({ as: 'mk_shop', path, body: { notify_url }, at: ++messages / 1000 })
  assert.equal([pinged.json.outcome, pinged.json.status], ['refused', 403])
})

test('of whoever has no token nothing is read', async () => {
  const { notify_url } = await inbox()
  const { results: before } = await inbox()
  const other = `${notify_url.slice(0, -3)}abc`
  for (const url of [other, notify_url.slice(0, -1), `${notify_url}/`, `${node.publicUrl}/sandbox/inbox/`]) {
    assert.is((await fetch(url, { method: 'POST', body: '{}' })).status, 404, url)
    assert.is((await fetch(url)).status, 404, url)
  }
  // It is answered before its body has come.
  const status = await new Promise((resolve) => {
    const asked = httpRequest(other, { method: 'POST', headers: { 'Content-Length': '60000' } })
    asked.on('response', (response) => {
      asked.destroy()
      resolve(response.statusCode)
    })
    asked.on('error', () => {})
    asked.write('x')
  })
  assert.is(status, 404)
  assert.is((await inbox()).results.length, before.length)
})

test('what is too large is refused, and whoever opens the address sees what came, without bodies', async () => {
  const { notify_url } = await inbox()
  const large = await fetch(notify_url, { method: 'POST', body: 'x'.repeat(70_000) })
  assert.is(large.status, 413)
  const shown = await (await fetch(notify_url)).text()
  assert.match(shown, /"is_verified":true/)
  assert.not.match(shown, '"body"')
})

test('nothing else private is allowed for it', async () => {
  const { notify_url } = await inbox()
  const others = [
    `${node.publicUrl}/sandbox/inbox/`,
    `${node.publicUrl}/`,
    `${node.publicUrl}/api/v1/openapi.json`,
    `${notify_url}?to=elsewhere`,
    `${notify_url}/../../healthz`,
    notify_url.replace('127.0.0.1', '127.0.0.2'),
    notify_url.replace(/:\d+\//, ':1/'),
    node.operatorUrl,
  ]
  for (const url of others) {
    const made = await node.request({
      as: 'mk_shop',
      path: '/api/v1/merchants/webhooks/ping/',
      body: { notify_url: url },
      at: ++messages / 1000,
    })
    assert.is(made.status, 400, url)
    assert.match(made.text, /GET \/sandbox\/inbox\//)
  }
})

test('a token is of one merchant and of one node', () => {
  const merchant = '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10'
  const token = inboxToken('key', merchant)
  assert.is(merchantOfToken('key', token), merchant)
  assert.is(merchantOfToken('another key', token), null)
  assert.is(isInboxUrl('https://Pay.example', 'key', `https://pay.example/sandbox/inbox/${token}`), true)
  assert.is(isInboxUrl('https://pay.example', 'key', `https://evil.example/sandbox/inbox/${token}`), false)
})

test.run()
