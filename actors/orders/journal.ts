/**
 * The journal: who told an order what, with which key, and how it ended; accepted and refused alike.
 *
 * Append-only, one HMAC chain an order: each entry's hash covers the entry and the hash before it, under a
 * key that is not in the database in the clear. It holds no personal data.
 */
import type { OrderEvent } from '../../machines/order.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { hmacSha256Text } from '../foundation/hmac.ts'

/** Who speaks to an order. */
export type Actor =
  | { kind: 'merchant' | 'provider'; id: string; name: string; credential: string }
  | { kind: 'operator'; name: string }
  /** The node itself: its funding check, time, the builder of transactions. */
  | { kind: 'funding' | 'clock' | 'builder' }
  /** What was read from a chain. */
  | { kind: 'chain'; name: string }

export type Outcome = 'accepted' | RefusalReason

/** What an order is told beside the events of its chart. */
export type RecordedEvent =
  | OrderEvent
  /** What nobody may change later, so that the chain of hashes protects it; `price` as in answers. */
  | {
      type: 'order.create'
      at: Instant
      price: string
      currency: string
      expiry: string
      merchantOrderId: string
      /** What it costs its merchant, where terms were in force; amounts as in answers. */
      fee?: { terms: string; amount: string; tax: string }
      /** The pay-in that it gives back. */
      refundOf?: string
      foreign?: ForeignAgreement
    }
  /** An operator has said what became of the cash of an order that ended while it was locked. */
  | { type: 'exception.resolve'; at: Instant; exceptionId: string; as: string; reason: string }
  /** A provider's report says that it did not handle the cash; `isCleared` where that was the last word missing. */
  | {
      type: 'quarantine.report'
      at: Instant
      providerId: string
      reference: string
      reason: string
      isCleared: boolean
    }
  /** Its consumer's personal data were erased; what they were is nowhere here. */
  | { type: 'personal.erase'; at: Instant }
  /** Somebody says that its cash was handled otherwise than it is booked; and how that ended (protocol 16.8). */
  | { type: 'claim.open'; at: Instant; claim: number; kind: string }
  | { type: 'claim.end'; at: Instant; claim: number; as: string }

/** What is said about an order beside its chart, and changes no status. */
export type RecordedBeside = Exclude<RecordedEvent, OrderEvent | { type: 'order.create' }>

const besides: Readonly<Record<RecordedBeside['type'], true>> = {
  'exception.resolve': true,
  'quarantine.report': true,
  'personal.erase': true,
  'claim.open': true,
  'claim.end': true,
}
export const recordedBeside: ReadonlySet<string> = new Set(Object.keys(besides))

/** Of a foreign-currency order; amounts are of its asset. */
export interface ForeignAgreement {
  quote: string
  blockchain: string
  asset: string
  send: string
  fee: string
  wallet: string
  reference: string
  fundingDeadline: string
}

export interface JournalEntry {
  actor: Actor
  event: RecordedEvent
  from: OrderStatus | null
  to: OrderStatus
  outcome: Outcome
}

/** An entry as it is sealed: its place among those of other orders is for the anchors. */
export type SealedEntry = Omit<Row<'journal'>, 'hash' | 'position'>

/** What an order's row says of its journal. */
export type JournalHead = Pick<Row<'orders'>, 'id' | 'journal_count' | 'journal_head'>

/** The entry as a row, and the head that follows from it. */
export function appendEntry(
  key: string,
  head: JournalHead,
  entry: JournalEntry,
): { write: Write; journal_count: number; journal_head: string } {
  const { at, ...event } = entry.event
  const unsealed = {
    order_id: head.id,
    sequence: head.journal_count + 1,
    entry_at: at,
    actor: actorName(entry.actor),
    credential_key: 'credential' in entry.actor ? entry.actor.credential : null,
    event_json: JSON.stringify(event),
    from_status: entry.from,
    to_status: entry.to,
    outcome: entry.outcome,
  }
  const hash = chainHash(key, head.journal_head, unsealed)
  return {
    write: { insert: 'journal', values: { ...unsealed, hash } },
    journal_count: unsealed.sequence,
    journal_head: hash,
  }
}

/** The hash of an entry after the hash before it (`''` before the first one). */
export function chainHash(key: string, before: string, entry: SealedEntry): string {
  const fields = [
    entry.order_id,
    entry.sequence,
    entry.entry_at,
    entry.actor,
    entry.credential_key,
    entry.event_json,
    entry.from_status,
    entry.to_status,
    entry.outcome,
  ]
  return hmacSha256Text('base64url', key, before, JSON.stringify(fields))
}

/** `provider:Demo Network`, `operator:ana`, `clock`: how people read it. */
export function actorName(actor: Actor): string {
  return 'name' in actor ? `${actor.kind}:${actor.name}` : actor.kind
}
