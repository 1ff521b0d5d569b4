/** Dry runs, keys in quotation marks, and what a repeated answer says of itself: protocol 5.7 and 5.8. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMerchantClient, NoAnswer } from '../../../client/index.ts'
import type { TableName } from '../../../persistence/schema.ts'
import { statement } from '../../../persistence/statement.ts'
import { payOutBody, secretOf, stopTestNode, type TestAnswer, type TestNode } from '../../support/node.ts'
import { call, merchantPath, newOrder } from '../../support/orders.ts'
import { quoteOn, startQuotingNode, valid } from '../../support/quoting.ts'

let node: TestNode
test.before(async () => {
  node = await startQuotingNode()
  const deposits = [{ currency: 'MXN', amount: '100000.00', reference: 'opening' }]
  await node.apply({
    merchants: [{ name: 'Shop', deposits }],
    providers: [
      {
        name: 'Network A',
        credentials: [{ key: 'pk_a', secret: secretOf('pk_a') }],
        networks: ['0001'],
      },
    ],
  })
})
test.after(() => stopTestNode(node))

const tables = ['orders', 'quotes', 'consumers', 'journal', 'postings', 'webhooks'] as const
const kept = [...tables, 'funding_requests', 'idempotency_keys', 'repeated_messages'] as const

const countOf = (table: TableName) =>
  statement<Record<never, never>>()(`test.count.${table}`, ({ db }) =>
    db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows')),
  )
async function everything(): Promise<unknown[]> {
  const counts = kept.map(async (table) => (await node.core.store.query(countOf(table), {}))[0]?.rows)
  return Promise.all(counts)
}

const create = (
  changes: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  path = 'PAY_OUT',
) =>
  node.request({
    as: 'mk_shop',
    path: merchantPath(path === 'PAY_IN' ? 'PAY_IN' : 'PAY_OUT'),
    body: payOutBody(changes),
    headers,
  })
const dry = { 'Dry-Run': 'true' }
const codes = ({ json }: TestAnswer) =>
  json.errors.map(({ attr, code }: { attr: string; code: string }) => `${attr} ${code}`)

test('a dry run of a creation says what would be made, and writes nothing', async () => {
  const before = await everything()
  for (const direction of ['PAY_OUT', 'PAY_IN']) {
    const changes = { merchant_order_id: `tried-${direction}` }
    const tried = await create(changes, { ...dry, 'Idempotency-Key': `tried-${direction}` }, direction)
    assert.equal([tried.status, tried.headers.get('dry-run')], [200, 'true'], tried.text)
    assert.equal(await everything(), before)
    const made = await create(changes, { 'Idempotency-Key': `tried-${direction}` }, direction)
    assert.equal([made.status, made.headers.get('dry-run')], [201, null], 'nothing was kept under its key')
    const { id, redirect_url, code, ...rest } = made.json
    assert.equal(tried.json, rest)
    const again = await create(changes, dry, direction)
    assert.equal([again.status, codes(again)], [400, ['merchant_order_id unique']])
    assert.ok((await everything()).join() !== before.join())
    before.splice(0, before.length, ...(await everything()))
  }
})

test('a dry run of a quote says what it would be, and keeps none', async () => {
  const quote = quoteOn(node)
  const before = await everything()
  const tried = await quote({}, { headers: dry })
  assert.equal([tried.status, tried.headers.get('dry-run'), tried.json.order_price], [200, 'true', '1699.00'])
  assert.not('id' in tried.json)
  assert.equal(await everything(), before)
  assert.is((await quote({ send: '0.10' }, { headers: dry })).status, 400)
})

test('a dry run is refused with all that the real thing would be', async () => {
  const before = await everything()
  const wrong = await create({ price: '1.00', expiry: '2020-01-01T00:00:00Z' }, dry)
  assert.equal([wrong.status, codes(wrong)], [400, ['price invalid', 'expiry invalid']])
  assert.is((await create({ country: 'BR' }, dry)).status, 400)
  assert.equal(await everything(), before)
})

test('what says neither true nor false is refused, and what has no dry run is not done', async () => {
  const before = await everything()
  for (const value of ['1', 'yes', '']) {
    const refused = await create({}, { 'Dry-Run': value })
    assert.equal([refused.status, codes(refused)], [422, ['null dry_run_invalid']], value)
  }
  const claim = { as: 'mk_shop', path: '/api/v1/merchants/claims/', body: {}, headers: dry }
  const refused = await node.request(claim)
  assert.equal([refused.status, codes(refused)], [422, ['null dry_run_unknown']])
  assert.equal(await everything(), before)
  assert.is((await create({}, { 'Dry-Run': 'false' })).status, 201)
})

test('a start that is said to be a dry run locks nothing', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const path = `/api/v1/providers/orders/pay-out/${order.code}/start-payment/`
  const refused = await node.request({ as: 'pk_a', path, body: { network_id: '0001' }, headers: dry, at: 60 })
  assert.is(refused.status, 422)
  assert.is((await node.core.orders.find(order.id))?.order.status, 'READY')
})

test('an Idempotency-Key in quotation marks is the same key, and a repeated answer says so', async () => {
  const changes = { merchant_order_id: 'quoted', expiry: '2026-03-03T12:00:00Z' }
  const first = await create(changes, { 'Idempotency-Key': 'quoted-1' })
  assert.equal([first.status, first.headers.get('idempotency-replayed')], [201, null])
  for (const key of ['"quoted-1"', 'quoted-1']) {
    const again = await create(changes, { 'Idempotency-Key': key })
    assert.equal([again.status, again.headers.get('idempotency-replayed')], [201, 'true'], key)
    assert.is(again.text, first.text)
  }
  const broken = await create({}, { 'Idempotency-Key': '"quoted-1' })
  assert.equal([broken.status, codes(broken)], [422, ['null idempotency_key_invalid']])
})

test('a start that comes again says that its answer is the first one’s', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const path = `/api/v1/providers/orders/pay-out/${order.code}/start-payment/`
  const start = { as: 'pk_a', path, body: { network_id: '0001' }, at: 61 }
  const first = await node.request(start)
  const again = await node.request(start)
  const told = [first, again].map(({ status, headers }) => [status, headers.get('idempotency-replayed')])
  assert.equal(told, [
    [200, null],
    [200, 'true'],
  ])
  assert.is((await call(node, order, 'confirm')).headers.get('idempotency-replayed'), null)
})

test('the client tries a creation, and trusts no answer that does not say that it was a trial', async () => {
  const client = (ask: typeof fetch) =>
    createMerchantClient({
      url: node.publicUrl,
      key: 'mk_shop',
      secret: secretOf('mk_shop'),
      now: node.clock.now,
      fetch: ask,
    })
  const body = { ...valid, blockchain: 'SOLANA' } as const
  const tried = await client(fetch).createQuoteDryRun({ body })
  assert.is(tried.order_price, '1699.00')
  const dropping: typeof fetch = (url, init) => {
    const { 'Dry-Run': _, ...headers } = (init?.headers ?? {}) as Record<string, string>
    return fetch(url, { ...init, headers })
  }
  let asked = 0
  const counting: typeof fetch = (url, init) => {
    asked++
    return dropping(url, init)
  }
  try {
    await client(counting).createQuoteDryRun({ body })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, NoAnswer)
    assert.is(asked, 1)
  }
})

test.run()
