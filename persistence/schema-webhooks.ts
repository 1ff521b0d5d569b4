/** The tables of the outbox; what columns hold is said in `schema.ts`. */
import type { Generated } from 'kysely'
import type { OrderStatus } from '../machines/statuses.ts'
import type { Instant } from '../machines/time.ts'

export type WebhookState = 'pending' | 'delivered' | 'dead' | 'superseded'

/** The outbox: one row an event, the exact body bytes written with the state change they tell of. */
export interface WebhookTable {
  id: string
  order_id: string
  merchant_id: string
  /** Per order, from 1. */
  sequence: number
  /** The order's status the body tells. */
  order_status: OrderStatus
  is_final: 0 | 1
  url: string
  host: string
  body: string
  state: WebhookState
  created_at: Instant
  /**
   * When it may be tried. While an attempt is under way it is the end of the lease; behind an earlier webhook of
   * its order it is when that one may be tried.
   */
  due_at: Instant
  /** All that were made, those before a resend too. */
  attempts: number
  /** Made before the last resend, which begins the retries anew: they do not count against their limit. */
  attempts_before: Generated<number>
  /** Since the last resend. */
  first_attempt_at: Instant | null
  last_attempt_at: Instant | null
  /** An attempt is under way until then, or its node has died. */
  lease_until_at: Instant | null
  /** Null exactly while it is pending. */
  settled_at: Instant | null
  /** What the last attempt ended with, for people: `503`, `timeout`, … */
  last_answer: string | null
  /** Since then its body and its attempts are gone. */
  pruned_at: Instant | null
}

/** Attempts are a ledger: started, and answered or (after a crash) unknown. */
export interface WebhookAttemptTable {
  webhook_id: string
  attempt: number
  started_at: Instant
  ended_at: Instant | null
  milliseconds: number | null
  /** An HTTP status, when one came. */
  status: number | null
  /** `started` while it is under way, then `acknowledged`, `refused`, `timeout`, `unknown` … */
  outcome: string
  /** Why there is no answer, for people. */
  error: string | null
  address: string | null
  /** The beginning of the answer's body. */
  answer: string | null
  /** How much of it was read. */
  answer_bytes: number | null
  /** There was more. */
  is_cut: 0 | 1 | null
  /** What it was signed with, and the time it was signed for, as sent. */
  credential_key: string | null
  message_date: string | null
}
