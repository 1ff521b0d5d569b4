/** Sealed statements as tables, by a format or an Accept header: protocol 15.10. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readCsv } from '../../../actors/foundation/csv.ts'
import { createMerchantClient, createProviderClient } from '../../../client/index.ts'
import { settlementRoutes } from '../../../http/api/settlement.ts'
import { partiesByName } from '../../../persistence/queries/operations.ts'
import { dispatchOf } from '../../support/console.ts'
import { secretOf, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { changedStore } from '../../support/order-world.ts'
import { call, newOrder } from '../../support/orders.ts'
import { addWires, closerOf } from '../../support/statement-world.ts'

/** More than two parts of a table have. */
const wires = 2100

let node: TestNode
/** A statement with a text that spreadsheets run, a long one, and one of Network A. */
test.before(async () => {
  // A test changes what its store reads.
  node = await startTestNode({ env: { VENTANILLA_HTTP_THREADS: '0' } })
  const ask = dispatchOf(node)
  const deposit = {
    merchant: 'Shop',
    currency: 'MXN',
    amount: '0.01',
    reference: '=SUM(A1) "x"',
    reason: 'test',
  }
  await ask('deposit.add', deposit, 'test')
  const order = await newOrder(node, 'PAY_IN')
  for (const action of ['start', 'confirm'] as const) await call(node, order, action)
  await ask('statement.close', { party: 'Shop', currency: 'MXN' }, 'test')
  await ask('statement.close', { party: 'Network A', currency: 'MXN' }, 'test')
  node.clock.advance(86_400_000)
  await addWires(node, wires)
  await ask('statement.close', { party: 'Shop', currency: 'MXN' }, 'test')
  await closerOf({ ...node.core, clock: node.clock }).pass()
})
test.after(() => stopTestNode(node))

const get = (path: string, more: { as?: string; headers?: Record<string, string>; method?: string } = {}) =>
  node.request({ as: 'mk_shop', path: `/api/v1/${path}`, ...more })

function cellsOf(text: string): string[][] {
  const read = readCsv(text)
  assert.ok(read.ok)
  return read.value.map(({ cells }) => [...cells])
}

const head = ['statement', 'currency', 'line', 'day', 'about_day', 'at', 'kind', 'direction']
const tail = ['reference', 'amount', 'fee', 'tax', 'balance']

test('a merchant gets all lines of its statement as one table, and no formula', async () => {
  const { status, headers, text } = await get('merchants/statements/1/?currency=MXN&format=csv')
  assert.is(status, 200)
  assert.is(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.is(headers.get('content-disposition'), 'attachment; filename="statement-MXN-1.csv"')
  const [names, ...rows] = cellsOf(text)
  assert.equal(names, [...head, 'order_id', ...tail])
  const { json } = await get('merchants/statements/1/?currency=MXN')
  const column = (name: string) => rows.map((row) => row[names?.indexOf(name) ?? -1])
  for (const name of ['amount', 'fee', 'tax', 'balance', 'kind'])
    assert.equal(
      column(name),
      json.lines.map((line: Record<string, string>) => line[name]),
    )
  assert.match(text, /"'=SUM\(A1\) ""x"""/)
})

test('a long one has each line once', async () => {
  const { text } = await get('merchants/statements/2/?currency=MXN&format=csv&limit=5&cursor=3')
  const [, ...rows] = cellsOf(text)
  assert.equal(
    rows.map((row) => Number(row[2])),
    Array.from({ length: wires }, (_, index) => index + 1),
  )
})

test('a provider’s has its networks and no order', async () => {
  const { text } = await get('providers/statements/1/?currency=MXN&format=csv', { as: 'pk_a' })
  const [names, row] = cellsOf(text)
  assert.equal(names, [...head, 'network_id', ...tail])
  assert.is(row?.[8], "'0001")
})

test('an Accept header asks for it, too; elsewhere it is refused', async () => {
  const asked = async (path: string, accept: string) => {
    const { status, headers } = await get(path, { headers: { Accept: accept } })
    return `${status} ${headers.get('content-type')?.split(';')[0]}`
  }
  const one = 'merchants/statements/1/?currency=MXN'
  assert.is(await asked(one, 'text/csv'), '200 text/csv')
  assert.is(await asked(one, 'text/csv, application/json;q=0.5'), '200 application/json')
  assert.is(await asked(one, '*/*'), '200 application/json')
  assert.is(await asked(one, 'text/html'), '406 application/json')
  assert.is(await asked(`${one}&format=csv`, 'application/json'), '200 text/csv')
  assert.is(await asked('merchants/statements/', 'text/csv'), '406 application/json')
  assert.is(await asked('merchants/movements/?currency=MXN', 'text/csv'), '406 application/json')
})

test('what is unknown or odd is told as ever', async () => {
  assert.is((await get('merchants/statements/9/?currency=MXN&format=csv')).status, 404)
  assert.is((await get('merchants/statements/1/?currency=MXN&format=csv', { as: 'mk_other' })).status, 404)
  const { status, json } = await get('merchants/statements/1/?currency=MXN&format=xlsx')
  assert.equal([status, json.errors[0].attr], [400, 'format'])
})

test('it is read in parts, each when it is asked for', async () => {
  const limits: unknown[] = []
  const store = changedStore(node.core.store, {
    query(asked, args) {
      if (asked.name === 'statement.lines') limits.push((args as { limit?: number }).limit)
      return node.core.store.query(asked, args)
    },
  })
  const route = settlementRoutes({ store }).find(({ path }) => path === '/merchants/statements/:number/')
  const [shop] = await node.core.store.query(partiesByName, { name: 'Shop' })
  const answer = await route?.methods.GET?.endpoint({
    identity: {
      kind: 'merchant',
      partyId: shop?.id ?? '',
      name: 'Shop',
      key: 'mk_shop',
      secret: '',
      isFrozen: false,
      requestsPerMinute: null,
    },
    digest: '',
    messageDate: '',
    countRefusal: () => null,
    wantsTable: false,
    method: 'GET',
    path: '',
    params: { number: '2' },
    query: '?currency=MXN&format=csv',
    body: Buffer.alloc(0),
    document: {},
    idempotencyKey: null,
    isDryRun: false,
    note() {},
  })
  assert.equal(limits, [1001])
  const parts: string[] = []
  for await (const part of answer?.parts ?? []) parts.push(part)
  assert.equal([parts.length, limits], [3, [1001, 1001, 1001]])
})

test('one that cannot be read to its end is broken off', async () => {
  const { store } = node.core
  const query = store.query.bind(store)
  store.query = (asked, args) => {
    const isLater = asked.name === 'statement.lines' && 'line' in args && args.line !== 0
    return isLater ? Promise.reject(new Error('broken')) : query(asked, args)
  }
  try {
    const got = await get('merchants/statements/2/?currency=MXN&format=csv').catch((error: unknown) => error)
    assert.instance(got, Error)
    assert.match(String(got), /terminated/)
  } finally {
    store.query = query
  }
})

test('the client gets it as a text', async () => {
  const options = (key: string) => ({
    url: node.publicUrl,
    key,
    secret: secretOf(key),
    now: node.clock.now,
  })
  const asked = { number: '1', query: { currency: 'MXN' } }
  const own = await createMerchantClient(options('mk_shop')).getMerchantStatementCsv(asked)
  assert.is(cellsOf(own).length, 4)
  const networks = await createProviderClient(options('pk_a')).getProviderStatementCsv(asked)
  assert.is(cellsOf(networks).length, 2)
})

test.run()
