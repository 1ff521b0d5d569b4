/** The tables of claims; what columns hold is said in `schema.ts`. */
import type { Claimant, ClaimKind, ClaimParty, ClaimState } from '../machines/claim.ts'
import type { Direction } from '../machines/order.ts'
import type { Instant } from '../machines/time.ts'

/** A claim about the cash of an order. It outlives the order, which may go to the archive once it is decided. */
export interface ClaimTable {
  id: string
  /** From one on, without gaps. */
  number: number
  opened_by: Claimant
  /** As the journal names them: `merchant:Demo Shop`. */
  opener: string
  respondent: ClaimParty
  kind: ClaimKind
  order_id: string
  direction: Direction
  merchant_id: string
  provider_id: string
  /** Whether the provider has ever held the order; nothing is taken from a merchant where it has not. */
  is_held: 0 | 1
  /** Its merchant's side is the operator's: the end user has paid with an asset. */
  is_foreign: 0 | 1
  currency: string
  price_minor: bigint
  /** What the order's fee and commission came to, and the taxes, when the claim was opened. */
  fee_minor: bigint
  fee_tax_minor: bigint
  commission_minor: bigint
  commission_tax_minor: bigint
  /** What was handled instead of the price, or what false notes come to; null of the other kinds. */
  amount_minor: bigint | null
  /** The exception that is resolved with it; null where it has none, or once that was resolved for itself. */
  exception_id: string | null
  /** The day by which it is answered and decided, and the instant at which that day is over. */
  due_on: string
  due_at: Instant
  opened_at: Instant
  state: ClaimState
  answered_at: Instant | null
  ended_at: Instant | null
  ended_by: string | null
  reason: string | null
  /** Whether the money went with the exception that it held, by postings of the order. */
  is_by_exception: 0 | 1
  /** Counts what it was told; the last of those entries has `head` as its hash. */
  revision: number
  head: string
  /** When what it is, open or ended, was outside the database; null until then. */
  anchored_at: Instant | null
  machine_version: number
  snapshot: string
}

/** What a claim was told, append-only; `hash` chains each entry to the one before it. */
export interface ClaimEventTable {
  claim_id: string
  sequence: number
  told_at: Instant
  actor: string
  credential_key: string | null
  event_json: string
  from_state: ClaimState | null
  to_state: ClaimState
  hash: string
}

/** A text or a file, encrypted under a key of its own: without the key it is erased, in every copy. */
export interface ClaimEvidenceTable {
  claim_id: string
  sequence: number
  added_at: Instant
  actor: string
  /** Of a text that somebody has written for the other party; null of a file. */
  file_name: string | null
  media_type: string
  byte_count: number
  /** SHA-256 of what is stored, in base64url. */
  digest: string
  /** Null once it was erased. */
  evidence_key: string | null
}

/** What is stored of it, in base64. */
export interface ClaimContentTable {
  claim_id: string
  sequence: number
  content: string
}

/** An order that claims are about: which of them has credited its cash, and which has taken that back. */
export interface ClaimedOrderTable {
  order_id: string
  credited_by: number | null
  reversed_by: number | null
  /** With whom a claim has credited it; null where none has. */
  provider_id: string | null
  /** How much more than the price claims have booked as handled; below zero, how much less. */
  corrected_minor: bigint
}

/** A number that was given in a database that is gone: never again. */
export interface LostClaimTable {
  number: number
  recorded_at: Instant
}

export interface ClaimTables {
  lost_claims: LostClaimTable
  claims: ClaimTable
  claim_events: ClaimEventTable
  claim_evidence: ClaimEvidenceTable
  claim_contents: ClaimContentTable
  claimed_orders: ClaimedOrderTable
}
