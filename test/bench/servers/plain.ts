/**
 * Plain code that writes what the node writes: Koa, Kysely, and a transaction for each request, with the same signature
 * check, the same tables and the same rows: `plain.ts FOLDER [URL]`. Without a URL of PostgreSQL it is SQLite.
 *
 * It validates nothing, and keeps the secrets in memory instead of asking the database who may still sign.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import { openStore } from '../../../persistence/index.ts'
import {
  accountIds,
  accounts,
  answerOf,
  byProvider,
  changed,
  confirmed,
  created,
  newOrder,
  nextEntry,
  parties,
  postingOf,
  providerId,
  type Row,
  reserved,
  started,
  storedAnswer,
  webhookOf,
} from './plain-rows.ts'
import { openDatabase, servePlainly } from './plain-server.ts'

type Tables = Record<string, Row>

const [folder = '.', url = `sqlite:${folder}/plain.db`] = process.argv.slice(2)
const isSqlite = url.startsWith('sqlite:')
const startedAt = performance.now()
// The tables, indexes and triggers of the node.
const store = await openStore(url, { clock: { now: () => Date.now() } })
await store.close()

const db = openDatabase<Tables>(url)

for (const { party, credential } of parties()) {
  await insert(db, 'parties', party)
  await insert(db, 'credentials', credential)
}
for (const account of accounts()) await insert(db, 'accounts', account)

async function insert(trx: Kysely<Tables>, table: string, row: Row): Promise<void> {
  await trx.insertInto(table).values(row).execute()
}

type Trx = Transaction<Tables>

async function save(trx: Trx, order: Row): Promise<void> {
  await trx.updateTable('orders').set(changed(order)).where('id', '=', String(order.id)).execute()
}

/** Behind all else of its transaction, because everybody's money moves over the same accounts. */
async function post(trx: Trx, kind: string, debit: string, credit: string, order: Row, at: number) {
  const changes = [
    { id: debit, amount: -Number(order.price_minor) },
    { id: credit, amount: Number(order.price_minor) },
  ]
  // In one order, so that no two transactions wait for each other.
  changes.sort((a, b) => (a.id < b.id ? -1 : 1))
  const numbers = new Map<string, number>()
  for (const { id, amount } of changes) {
    const moved = await trx
      .updateTable('accounts')
      .set({
        balance_minor: sql<number>`balance_minor + ${amount}`,
        posting_count: sql<number>`posting_count + 1`,
      })
      .where('id', '=', id)
      .returning('posting_count')
      .executeTakeFirstOrThrow()
    numbers.set(id, Number(moved.posting_count))
  }
  const sideOf = (account: string) => ({ account, number: numbers.get(account) ?? 0 })
  await insert(trx, 'postings', postingOf(order, kind, sideOf(debit), sideOf(credit), at))
}

async function create(trx: Trx, body: string): Promise<string> {
  const input: Record<string, string> = JSON.parse(body)
  const at = Date.now()
  const order = newOrder(input, at)
  const entries = [nextEntry(order, created(at)), nextEntry(order, reserved(at))]
  await insert(trx, 'orders', order)
  await insert(trx, 'consumers', {
    order_id: order.id ?? null,
    email: input.consumer_email ?? '',
    phone_number: '',
  })
  await trx.insertInto('journal').values(entries).execute()
  await post(trx, 'reserve', accountIds.available, accountIds.reserved, order, at)
  return JSON.stringify({ ...input, id: order.id, status: 'CREATED', paid: null })
}

async function start(trx: Trx, code: string, digest: string): Promise<string> {
  const at = Date.now()
  const order = await locked(trx, code)
  await trx
    .selectFrom('repeated_messages')
    .selectAll()
    .where('party_id', '=', providerId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  started(order, at)
  const answer = answerOf(order, { modified: at })
  await insert(trx, 'journal', nextEntry(order, byProvider('payment.start', 'READY', at)))
  await save(trx, order)
  await insert(trx, 'repeated_messages', storedAnswer(order, digest, answer, at))
  return answer
}

async function confirm(trx: Trx, code: string): Promise<string> {
  const at = Date.now()
  const order = await locked(trx, code)
  const consumer = await trx
    .selectFrom('consumers')
    .selectAll()
    .where('order_id', '=', String(order.id))
    .executeTakeFirstOrThrow()
  confirmed(order, at)
  await insert(trx, 'journal', nextEntry(order, byProvider('payment.confirm', 'PAYMENT_STARTED', at)))
  await insert(trx, 'webhooks', webhookOf(order, consumer, at))
  await save(trx, order)
  await post(trx, 'settle', accountIds.reserved, accountIds.provider, order, at)
  return answerOf(order, { paid: at, modified: at })
}

function locked(trx: Trx, code: string): Promise<Row> {
  const found = trx.selectFrom('orders').selectAll().where('code', '=', code)
  // SQLite has one writer, and knows no locks of rows.
  return (isSqlite ? found : found.forUpdate()).executeTakeFirstOrThrow()
}

servePlainly(db, { startedAt, create, start, confirm })
