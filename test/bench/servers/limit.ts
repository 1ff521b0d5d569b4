/**
 * The limit: what the same work costs without an architecture. A bare `node:http` server with the same
 * signature check and the same rows, written by hand, group commit, `synchronous=FULL`: `limit.ts FOLDER`.
 *
 * It validates nothing and keeps no promises of the node beyond the bytes on the disk.
 */
import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import { verifySignature } from '../../../actors/keys/signature.ts'
import { foundation } from '../../../persistence/migrations/0001-foundation.ts'
import { memory, merchant, networkId, processor, provider, type Question, reply } from './protocol.ts'

const [folder = '.'] = process.argv.slice(2)
const startedAt = performance.now()
const db = new Database(`${folder}/limit.db`)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('foreign_keys = ON')
db.exec(foundation.sqlite)
db.pragma('synchronous = FULL')

const merchantId = randomUUID()
const providerId = randomUUID()
const journalKey = 'the key of the journals in the bench'
const secrets = new Map([
  [merchant.key, merchant.secret],
  [provider.key, provider.secret],
])

/** An insert of all columns; what is not given is null, and SQLite then numbers a primary key itself. */
function insertInto(table: string): { run(values: Record<string, unknown>): void } {
  const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all().map(String)
  const insertion = db.prepare(
    `INSERT INTO ${table} VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
  )
  const nothing = Object.fromEntries(columns.map((name) => [name, null]))
  return { run: (values) => insertion.run({ ...nothing, ...values }) }
}

const insert = {
  party: db.prepare(`INSERT INTO parties (id, kind, name, contact, created_at) VALUES (?, ?, ?, '', 0)`),
  credential: db.prepare(
    `INSERT INTO credentials (key, party_id, secret_ciphertext, created_at) VALUES (?, ?, '', 0)`,
  ),
  account: db.prepare('INSERT INTO accounts VALUES (?, ?, ?, ?, ?)'),
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
const move = db.prepare('UPDATE accounts SET balance_minor = balance_minor + ? WHERE id = ?')
const updateOrder = db.prepare(
  `UPDATE orders SET status = @status, modified_at = @modified_at, due_at = @due_at, paid_at = @paid_at,
   lock_provider_id = @lock_provider_id, lock_network_id = @lock_network_id, locked_at = @locked_at,
   locks = @locks, revision = @revision, journal_count = @journal_count, journal_head = @journal_head,
   webhook_count = @webhook_count, snapshot = @snapshot WHERE id = @id`,
)

insert.party.run(merchantId, 'merchant', 'Bench Shop')
insert.party.run(providerId, 'provider', 'Bench Network')
insert.credential.run(merchant.key, merchantId)
insert.credential.run(provider.key, providerId)
const accounts = { available: merchantId, reserved: merchantId, provider: providerId }
for (const [kind, owner] of Object.entries(accounts)) {
  insert.account.run(
    `${kind}:${owner}:MXN`,
    kind,
    owner,
    'MXN',
    kind === 'available' ? 9_000_000_000_000_000 : 0,
  )
}

type Order = Record<string, string | number | null>

function append(
  order: Order,
  event: object,
  from: string | null,
  actor: string,
  key: string,
  at: number,
): void {
  const entry = {
    order_id: order.id,
    sequence: Number(order.journal_count) + 1,
    entry_at: at,
    actor,
    credential_key: key,
    event_json: JSON.stringify(event),
    from_status: from,
    to_status: order.status,
    outcome: 'accepted',
  }
  const head = String(order.journal_head)
  const hash = createHmac('sha256', journalKey).update(head).update(JSON.stringify(entry)).digest('base64url')
  insert.journal.run({ ...entry, hash })
  order.journal_count = entry.sequence
  order.journal_head = hash
}

function post(kind: string, debit: string, credit: string, order: Order, at: number): void {
  move.run(-Number(order.price_minor), debit)
  move.run(Number(order.price_minor), credit)
  insert.posting.run({
    id: null,
    kind,
    debit_account: debit,
    credit_account: credit,
    amount_minor: order.price_minor,
    currency: 'MXN',
    order_id: order.id,
    reference: null,
    posted_at: at,
  })
}

function create(body: string): string {
  const input = JSON.parse(body)
  const at = Date.now()
  const snapshot = {
    status: 'active',
    value: { open: 'READY' },
    historyValue: {},
    context: { ...input },
    children: {},
  }
  const order: Order = {
    id: randomUUID(),
    code: Array.from({ length: 15 }, () => randomInt(10)).join(''),
    direction: 'PAY_OUT',
    order_type: input.order_type,
    merchant_id: merchantId,
    merchant_order_id: input.merchant_order_id,
    credential_key: merchant.key,
    country: input.country,
    price_minor: 100_000,
    currency: 'MXN',
    description: input.description,
    notify_url: input.notify_url,
    return_url: input.return_url,
    created_at: at,
    modified_at: at,
    expiry_at: Date.parse(input.expiry),
    due_at: Date.parse(input.expiry),
    paid_at: null,
    status: 'READY',
    lock_provider_id: null,
    lock_network_id: null,
    locked_at: null,
    locks: 0,
    revision: 2,
    journal_count: 0,
    journal_head: '',
    refusals: 0,
    webhook_count: 0,
    machine: 'payOutLocal',
    machine_version: 1,
    snapshot: JSON.stringify(snapshot),
  }
  insert.order.run(order)
  insert.consumer.run({ order_id: order.id, email: input.consumer_email, phone_number: '' })
  append(order, { type: 'order.create' }, null, 'merchant:Bench Shop', merchant.key, at)
  append(order, { type: 'funds.reserve' }, 'CREATED', 'funding', '', at)
  post('reserve', `available:${merchantId}:MXN`, `reserved:${merchantId}:MXN`, order, at)
  updateOrder.run(order)
  return JSON.stringify({ ...input, id: order.id, status: 'CREATED', paid: null })
}

function start(code: string, digest: string): string {
  const at = Date.now()
  repeatedByDigest.get(providerId, digest)
  const order = byCode.get(code) as Order
  Object.assign(order, {
    status: 'PAYMENT_STARTED',
    modified_at: at,
    lock_provider_id: providerId,
    lock_network_id: networkId,
    locked_at: at,
    locks: 1,
    revision: 3,
  })
  append(
    order,
    { type: 'payment.start', providerId, networkId },
    'READY',
    'provider:Bench Network',
    provider.key,
    at,
  )
  updateOrder.run(order)
  const answer = JSON.stringify({
    price: '1000.00',
    price_currency: 'MXN',
    status: order.status,
    modified: at,
  })
  insert.repeated.run({
    party_id: providerId,
    digest,
    order_id: order.id,
    revision: 3,
    answer_json: answer,
    accepted_at: at,
  })
  return answer
}

function confirm(code: string): string {
  const at = Date.now()
  const order = byCode.get(code) as Order
  const consumer = consumerOf.get(order.id) as Order
  Object.assign(order, {
    status: 'COMPLETED',
    modified_at: at,
    due_at: null,
    paid_at: at,
    revision: 4,
    webhook_count: 1,
  })
  append(
    order,
    { type: 'payment.confirm', providerId },
    'PAYMENT_STARTED',
    'provider:Bench Network',
    provider.key,
    at,
  )
  post('settle', `reserved:${merchantId}:MXN`, `provider:${providerId}:MXN`, order, at)
  insert.webhook.run({
    id: randomUUID(),
    order_id: order.id,
    merchant_id: merchantId,
    sequence: 1,
    order_status: 'COMPLETED',
    is_final: 1,
    url: order.notify_url,
    host: new URL(String(order.notify_url)).host,
    body: JSON.stringify({ ...order, ...consumer, snapshot: undefined }),
    state: 'pending',
    created_at: at,
    due_at: at,
    attempts: 0,
    attempts_before: 0,
    first_attempt_at: null,
    lease_until_at: null,
    settled_at: null,
    last_answer: null,
  })
  updateOrder.run(order)
  return JSON.stringify({
    price: '1000.00',
    price_currency: 'MXN',
    status: 'COMPLETED',
    paid: at,
    modified: at,
  })
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
