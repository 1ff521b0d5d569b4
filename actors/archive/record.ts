/**
 * An order in the archive: one line of JSON with every row it had, sealed by an HMAC.
 *
 * Its personal data are in it under a key that stays in the database. Erasing them is forgetting the key: no line is
 * ever rewritten, and every copy of the archive is erased with it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { noPersonalData } from '../../persistence/schema.ts'
import type { Row } from '../../persistence/store.ts'
import { openBytes, sealBytes } from '../keys/aes-gcm.ts'
import { noFees } from '../orders/fees.ts'
import type { OrderFacts } from '../verification/order-facts.ts'

/** All that belongs to an order. */
export interface OrderRows {
  order: Row<'orders'>
  journal: readonly Row<'journal'>[]
  postings: readonly Row<'postings'>[]
  webhooks: readonly Row<'webhooks'>[]
  attempts: readonly Row<'webhook_attempts'>[]
  exceptions: readonly Row<'exceptions'>[]
  foreign: Row<'foreign_orders'> | null
  quote: Row<'quotes'> | null
  deposits: readonly Row<'deposits'>[]
  /** Lines from before there were any have none. */
  references?: readonly Row<'network_references'>[]
}

/** Who it was for: their own fields, the bodies that told them, and what receivers may have repeated of these. */
export interface PersonalData {
  consumer: Omit<typeof noPersonalData, 'email_digest' | 'phone_digest'>
  bodies: readonly Pick<Row<'webhooks'>, 'id' | 'body'>[]
  answers: readonly Pick<Row<'webhook_attempts'>, 'webhook_id' | 'attempt' | 'answer'>[]
}

export interface ArchiveRecord {
  format: 1
  id: string
  /** ISO 8601. */
  archived: string
  /** Without personal data. */
  rows: OrderRows
  /** `PersonalData`, AES-256-GCM: nonce, text and tag in base64url. */
  personal: string
}

/** Takes out of an order's rows what is personal. */
export function withoutPersonalData(rows: OrderRows): OrderRows {
  return {
    ...rows,
    webhooks: rows.webhooks.map((webhook) => ({ ...webhook, body: '' })),
    attempts: rows.attempts.map((attempt) => ({ ...attempt, answer: null })),
  }
}

export function personalDataOf(
  rows: OrderRows,
  found: PersonalData['consumer'] & Partial<Row<'consumers'>>,
): PersonalData {
  const { order_id, erased_at, email_digest, phone_digest, ...consumer } = found
  return {
    consumer,
    bodies: rows.webhooks.flatMap(({ id, body }) => (body === '' ? [] : [{ id, body }])),
    answers: rows.attempts.flatMap(({ webhook_id, attempt, answer }) =>
      answer === null ? [] : [{ webhook_id, attempt, answer }],
    ),
  }
}

export function newPersonalKey(): string {
  return randomBytes(32).toString('base64url')
}

export function sealPersonalData(key: string, orderId: string, data: PersonalData): string {
  return sealBytes(Buffer.from(key, 'base64url'), orderId, JSON.stringify(data)).toString('base64url')
}

/** @throws Error when the key is not the one they were sealed under. */
export function openPersonalData(key: string, { id, personal }: ArchiveRecord): PersonalData {
  const text = openBytes(Buffer.from(key, 'base64url'), id, Buffer.from(personal, 'base64url'))
  return JSON.parse(text.toString())
}

/** The line, without its end, and its seal. */
export function formatRecord(journalKey: string, record: ArchiveRecord): { line: string; digest: string } {
  const text = JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  const digest = sealOf(journalKey, text)
  return { line: `${text.slice(0, -1)},"digest":"${digest}"}`, digest }
}

/** Whatever is in it: a merchant's text may have separators of lines that JSON leaves as they are, as U+2028. */
const sealedLine = /^(?<text>\{.*),"digest":"(?<digest>[\w-]{43})"\}$/s

/** `null` when a line was not sealed under this key, or is not as it was then. */
export function parseRecord(
  journalKey: string,
  line: string,
): { record: ArchiveRecord; digest: string } | null {
  const { text, digest } = sealedLine.exec(line)?.groups ?? {}
  if (text === undefined || digest === undefined) return null
  const whole = `${text}}`
  if (sealOf(journalKey, whole) !== digest) return null
  // What has our seal is what `formatRecord` was given: amounts, whose names end so, were the only BigInts.
  const record: ArchiveRecord = JSON.parse(whole, (name, value) =>
    name.endsWith('_minor') && typeof value === 'string' ? BigInt(value) : value,
  )
  return { record, digest }
}

function sealOf(journalKey: string, text: string): string {
  return createHmac('sha256', journalKey).update(`archive\n${text}`).digest('base64url')
}

/** An order as `verify` looks at it. One in a final state waits for no balance. */
export function factsOf(rows: OrderRows): OrderFacts {
  // A line from before there were fees and refunds says nothing of them.
  const unsaid = { ...noFees, refund_of: null }
  return { ...rows, order: { ...unsaid, ...rows.order }, terms: null, requests: [] }
}

/** What postings come to in an account: minor units, and how many of its numbers they have. */
export interface AccountSum {
  minor: bigint
  count: number
}

/** By account. Lines from before there were numbers have none. */
export function sumsOf(postings: OrderRows['postings']): Map<string, AccountSum> {
  const sums = new Map<string, AccountSum>()
  const add = (account: string, minor: bigint, number: number | undefined) => {
    const sum = sums.get(account) ?? { minor: 0n, count: 0 }
    sums.set(account, { minor: sum.minor + minor, count: sum.count + (number === undefined ? 0 : 1) })
  }
  for (const { debit_account, credit_account, amount_minor, debit_number, credit_number } of postings) {
    add(debit_account, -amount_minor, debit_number)
    add(credit_account, amount_minor, credit_number)
  }
  return sums
}
