/** Deposits that nobody has sent, and rates that are out: what an order in foreign currency comes to by each. */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readTreasuryFacts, treasuryProblems } from '../../../actors/verification/treasury.ts'
import { assetCurrency } from '../../../machines/money.ts'
import { databaseUrl } from '../../../node/settings/database-url.ts'
import { openReader } from '../../../persistence/index.ts'
import { foreignOrderById } from '../../../persistence/queries/foreign-orders.ts'
import { exceptionsPage } from '../../../persistence/queries/operations.ts'
import { unreachableSolana } from '../../support/chains/unreachable.ts'
import { startTestNode, stopTestNode, type TestNode, testParties } from '../../support/node.ts'
import { foreignOrder, testRate } from '../../support/order-requests.ts'
import { newOrder } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  const parties = { ...testParties, rates: [testRate('SOLANA')] }
  node = await startTestNode({ env: unreachableSolana, parties })
})
test.after(() => stopTestNode(node))

const wallet = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const quote = (headers = {}) =>
  node.request({
    as: 'mk_shop',
    path: '/api/v1/merchants/quotes/',
    body: {
      blockchain: 'SOLANA',
      send: '100',
      send_currency: 'USDC',
      target_country: 'MX',
      target_currency: 'MXN',
    },
    headers: { 'Idempotency-Key': randomUUID(), ...headers },
  })

async function waiting(): Promise<string> {
  const expiry = new Date(node.clock.now() + 86_400_000).toISOString()
  const made = { merchant_order_id: randomUUID(), wallet, expiry, quote: (await quote()).json.id }
  const path = '/api/v1/merchants/orders/pay-out/'
  const order = await node.request({ as: 'mk_shop', path, body: { ...foreignOrder, ...made } })
  assert.is(order.status, 201, order.text)
  return order.json.id
}

let messages = 0
const simulate = (id: string, step: string) => {
  const path = `/api/v1/sandbox/orders/${id}/simulate/`
  return node.request({ as: 'mk_shop', path, body: { step }, at: ++messages / 1000 })
}

async function reasons(): Promise<string[]> {
  const page = { after: null, limit: 100, oldestFirst: false }
  const found = await node.core.store.query(exceptionsPage({ state: 'open' }, page), {})
  return found.flatMap(({ evidence_json }) => {
    const { reason, deposit } = JSON.parse(evidence_json)
    return String(deposit).includes('simulated-') ? [reason] : []
  })
}

const cases: [step: string, status: string, reason: string | null][] = [
  ['deposit_exact', 'READY', null],
  ['fund', 'READY', null],
  ['deposit_short', 'CREATED', null],
  ['deposit_over', 'READY', 'overpaid'],
  ['deposit_late', 'CREATED', 'late'],
  ['deposit_wrong_asset', 'CREATED', 'wrong_asset'],
  ['deposit_wrong_sender', 'CREATED', 'other_sender'],
  ['deposit_reversed', 'CREATED', 'clawback'],
]
for (const [step, status, reason] of cases) {
  test(`${step} ends as ${status}${reason === null ? '' : `, with ${reason} for an operator`}`, async () => {
    const before = (await reasons()).length
    const id = await waiting()
    const answer = await simulate(id, step)
    assert.equal([answer.status, answer.json.status], [200, status], answer.text)
    const opened = reason === null ? [] : [reason]
    const after = await reasons()
    assert.is(after.length, before + opened.length)
    assert.ok(opened.every((one) => after.includes(one)))
  })
}

test('two short deposits and the rest fund an order, which is then paid out', async () => {
  const id = await waiting()
  await simulate(id, 'deposit_short')
  await simulate(id, 'deposit_short')
  const { json } = await simulate(id, 'confirm')
  assert.equal(json, { order: id, status: 'COMPLETED', done: 'fund start confirm' })
})

test('what was simulated is in the ledger and in no treasury, and a check of both knows it', async () => {
  const { store } = node.core
  const problems = async () => {
    const reader = await openReader(databaseUrl(node.settings.database))
    try {
      return treasuryProblems(await readTreasuryFacts(reader))
    } finally {
      await reader.close()
    }
  }
  const id = await waiting()
  const [{ asset_id = '', send_currency = '', asset_decimals = 0 } = {}] = await store.query(
    foreignOrderById,
    {
      orderId: id,
    },
  )
  const currency = assetCurrency(send_currency, 'SOLANA', asset_decimals)
  const counted = {
    ...{ blockchain: 'SOLANA', asset_id, symbol: send_currency, decimals: asset_decimals, currency },
    ...{ treasury: 'treasury', opened_height: 1, opened_units: '0', opened_at: node.clock.now() },
    ...{ is_opening_confirmed: 1 as const, corrected_units: '0', book_height: 1, book_units: '0' },
    ...{ held_units: '0', counted_at: node.clock.now(), told_units: '0', exception_id: null },
    ...{ missing_since_height: null, read_twice_height: 1 },
  }
  await store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [{ insert: 'treasury_counts', values: counted }],
    }),
  })
  const before = await problems()
  await simulate(id, 'deposit_exact')
  assert.equal(await problems(), before)
})

test('an order in local currency has no chain deposits', async () => {
  const { id } = await newOrder(node, 'PAY_OUT')
  assert.is((await simulate(id, 'deposit_exact')).status, 422)
})

test('while rates are out a merchant is quoted nothing, and then again', async () => {
  const id = await waiting()
  assert.is((await simulate(id, 'rate_outage')).status, 200)
  assert.is((await quote()).status, 424)
  node.clock.advance(5 * 60_000)
  assert.is((await quote()).status, 201)
})

test.run()
