/**
 * However many orders and webhooks there are, no statement that passes and pages are made of looks at many more
 * rows than it answers: counted by the server, among twenty thousand of each, when it is asked first, and once the
 * server may take a plan for all arguments.
 */
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderPartsOf } from '../../actors/orders/list-operations.ts'
import type { ColumnValue } from '../../persistence/binding.ts'
import { openStore } from '../../persistence/index.ts'
import { compile } from '../../persistence/postgres/compile.ts'
import * as alarms from '../../persistence/queries/alarms.ts'
import { archivableOrders } from '../../persistence/queries/archive.ts'
import { claimsBooked } from '../../persistence/queries/claims.ts'
import * as foreign from '../../persistence/queries/foreign-orders.ts'
import {
  auditOfDays,
  exceptionsPage,
  ordersPage,
  webhooksPage,
} from '../../persistence/queries/operations.ts'
import * as orders from '../../persistence/queries/orders.ts'
import { forgetUnusedQuotes } from '../../persistence/queries/quote-retention.ts'
import * as reconciliation from '../../persistence/queries/reconciliation.ts'
import { exceptionStates } from '../../persistence/queries/reconciliation-days.ts'
import { nextOrderDue } from '../../persistence/queries/sandbox.ts'
import { ordersByAmount } from '../../persistence/queries/search.ts'
import { creditsOfRange, debitsOfRange } from '../../persistence/queries/statements.ts'
import * as answers from '../../persistence/queries/stored-answers.ts'
import * as retention from '../../persistence/queries/webhook-retention.ts'
import * as deliveries from '../../persistence/queries/webhooks.ts'
import type { Statement } from '../../persistence/statement.ts'
import { hasPostgres, newPostgresDatabase } from '../support/postgres.ts'
import { newOrder, newQuote, provision, write } from './rows.ts'

const rows = 20_000
const limit = 10
/** Of those that are asked for, their neighbours, and what belongs to each. */
const mostRows = 400

/** Copies of a row, numbered; `changes` are pairs of a column and what it has in the n-th copy. */
const copies = (table: string, sample: string, changes: Record<string, string>) => {
  const pairs = Object.entries(changes).map(([column, value]) => `'${column}', ${value}`)
  return `INSERT INTO ${table} SELECT copy.* FROM ${table} sample, generate_series(1, ${rows}) n,
    jsonb_populate_record(sample, jsonb_build_object(${pairs.join(', ')})) copy WHERE sample.${sample}`
}

/** Every fiftieth order is open, and fewer are locked or wait for money; every twentieth webhook is pending. */
const filling = [
  'SET session_replication_role = replica',
  copies('orders', "id = 'sample'", {
    id: "'o' || n",
    code: "'c' || n",
    merchant_order_id: "'shop ' || n",
    merchant_id: "CASE WHEN n % 3 = 0 THEN 'm2' ELSE 'm1' END",
    direction: "CASE WHEN n % 5 = 0 THEN 'PAY_IN' ELSE 'PAY_OUT' END",
    created_at: 'n',
    modified_at: 'n',
    due_at: 'CASE WHEN n % 50 <= 1 THEN 1000000 + n END',
    paid_at: 'CASE WHEN n % 50 > 1 THEN n END',
    status: `CASE WHEN n % 500 = 1 THEN 'PAYMENT_STARTED' WHEN n % 200 = 0 THEN 'CREATED'
      WHEN n % 50 <= 1 THEN 'READY' ELSE 'COMPLETED' END`,
    lock_provider_id: "CASE WHEN n % 500 = 1 OR n % 50 > 1 THEN 'p1' END",
    locked_at: 'CASE WHEN n % 500 = 1 THEN n END',
    locks: 'CASE WHEN n % 1000 = 0 THEN 9 ELSE 1 END',
  }),
  copies('webhooks', "id = 'sample'", {
    id: "'w' || n",
    order_id: "'o' || n",
    host: "'h' || n % 7 || '.example'",
    created_at: 'n',
    due_at: '1000000 + n',
    state: "CASE WHEN n % 20 = 0 THEN 'pending' WHEN n % 400 = 1 THEN 'dead' ELSE 'delivered' END",
    settled_at: 'CASE WHEN n % 20 <> 0 THEN n END',
    lease_until_at: 'CASE WHEN n % 2000 = 0 THEN 1000000 + n END',
  }),
  copies('idempotency_keys', "key = 'sample'", { key: "'k' || n", created_at: 'n' }),
  copies('repeated_messages', "digest = 'sample'", { digest: "'d' || n", accepted_at: 'n' }),
  copies('quotes', "id = 'sample'", { id: "'q' || n", expires_at: 'n' }),
  copies('foreign_orders', "order_id = 'sample'", {
    order_id: "'o' || n",
    quote_id: "'q' || n",
    reference: "'r' || n",
    wallet: "'wallet ' || n % 5000",
    funding_deadline_at: 'CASE WHEN n % 200 = 0 THEN 2000000 ELSE n END',
    build_due_at: 'CASE WHEN n % 200 = 0 THEN 1000000 + n END',
    seen_at: 'CASE WHEN n % 1000 = 7 THEN n END',
  }),
  copies('exceptions', "id = 'sample'", {
    id: "'e' || n",
    order_id: "'o' || n",
    opened_at: 'n',
    state: "CASE WHEN n % 1000 = 0 THEN 'open' ELSE 'resolved' END",
    resolved_at: 'CASE WHEN n % 1000 > 0 THEN n END',
  }),
  copies('funding_requests', "order_id = 'sample'", {
    position: 'n + 1',
    order_id: "'o' || n",
    price_minor: 'n',
  }),
  `INSERT INTO journal (position, order_id, sequence, entry_at, actor, event_json, to_status, outcome, hash)
     SELECT n, 'o' || n, 1, n, 'clock', '{}', 'CREATED', 'accepted', '' FROM generate_series(1, ${rows}) n`,
  // Each order was paid with one provider.
  `INSERT INTO accounts (id, kind, owner_id, currency, balance_minor, posting_count, first_open_day)
     VALUES ('provider:p1:MXN', 'provider', 'p1', 'MXN', 0, ${rows}, ''), ('reserved:m1:MXN', 'reserved', 'm1', 'MXN', 0, ${rows}, '')`,
  `INSERT INTO postings (kind, debit_account, debit_number, credit_account, credit_number, amount_minor, currency, order_id,
       posted_at, debit_day, credit_day)
     SELECT 'settle', 'reserved:m1:MXN', n, 'provider:p1:MXN', n, 1, 'MXN', 'o' || n, n, '2026-01-01', '2026-01-01'
     FROM generate_series(1, ${rows}) n`,
  `INSERT INTO audit (done_at, operator, operation, input_json, outcome)
     SELECT n, 'o' || n % 3, 'order.' || n % 7, '{}', 'done' FROM generate_series(1, ${rows}) n`,
  `INSERT INTO archived_orders (id, code, merchant_id, merchant_order_id, direction, status, created_at, archived_at, file, digest,
       journal_count, journal_head, erased_at)
     SELECT 'a' || n, 'ac' || n, 'm1', 'a' || n, 'PAY_OUT', 'COMPLETED', n, n, '', '', 1, '', n FROM generate_series(1, ${rows}) n`,
  `INSERT INTO report_files (id, network_id, day, source, digest, rules, state, currency, line_count, paid_count, paid_minor,
       began_at, began_by, applied_at)
     SELECT 'f' || n, '0001', 'day ' || n, 'file', '', '', 'current', 'MXN', 200, 200, 200, n, '', n FROM generate_series(1, ${rows / 200}) n`,
  `INSERT INTO report_lines (file_id, line, kind, named, order_id, outcome)
     SELECT 'f' || (n / 200 + 1), n % 200 + 1, 'paid', 'o' || n, 'o' || n, 'matched' FROM generate_series(1, ${rows}) n`,
  `INSERT INTO network_references (network_id, reference, order_id) SELECT '0001', 'r' || n, 'o' || n FROM generate_series(1, ${rows}) n`,
  `INSERT INTO parties (id, kind, name, contact, created_at) VALUES ('m2', 'merchant', 'Other', '', 0)`,
  'ANALYZE',
]

async function filled(): Promise<Client> {
  const url = await newPostgresDatabase()
  const store = await openStore(url, { clock: { now: () => 1 } })
  await provision(store)
  const answer = { party_id: 'm1', order_id: 'sample', answer_json: '{}' }
  await write(store, [
    newOrder('sample', 1),
    newQuote('sample', 1),
    { insert: 'idempotency_keys', values: { ...answer, key: 'sample', payload_digest: '', created_at: 1 } },
    { insert: 'repeated_messages', values: { ...answer, digest: 'sample', revision: 1, accepted_at: 1 } },
    {
      insert: 'funding_requests',
      values: { order_id: 'sample', merchant_id: 'm1', currency: 'MXN', price_minor: 1n },
    },
    {
      insert: 'foreign_orders',
      values: {
        ...{ order_id: 'sample', quote_id: 'sample', blockchain: 'SOLANA', send_currency: 'USDC' },
        ...{ asset_id: 'mint', asset_decimals: 6, wallet: 'wallet', reference: 'sample', expected_minor: 1n },
        ...{
          received_minor: 0n,
          credits_json: '[]',
          treasuries_json: '[]',
          fee_minor: 0n,
          rounding_minor: 0n,
          funding_deadline_at: 1,
          transaction_text: '',
        },
      },
    },
    {
      insert: 'exceptions',
      values: {
        ...{ id: 'sample', kind: 'webhook_dead', state: 'open', reason: '', evidence_json: '{}' },
        ...{ opened_at: 1, revision: 1 },
      },
    },
    {
      insert: 'webhooks',
      values: {
        ...{ id: 'sample', order_id: 'sample', merchant_id: 'm1', sequence: 1, order_status: 'CREATED' },
        ...{ is_final: 0, url: 'https://h1.example/', host: 'h1.example', body: '', state: 'pending' },
        ...{ created_at: 1, due_at: 1_000_000, attempts: 0 },
      },
    },
  ])
  await store.close()
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const text of filling) await client.query(text)
  return client
}

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Rows that were looked at in tables, whether they were answered or not. */
function rowsSeen(plan: Plan): number {
  const isTable = plan['Relation Name'] !== undefined
  const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  const below = (plan.Plans ?? []).map(rowsSeen).reduce((sum, count) => sum + count, 0)
  return below + (isTable ? each * plan['Actual Loops'] : 0)
}

async function seenBy(client: Client, { text, values }: Asked): Promise<number[]> {
  const given = values.map((value) => (value === null ? 'NULL' : client.escapeLiteral(String(value))))
  await client.query(`PREPARE asked AS ${text}`)
  // A statement that removes rows would leave none for the next.
  const undone = async (text: string) => {
    await client.query('BEGIN')
    const { rows } = await client.query(text)
    await client.query('ROLLBACK')
    return rows
  }
  const execute = given.length > 0 ? `EXECUTE asked(${given.join(', ')})` : 'EXECUTE asked'
  const count = async () => {
    const [explained] = await undone(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${execute}`)
    return rowsSeen(explained['QUERY PLAN'][0].Plan)
  }
  const first = await count()
  for (let time = 0; time < 5; time++) await undone(execute)
  const later = await count()
  await client.query('DEALLOCATE asked')
  return [first, later]
}

const now = 1_000_100
const asked = {
  blockchain: 'SOLANA' as const,
  ...{ merchantId: 'm1', host: 'h1.example', orderId: 'o500', providerId: 'p1', partyId: 'm1' },
  ...{ direction: 'PAY_OUT', status: 'READY', merchantOrderId: 'shop 7', currency: 'MXN', key: 'k7' },
  ...{ id: 'o7', code: 'c7', limit, now, until: now, latest: 2_000_000, outageBefore: 0, balanceMinor: 50n },
  ...{ afterAt: 15_000, afterId: 'o', createdAt: 7, since: 100 },
}

interface Asked {
  name: string
  text: string
  values: readonly ColumnValue[]
}

function ask<Arguments extends object, Row>(
  statement: Statement<Arguments, Row>,
  changes: Partial<Arguments> = {},
): Asked {
  const { prepared, bind } = compile(statement)
  return { name: statement.name, text: prepared.text, values: bind({ ...asked, ...changes }) }
}

/** Some orders of a network's report, by their ids and by their codes. */
const named = (prefix: string) =>
  JSON.stringify(Array.from({ length: limit }, (_, index) => `${prefix}${index * 700 + 2}`))
const reported = {
  ...{ ids: named('o'), codes: named('c'), orders: named('o'), references: named('r') },
  ...{ networkId: '0001', account: 'provider:p1:MXN' },
}
const numbers = { account: 'provider:p1:MXN', first: 5000, last: 5000 + limit }

const statements = [
  ask(deliveries.lanesFallenDue, { from: now - 50, to: now }),
  ask(deliveries.laneAfterLane),
  ask(deliveries.dueInLane, { after: 0 }),
  ask(deliveries.countDueInLane),
  ask(deliveries.waitingInLane, { after: now }),
  ask(deliveries.nextDueAt),
  ask(deliveries.pendingOfOrder),
  ask(deliveries.leasedUntil),
  ask(deliveries.bringForward),
  ask(deliveries.deadLettersOf, { until: 1000 }),
  ask(deliveries.undeliveredOfOrder),
  ...Object.values(retention).map((each) => ask(each, { before: 1000 })),
  ...Object.values(answers).map((each) => ask(each, { before: 1000 })),
  ask(forgetUnusedQuotes, { before: 1000 }),
  ask(alarms.oftenReleased),
  ask(alarms.heldSince, { before: 9000 }),
  ask(alarms.quarantinedPastExpiry),
  ask(alarms.heldCount),
  ask(nextOrderDue),
  ask(archivableOrders, { before: 10_000, afterAt: 500 }),
  ask(reconciliation.ordersNamed, reported),
  ask(reconciliation.archivedNamed, reported),
  ask(reconciliation.ordersReferred, reported),
  ask(reconciliation.cashBooked, reported),
  ask(reconciliation.cashExceptions, reported),
  ask(reconciliation.journalledStarts, reported),
  ask(reconciliation.linesAboutOrders, reported),
  ask(claimsBooked, reported),
  ask(exceptionStates, { ids: named('e') }),
  ask(debitsOfRange, numbers),
  ask(creditsOfRange, numbers),
  ask(foreign.foreignOrderByReference, { reference: 'r7' }),
  ask(foreign.waitingOrdersOfWallet, { wallet: 'wallet 200' }),
  ask(foreign.ordersToBuild),
  ask(foreign.ordersAwaiting),
  ask(foreign.ordersSeen),
  ask(exceptionsPage({ state: 'open' }, { after: null, limit })),
  ask(exceptionsPage({ state: 'resolved' }, { after: { at: 15_000, id: 'x' }, limit })),
  ask(exceptionsPage({ orderId: 'o7' }, { after: null, limit })),
  ...[{}, { operator: 'o1' }, { operation: 'order.3' }].flatMap((filter) =>
    [null, { at: 7000, id: '7000' }].map((after) =>
      ask(auditOfDays({ ...filter, from: 5000, to: 9000 }, { after, limit })),
    ),
  ),
  ask(orders.orderByCode),
  ask(ordersByAmount, { minor: 100_000n }),
  ask(orders.consumersAfter, { after: 'o' }),
  ask(orders.creationAnswersOf),
  ask(orders.dueOrders),
  ask(orders.dueOrdersOfMerchant),
  ask(orders.fundableAccounts),
  ask(orders.fundableOrders),
  ask(orders.freeBalance, { account: 'available:m1:MXN' }),
  ask(orders.idempotencyKey),
  ...[true, false].flatMap((status) =>
    [true, false].map((merchantOrderId) =>
      ask(orders.merchantOrders({ status, merchantOrderId }), { from: 0, to: 30_000 }),
    ),
  ),
]

function* pages(): Generator<[what: object, Statement<Record<never, never>, unknown>]> {
  for (const after of [null, { at: 15_000, id: 'x' }]) {
    for (const state of ['pending', 'delivered', 'dead'] as const) {
      for (const merchantId of [undefined, 'm1'])
        for (const oldestFirst of [false, true])
          yield [
            { state, merchantId, after, oldestFirst },
            webhooksPage({ state, merchantId }, { after, limit, oldestFirst }),
          ]
    }
    for (const status of [undefined, 'READY', 'PAYMENT_STARTED', 'COMPLETED'] as const)
      for (const merchantId of [undefined, 'm1'])
        for (const providerId of [undefined, 'p1'])
          for (const merchantOrderId of [undefined, 'shop 7'])
            for (const part of orderPartsOf({ status, merchantId, providerId, merchantOrderId }))
              for (const oldestFirst of [false, true])
                yield [{ ...part, after, oldestFirst }, ordersPage(part, { after, limit, oldestFirst })]
  }
}

if (hasPostgres('the plans of PostgreSQL')) {
  let client: Client
  test.before(async () => {
    client = await filled()
  })
  test.after(() => client.end())

  for (const one of statements)
    test(`${one.name} looks at few rows`, async () => {
      const seen = await seenBy(client, one)
      assert.ok(Math.max(...seen) <= mostRows, seen.join(' and '))
    })

  test('so does every page of orders and webhooks, in whatever way it is narrowed', async () => {
    const wrong: string[] = []
    for (const [what, page] of pages()) {
      const seen = await seenBy(client, ask(page))
      if (Math.max(...seen) > mostRows) wrong.push(`${JSON.stringify(what)}: ${seen.join(' and ')}`)
    }
    assert.equal(wrong, [])
  })
}

test.run()
