/**
 * The limit: what the same work costs without an architecture. A bare `node:http` server with the same
 * signature check and the same rows, written by hand, group commit, `synchronous=FULL`: `limit.ts FOLDER`.
 *
 * It validates nothing and keeps no promises of the node beyond the bytes on the disk.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database, { type Statement } from 'better-sqlite3'
import { verifySignature } from '../../../actors/keys/signature.ts'
import { openStore } from '../../../persistence/index.ts'
import {
  accountIds,
  accounts,
  answerOf,
  byProvider,
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

const [folder = '.'] = process.argv.slice(2)
const startedAt = performance.now()
const file = `${folder}/limit.db`
// The tables, indexes and triggers of the node.
const store = await openStore(`sqlite:${file}`, { clock: { now: () => Date.now() } })
await store.close()
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('foreign_keys = ON')

const secrets = new Map([
  [merchant.key, merchant.secret],
  [provider.key, provider.secret],
])

/** An insert of the columns that the first row has, as all of its kind have; the others keep their default. */
function insertInto(table: string): { run(values: Record<string, unknown>): void } {
  let insertion: Statement | undefined
  return {
    run(values) {
      const columns = Object.keys(values)
      insertion ??= db.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
      )
      insertion.run(values)
    },
  }
}

const insert = {
  party: insertInto('parties'),
  credential: insertInto('credentials'),
  account: insertInto('accounts'),
  order: insertInto('orders'),
  consumer: insertInto('consumers'),
  journal: insertInto('journal'),
  webhook: insertInto('webhooks'),
  posting: insertInto('postings'),
  repeated: insertInto('repeated_messages'),
}
const byCode = db.prepare('SELECT * FROM orders WHERE code = ?')
const repeatedByDigest = db.prepare('SELECT * FROM repeated_messages WHERE party_id = ? AND digest = ?')
const consumerOf = db.prepare('SELECT * FROM consumers WHERE order_id = ?')
const move = db.prepare(
  'UPDATE accounts SET balance_minor = balance_minor + ?, posting_count = ? WHERE id = ?',
)
const updateOrder = db.prepare(
  `UPDATE orders SET status = @status, modified_at = @modified_at, due_at = @due_at, paid_at = @paid_at,
   lock_provider_id = @lock_provider_id, lock_network_id = @lock_network_id, locked_at = @locked_at,
   locks = @locks, revision = @revision, journal_count = @journal_count, journal_head = @journal_head,
   webhook_count = @webhook_count, snapshot = @snapshot WHERE id = @id`,
)

for (const { party, credential } of parties()) {
  insert.party.run(party)
  insert.credential.run(credential)
}
for (const account of accounts()) insert.account.run(account)

/** Nobody else posts, so how many an account has is known without asking. */
const postingCounts = new Map<string, number>()

function post(kind: string, debit: string, credit: string, order: Row, at: number): void {
  const sideOf = (account: string, minor: number) => {
    const number = (postingCounts.get(account) ?? 0) + 1
    postingCounts.set(account, number)
    move.run(minor, number, account)
    return { account, number }
  }
  const debited = sideOf(debit, -Number(order.price_minor))
  const credited = sideOf(credit, Number(order.price_minor))
  insert.posting.run(postingOf(order, kind, debited, credited, at))
}

function create(body: string): string {
  const input = JSON.parse(body)
  const at = Date.now()
  const order = newOrder(input, at)
  insert.order.run(order)
  insert.consumer.run({ order_id: order.id, email: input.consumer_email, phone_number: '' })
  insert.journal.run(nextEntry(order, created(at)))
  insert.journal.run(nextEntry(order, reserved(at)))
  post('reserve', accountIds.available, accountIds.reserved, order, at)
  updateOrder.run(order)
  return JSON.stringify({ ...input, id: order.id, status: 'CREATED', paid: null })
}

function start(code: string, digest: string): string {
  const at = Date.now()
  repeatedByDigest.get(providerId, digest)
  const order = byCode.get(code) as Row
  started(order, at)
  insert.journal.run(nextEntry(order, byProvider('payment.start', 'READY', at)))
  updateOrder.run(order)
  const answer = answerOf(order, { modified: at })
  insert.repeated.run(storedAnswer(order, digest, answer, at))
  return answer
}

function confirm(code: string): string {
  const at = Date.now()
  const order = byCode.get(code) as Row
  const consumer = consumerOf.get(order.id) as Row
  confirmed(order, at)
  insert.journal.run(nextEntry(order, byProvider('payment.confirm', 'PAYMENT_STARTED', at)))
  post('settle', accountIds.reserved, accountIds.provider, order, at)
  insert.webhook.run(webhookOf(order, consumer, at))
  updateOrder.run(order)
  return answerOf(order, { paid: at, modified: at })
}

interface Pending {
  run: () => string
  response: ServerResponse
  status: number
}

let pending: Pending[] = []

function commit(): void {
  const batch = pending
  pending = []
  db.exec('BEGIN IMMEDIATE')
  const answers = batch.map(({ run }) => run())
  db.exec('COMMIT')
  for (const [index, { response, status }] of batch.entries()) {
    const answer = Buffer.from(answers[index] ?? '')
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': answer.length })
      .end(answer)
  }
}

function enqueue(work: Pending): void {
  if (pending.push(work) === 1) setImmediate(commit)
}

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    const { headers, method = '', url: path = '' } = request
    const key = String(headers['merchant-key'] ?? headers['provider-key'])
    const messageDate = String(headers['message-date'])
    const digest = String(headers['message-hash'])
    const isGenuine = verifySignature(
      { key, messageDate, method, path, body },
      secrets.get(key) ?? '',
      digest,
    )
    if (!isGenuine || Math.abs(Date.now() - Number(messageDate) * 1000) > 300_000) {
      response.writeHead(403).end()
      return
    }
    const [, code = '', action] = /pay-out\/(\d+)\/(\w+)-payment/.exec(path) ?? []
    if (action === undefined) enqueue({ run: () => create(body.toString()), response, status: 201 })
    else if (action === 'start') enqueue({ run: () => start(code, digest), response, status: 200 })
    else enqueue({ run: () => confirm(code), response, status: 200 })
  })
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const readyMs = performance.now()
  reply({ told: 'ready', port, readyMs, openMs: readyMs - startedAt })
})

const readyCodes = db
  .prepare(`SELECT code FROM orders WHERE status = 'READY' ORDER BY created_at DESC LIMIT ?`)
  .pluck()

// The bench is gone: nobody will ask again.
process.on('disconnect', () => process.exit(1))

process.on('message', ({ ask, ...question }: Question) => {
  if (ask === 'memory') reply(memory())
  else if (ask === 'processor') reply(processor())
  else if (ask === 'codes' && 'limit' in question) {
    reply({ told: 'codes', codes: readyCodes.all(question.limit).map(String) })
  } else process.exit(0)
})
