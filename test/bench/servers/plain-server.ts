/** What the plain services share: Koa in front, Kysely behind, a transaction for each request. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import Koa, { type Context } from 'koa'
import { type Dialect, Kysely, PostgresDialect, SqliteDialect, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { verifySignature } from '../../../actors/keys/signature.ts'
import { memory, merchant, processor, provider, type Question, reply } from './protocol.ts'

/** By which it is fastest here: five (as the node's steps have) and forty are slower. */
const connections = 20

const secrets = new Map([
  [merchant.key, merchant.secret],
  [provider.key, provider.secret],
])

/** What is read of an order's row here, whatever else it has. */
interface AnyOrders {
  orders: { code: string; status: string; created_at: number }
}

/** What is done with each request, in its transaction; an answer's text comes back. */
export interface PlainSteps<Tables> {
  /** By `performance.now()`. */
  startedAt: number
  create(trx: Transaction<Tables>, body: string): Promise<string>
  start(trx: Transaction<Tables>, code: string, digest: string): Promise<string>
  confirm(trx: Transaction<Tables>, code: string): Promise<string>
}

/** @param url of PostgreSQL, or `sqlite:` and a file, whose commits are on the disk before they are answered */
export function openDatabase<Tables>(url: string): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialectOf(url) })
}

function dialectOf(url: string): Dialect {
  if (!url.startsWith('sqlite:')) {
    return new PostgresDialect({ pool: new Pool({ connectionString: url, max: connections }) })
  }
  const database = new Database(url.slice('sqlite:'.length))
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
    database.pragma(pragma)
  }
  return new SqliteDialect({ database })
}

/** Serves until the bench has had enough. */
export function servePlainly<Tables extends AnyOrders>(db: Kysely<Tables>, steps: PlainSteps<Tables>): void {
  const application = new Koa()
  application.use((context) => serve(context, db, steps))
  const server = createServer(application.callback())
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    const readyMs = performance.now()
    reply({ told: 'ready', port, readyMs, openMs: readyMs - steps.startedAt })
  })

  // The bench is gone: nobody will ask again.
  process.on('disconnect', () => process.exit(1))

  process.on('message', async ({ ask, ...question }: Question) => {
    if (ask === 'memory') reply(memory())
    else if (ask === 'processor') reply(processor())
    else if (ask === 'codes' && 'limit' in question) {
      // Kysely does not know columns of tables that are a parameter.
      const orders = db as unknown as Kysely<AnyOrders>
      reply({ told: 'codes', codes: await readyCodes(orders, question.limit) })
    } else process.exit(0)
  })
}

async function serve<Tables>(
  context: Context,
  db: Kysely<Tables>,
  { create, start, confirm }: PlainSteps<Tables>,
): Promise<void> {
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

async function readyCodes(db: Kysely<AnyOrders>, limit: number): Promise<string[]> {
  const newest = db.selectFrom('orders').select('code').orderBy('created_at', 'desc').limit(limit)
  const found = await newest.where('status', '=', 'READY').execute()
  return found.map(({ code }) => code)
}
