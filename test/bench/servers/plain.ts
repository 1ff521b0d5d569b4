/**
 * What most would write instead: Koa, Kysely, and a transaction for each request, with the same signature check, the
 * same tables and the same rows as the node's: `plain.ts FOLDER [URL]`. Without a URL of PostgreSQL it is SQLite.
 *
 * It validates nothing, and keeps the secrets in memory instead of asking the database who may still sign.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import Koa, { type Context } from 'koa'
import { type Dialect, Kysely, PostgresDialect, SqliteDialect, sql, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { verifySignature } from '../../../actors/keys/signature.ts'
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
import { memory, merchant, processor, provider, type Question, reply } from './protocol.ts'

type Tables = Record<string, Row>

/** By which it is fastest here: five (as the node's steps have) and forty are slower. */
const connections = 20

const [folder = '.', url = `sqlite:${folder}/plain.db`] = process.argv.slice(2)
const isSqlite = url.startsWith('sqlite:')
const startedAt = performance.now()
// The tables, indexes and triggers of the node.
const store = await openStore(url, { clock: { now: () => Date.now() } })
await store.close()

const db = new Kysely<Tables>({ dialect: dialectOf(url) })

function dialectOf(place: string): Dialect {
  if (!isSqlite) return new PostgresDialect({ pool: new Pool({ connectionString: place, max: connections }) })
  const database = new Database(place.slice('sqlite:'.length))
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
    database.pragma(pragma)
  }
  return new SqliteDialect({ database })
}

const secrets = new Map([
  [merchant.key, merchant.secret],
  [provider.key, provider.secret],
])

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

async function serve(context: Context): Promise<void> {
  const body = await bodyOf(context)
  const { method, url: path } = context
  const key = context.get('Merchant-Key') || context.get('Provider-Key')
  const messageDate = context.get('Message-Date')
  const digest = context.get('Message-Hash')
  const isGenuine = verifySignature({ key, messageDate, method, path, body }, secrets.get(key) ?? '', digest)
  if (!isGenuine || Math.abs(Date.now() - Number(messageDate) * 1000) > 300_000) return context.throw(403)
  const [, code = '', action] = /pay-out\/(\d+)\/(\w+)-payment/.exec(path) ?? []
  context.status = action === undefined ? 201 : 200
  context.type = 'application/json'
  context.body = await db.transaction().execute((trx) => {
    if (action === undefined) return create(trx, body.toString())
    return action === 'start' ? start(trx, code, digest) : confirm(trx, code)
  })
}

async function bodyOf(context: Context): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of context.req) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const application = new Koa()
application.use(serve)
const server = createServer(application.callback())

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const readyMs = performance.now()
  reply({ told: 'ready', port, readyMs, openMs: readyMs - startedAt })
})

async function readyCodes(limit: number): Promise<string[]> {
  const newest = db.selectFrom('orders').select('code').orderBy('created_at', 'desc').limit(limit)
  const found = await newest.where('status', '=', 'READY').execute()
  return found.map(({ code }) => String(code))
}

// The bench is gone: nobody will ask again.
process.on('disconnect', () => process.exit(1))

process.on('message', async ({ ask, ...question }: Question) => {
  if (ask === 'memory') reply(memory())
  else if (ask === 'processor') reply(processor())
  else if (ask === 'codes' && 'limit' in question) {
    reply({ told: 'codes', codes: await readyCodes(question.limit) })
  } else process.exit(0)
})
