/**
 * Fills a database with finished orders, each with all the rows of one that a node has finished: copies of those it
 * has, one after the other, with their own ids, codes and times, and journals that are sealed and anchored. `verify`
 * finds nothing wrong with them. No node may have the database open.
 */
import { createHash } from 'node:crypto'
import { rmSync, statfsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { AnchorDigest, formatAnchor, noAnchor } from '../../actors/anchors/anchor.ts'
import { endedWhileLockedId } from '../../actors/exceptions/exception-id.ts'
import { generateCode } from '../../actors/orders/code.ts'
import { chainHash } from '../../actors/orders/journal.ts'
import { timeOrderedId } from '../../actors/orders/time-ordered-id.ts'
import { deadLetterId } from '../../actors/webhooks/dead-letters.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { anchorsFileOf } from '../../node/anchors-file.ts'
import { openCore } from '../../node/core.ts'
import { loadSettings } from '../../node/settings/config.ts'
import { systemClock } from '../../node/system-clock.ts'
import { LineLog } from '../../persistence/line-log.ts'
import { utcDay } from '../../persistence/posting-days.ts'
import type { Row } from '../../persistence/store.ts'

/** With its share of the indexes; measured. */
const bytesPerOrder = 5_000
/** The copies are spread over it, and it ends now. Webhooks are kept for longer. */
const periodMs = 60 * 24 * 60 * 60 * 1000
/** Nothing of it has to survive anything, and `verify` looks at the references. */
const pragmas = ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -2000000']
const ordersPerTransaction = 10_000
const ordersPerAnchor = 1000

/** @throws Error when the disk has too little room for so many orders. */
export function assertRoom(folder: string, count: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const [free, needed] = [bavail * bsize, count * bytesPerOrder * 1.5 + 2e9]
  if (free >= needed) return
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
  throw new Error(`${folder} has ${gigabytes(free)} left; ${count} orders want ${gigabytes(needed)}.`)
}

/** @param folder of a bench's node that has finished at least one order, and has stopped */
export async function fill(
  folder: string,
  count: number,
  endsAt: Instant = systemClock.now(),
): Promise<void> {
  const file = `${folder}/node.db`
  const settings = loadSettings({ cwd: folder, env: { VENTANILLA_DATABASE: `sqlite:${file}` } })
  const { store, journalKey } = await openCore(settings, { clock: systemClock })
  await store.close()
  rmSync(anchorsFileOf(file), { force: true })
  const anchors = new LineLog(anchorsFileOf(file))
  const database = new Database(file, { fileMustExist: true })
  try {
    for (const pragma of pragmas) database.pragma(pragma)
    await copyOrders(database, { count, journalKey, anchors, endsAt })
  } finally {
    database.close()
    await anchors.close()
  }
}

interface Copying {
  count: number
  journalKey: string
  anchors: LineLog
  endsAt: Instant
}

async function copyOrders(
  database: Database.Database,
  { count, journalKey, anchors, endsAt }: Copying,
): Promise<void> {
  deliverWebhooks(database)
  const numbers = postingNumbers(database)
  const originals = database.prepare<[], Row<'orders'>>(finishedOrders).all()
  const copiers = originals.map((original) => copier(database, { original, journalKey, numbers }))
  if (copiers.length === 0) throw new Error('There is no finished order to copy.')
  const entries = database.prepare<[], { position: number; hash: string }>(
    'SELECT position, hash FROM journal ORDER BY position',
  )
  let digest = new AnchorDigest(journalKey, noAnchor)
  for (const entry of entries.all()) digest.add(entry)
  const beganAt = endsAt - periodMs
  database.exec('BEGIN')
  for (let number = 0; number < count; number++) {
    const at = beganAt + Math.floor((number / count) * periodMs)
    const insertCopy = copiers[number % copiers.length]
    for (const hash of insertCopy?.(number, at) ?? []) digest.add({ position: digest.position + 1, hash })
    if ((number + 1) % ordersPerAnchor === 0 || number === count - 1) {
      const anchor = digest.finish(at)
      await anchors.append(formatAnchor(anchor))
      digest = new AnchorDigest(journalKey, anchor)
    }
    if ((number + 1) % ordersPerTransaction === 0) database.exec('COMMIT; BEGIN')
  }
  for (const [place, { id }] of originals.entries())
    moveBalances(database, id, Math.floor((count - 1 - place) / originals.length) + 1)
  numbers.keep(utcDay(endsAt))
  database.exec('COMMIT')
}

/** The bench's node delivers nothing. */
function deliverWebhooks(database: Database.Database): void {
  database.exec(`
    INSERT INTO webhook_attempts (webhook_id, attempt, started_at, ended_at, milliseconds, status, outcome, address,
      answer, answer_bytes, is_cut, credential_key, message_date)
    SELECT id, 1, created_at + 20, created_at + 60, 40, 200, 'acknowledged', '203.0.113.9',
      '', 0, 0, 'mk_bench', '1700000000.000000' FROM webhooks WHERE state = 'pending';
    UPDATE webhooks SET state = 'delivered', attempts = 1, first_attempt_at = created_at + 20,
      last_attempt_at = created_at + 20, settled_at = created_at + 60, last_answer = '200' WHERE state = 'pending'`)
}

/** What the postings of the copies have moved: those of their original, so many times. */
function moveBalances(database: Database.Database, original: string, count: number): void {
  // Credits first: what is reserved and given on is never below nothing.
  for (const [side, sign] of [
    ['credit', '+'],
    ['debit', '-'],
  ])
    database
      .prepare(`UPDATE accounts SET balance_minor = balance_minor ${sign} ? * (SELECT coalesce(sum(amount_minor), 0)
        FROM postings WHERE +${side}_account = accounts.id AND order_id = ?)`)
      // A number would be a REAL, which has too few digits for all amounts.
      .run(BigInt(count), original)
}

interface PostingNumbers {
  /** A posting with the next numbers of its accounts; any other row as it is. */
  given(row: Columns): Columns
  /** Writes down how many each account has, up to a day. */
  keep(day: string): void
}

function postingNumbers(database: Database.Database): PostingNumbers {
  const counts = new Map(
    database
      .prepare<[], { id: string; posting_count: number }>('SELECT id, posting_count FROM accounts')
      .all()
      .map(({ id, posting_count }) => [id, posting_count]),
  )
  const next = (account: Column | undefined): number => {
    const number = (counts.get(String(account)) ?? 0) + 1
    counts.set(String(account), number)
    return number
  }
  return {
    given(row) {
      if (row.debit_account === undefined) return row
      return { ...row, debit_number: next(row.debit_account), credit_number: next(row.credit_account) }
    },
    keep(day) {
      const update = database.prepare(`UPDATE accounts SET posting_count = @count,
        first_open_day = max(first_open_day, @day) WHERE id = @id AND posting_count < @count`)
      for (const [id, count] of counts) update.run({ id, count, day })
    },
  }
}

const finishedOrders = `SELECT * FROM orders WHERE status IN ('COMPLETED', 'CANCELLED', 'EXPIRED') ORDER BY id`

type Column = string | number | null
type Columns = Record<string, Column>

/** What is another in each copy. */
interface Identity {
  orderId: string
  code: string
  merchantOrderId: string
  webhookId: string
  /** Of what an operator has to look at. */
  lateId: string
  deadLetterId: string
  /** So much later than the order it is a copy of. */
  laterMs: number
  /** Of its creation (UTC), to which all its postings belong. */
  day: string
}

type Maker = (identity: Identity) => Column

/** Returns what adds one copy that was created at a time, and gives the hashes of its journal. */
function copier(
  database: Database.Database,
  { original, journalKey, numbers }: { original: Row<'orders'>; journalKey: string; numbers: PostingNumbers },
): (number: number, at: Instant) => string[] {
  const rowsOf = (table: string, key: string, value: string) =>
    database.prepare<[string], Columns>(`SELECT * FROM ${table} WHERE ${key} = ? ORDER BY 1, 2`).all(value)
  const [webhook] = rowsOf('webhooks', 'order_id', original.id)
  const repeated = rowsOf('repeated_messages', 'order_id', original.id)
  const webhookId = String(webhook?.id)
  const known: Known = {
    [original.id]: 'orderId',
    [original.code]: 'code',
    [original.merchant_order_id]: 'merchantOrderId',
    ...(webhook === undefined ? {} : { [webhookId]: 'webhookId' }),
    ...Object.fromEntries(repeated.map(({ digest }) => [String(digest), 'digest'])),
    [endedWhileLockedId(original.id)]: 'lateId',
    [deadLetterId(webhookId, 1)]: 'deadLetterId',
  }
  const table = (name: string, key = 'order_id', value = original.id) =>
    rowsOf(name, key, value).map((row) => new Copied(database, name, row, known))
  const [order] = table('orders', 'id')
  const journal = table('journal')
  const others = [
    ...table('consumers'),
    ...table('postings'),
    ...table('webhooks'),
    ...table('webhook_attempts', 'webhook_id', webhookId),
    ...table('repeated_messages'),
    ...table('exceptions'),
  ]
  return (number, at) => {
    const [orderId, ownWebhookId] = [timeOrderedId(at), timeOrderedId(at)]
    const identity: Identity = {
      orderId,
      code: generateCode(),
      merchantOrderId: `past-${number}`,
      webhookId: ownWebhookId,
      lateId: endedWhileLockedId(orderId),
      deadLetterId: deadLetterId(ownWebhookId, 1),
      laterMs: at - original.created_at,
      day: utcDay(at),
    }
    const hashes: string[] = []
    const entries = journal.map((entry) => {
      const row = entry.make(identity)
      const hash = chainHash(
        journalKey,
        hashes.at(-1) ?? '',
        row as Omit<Row<'journal'>, 'hash' | 'position'>,
      )
      hashes.push(hash)
      return { entry, row: { ...row, hash } }
    })
    order?.insert({ ...order.make(identity), journal_head: hashes.at(-1) ?? '' })
    for (const { entry, row } of entries) entry.insert(row)
    for (const other of others) other.insert(numbers.given(other.make(identity)))
    return hashes
  }
}

type Known = Readonly<Record<string, Exclude<keyof Identity, 'laterMs' | 'day'> | 'digest'>>

/** A row to be copied: what in it is another's in a copy is found once. */
class Copied {
  readonly #makers: [name: string, make: Maker][]
  readonly #insertion: Database.Statement<[Columns]>

  constructor(database: Database.Database, table: string, row: Columns, known: Known) {
    // SQLite numbers postings and journal entries itself.
    const names = Object.keys(row).filter(
      (name) => !(name === 'position' || (name === 'id' && table === 'postings')),
    )
    this.#makers = names.map((name) => [name, makerOf(name, row[name] ?? null, known)])
    this.#insertion = database.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
    )
  }

  make(identity: Identity): Columns {
    const row: Columns = {}
    for (const [name, make] of this.#makers) row[name] = make(identity)
    return row
  }

  insert(row: Columns): void {
    this.#insertion.run(row)
  }
}

function makerOf(name: string, value: Column, known: Known): Maker {
  if (typeof value === 'number' && name.endsWith('_at')) return ({ laterMs }) => value + laterMs
  if (typeof value !== 'string') return () => value
  // Days of postings are UTC's, where their parties have agreed on no other.
  if (name.endsWith('_day')) return ({ day }) => day
  return textMaker(value, known)
}

/** Epoch milliseconds and ISO 8601, as snapshots and bodies have them. */
const times = String.raw`\b\d{13}\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

function textMaker(text: string, known: Known): Maker {
  const pieces = text.split(new RegExp(`(${Object.keys(known).join('|')}|${times})`))
  // What was split at stands at the odd places.
  const makers = pieces.map((piece, index) => (index % 2 === 1 ? pieceMaker(piece, known) : () => piece))
  const [only] = makers
  return makers.length === 1 && only !== undefined
    ? only
    : (identity) => makers.map((make) => make(identity)).join('')
}

function pieceMaker(piece: string, known: Known): (identity: Identity) => string {
  const name = known[piece]
  if (name === 'digest')
    return ({ orderId }) => createHash('sha256').update(`${piece}${orderId}`).digest('hex')
  if (name !== undefined) return (identity) => identity[name]
  const isNumber = /^\d+$/.test(piece)
  const at = isNumber ? Number(piece) : Date.parse(piece)
  return ({ laterMs }) => (isNumber ? String(at + laterMs) : formatInstant(at + laterMs))
}
