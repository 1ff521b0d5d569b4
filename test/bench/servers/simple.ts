/**
 * What somebody writes in a day: Koa, Kysely, a transaction for each request, and three tables: orders, what happened to
 * them, and what is to be told: `simple.ts FOLDER [URL]`. Without a URL of PostgreSQL it is SQLite.
 *
 * No ledger, no chained journal, no stored answers, nobody's limits, and nothing is delivered.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { type ColumnType, type Generated, sql, type Transaction } from 'kysely'
import { openDatabase, servePlainly } from './plain-server.ts'
import { merchant, networkId, provider } from './protocol.ts'

interface Tables {
  orders: {
    number: Generated<number>
    id: string
    code: string
    merchant: string
    merchant_order_id: string
    status: string
    /** In the currency's minor unit. */
    price: ColumnType<number | string, number>
    currency: string
    expiry_at: ColumnType<number | string, number>
    created_at: number
    modified_at: number
    locked_by: string | null
    /** Whatever else is known of it. */
    document: string
  }
  journal: { number: Generated<number>; order_id: string; event: string; happened_at: number; data: string }
  outbox: { number: Generated<number>; order_id: string; body: string; due_at: number }
}

const [folder = '.', url = `sqlite:${folder}/simple.db`] = process.argv.slice(2)
const isSqlite = url.startsWith('sqlite:')
const startedAt = performance.now()
const db = openDatabase<Tables>(url)

async function makeTables(): Promise<void> {
  const number = `number ${isSqlite ? 'INTEGER' : 'BIGSERIAL'} PRIMARY KEY`
  const statements = [
    `CREATE TABLE orders (${number}, id TEXT NOT NULL UNIQUE, code TEXT NOT NULL UNIQUE, merchant TEXT NOT NULL,
      merchant_order_id TEXT NOT NULL, status TEXT NOT NULL, price BIGINT NOT NULL, currency TEXT NOT NULL,
      expiry_at BIGINT NOT NULL, created_at BIGINT NOT NULL, modified_at BIGINT NOT NULL, locked_by TEXT,
      document TEXT NOT NULL, UNIQUE (merchant, merchant_order_id))`,
    'CREATE INDEX orders_by_time ON orders (created_at)',
    `CREATE TABLE journal (${number}, order_id TEXT NOT NULL, event TEXT NOT NULL, happened_at BIGINT NOT NULL,
      data TEXT NOT NULL)`,
    `CREATE TABLE outbox (${number}, order_id TEXT NOT NULL, body TEXT NOT NULL, due_at BIGINT NOT NULL)`,
  ]
  for (const text of statements) await sql.raw(text).execute(db)
}

type Trx = Transaction<Tables>

async function note(trx: Trx, order: string, event: string, at: number, data: object): Promise<void> {
  const entry = { order_id: order, event, happened_at: at, data: JSON.stringify(data) }
  await trx.insertInto('journal').values(entry).execute()
}

async function create(trx: Trx, body: string): Promise<string> {
  const input: Record<string, string> = JSON.parse(body)
  const at = Date.now()
  const order = {
    id: randomUUID(),
    code: Array.from({ length: 15 }, () => randomInt(10)).join(''),
    merchant: merchant.key,
    merchant_order_id: input.merchant_order_id ?? '',
    status: 'READY',
    price: 100_000,
    currency: input.price_currency ?? '',
    expiry_at: Date.parse(input.expiry ?? ''),
    created_at: at,
    modified_at: at,
    locked_by: null,
    document: body,
  }
  await trx.insertInto('orders').values(order).execute()
  await note(trx, order.id, 'created', at, { by: merchant.key, to: order.status })
  return JSON.stringify({ ...input, id: order.id, status: order.status, paid: null })
}

/** The order with this code, if its status is as it has to be. */
async function found(trx: Trx, code: string, status: string) {
  const asked = trx.selectFrom('orders').selectAll().where('code', '=', code).where('status', '=', status)
  // SQLite has one writer, and knows no locks of rows.
  return (isSqlite ? asked : asked.forUpdate()).executeTakeFirstOrThrow()
}

async function start(trx: Trx, code: string): Promise<string> {
  const at = Date.now()
  const { id } = await found(trx, code, 'READY')
  const set = { status: 'PAYMENT_STARTED', locked_by: provider.key, modified_at: at }
  await trx.updateTable('orders').set(set).where('id', '=', id).execute()
  await note(trx, id, 'payment started', at, { by: provider.key, networkId, to: set.status })
  return answerOf(set.status, { modified: at })
}

async function confirm(trx: Trx, code: string): Promise<string> {
  const at = Date.now()
  const { id, document } = await found(trx, code, 'PAYMENT_STARTED')
  const set = { status: 'COMPLETED', modified_at: at }
  await trx.updateTable('orders').set(set).where('id', '=', id).execute()
  await note(trx, id, 'payment confirmed', at, { by: provider.key, networkId, to: set.status })
  const body = JSON.stringify({ ...JSON.parse(document), id, status: set.status, paid: at })
  await trx.insertInto('outbox').values({ order_id: id, body, due_at: at }).execute()
  return answerOf(set.status, { paid: at, modified: at })
}

function answerOf(status: string, times: Record<string, number>): string {
  return JSON.stringify({ price: '1000.00', price_currency: 'MXN', status, ...times })
}

await makeTables()
servePlainly(db, { startedAt, create, start, confirm })
