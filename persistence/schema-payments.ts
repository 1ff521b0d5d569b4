/** The tables of payments and of what banks' statements say beside them; what columns hold is said in `schema.ts`. */
import type { PaymentDirection, PaymentState } from '../machines/payment.ts'
import type { Instant } from '../machines/time.ts'

/** Payments that were ordered together, for one day and one bank. */
export interface PaymentRunTable {
  id: string
  bank: string
  currency: string
  /** What was due up to this day. */
  due_day: string
  created_at: Instant
  created_by: string
  /** Null while some of its payments may still have to be ordered. */
  completed_at: Instant | null
  /** When its file was made first: it is the same ever after. */
  exported_at: Instant | null
  exported_by: string | null
  /** SHA-256 of the file, in hex. */
  file_digest: string | null
  /** Counts what changes the file: whoever makes it says which one they saw. */
  revision: number
}

/** A payment between the operator and a party. */
export interface PaymentTable {
  id: string
  party_id: string
  currency: string
  direction: PaymentDirection
  amount_minor: bigint
  bank: string
  /** What the bank calls it; null as long as nobody has said. */
  bank_reference: string | null
  run_id: string | null
  /** The file of its run has it, or will; 0 where it was sent by hand, or taken back, before there was one. */
  is_in_file: 0 | 1
  /** Where it goes, as the terms had it when it was ordered; null of one that came in. */
  account: string | null
  /** Whose account of the ledger it was taken from, or went to. */
  party_account: 'payable' | 'provider' | 'available'
  state: PaymentState
  ordered_at: Instant
  ordered_by: string
  sent_at: Instant | null
  booked_at: Instant | null
  returned_at: Instant | null
  /** When its ordering was outside the database: before that no bank has it. Null of one that came in. */
  anchored_at: Instant | null
  /** Why it was returned. */
  reason: string | null
  /** What of one that came in from a provider settles nothing yet: it settles what a later statement asks for. */
  rest_minor: bigint
  /** Counts what it was told: whoever tells it says which one they saw. */
  revision: number
  machine_version: number
  snapshot: string
}

/** What a payment was told, append-only. */
export interface PaymentEventTable {
  payment_id: string
  sequence: number
  told_at: Instant
  operator: string
  event_json: string
  from_state: PaymentState | null
  to_state: PaymentState
}

export type BankEntryKind =
  | 'payment'
  | 'bounce'
  | 'charge'
  | 'interest'
  | 'tax_payment'
  | 'tax_refund'
  | 'capital'
  | 'unidentified'
  | 'sent_back'
  | 'conversion'

/** A line of a bank's statement that was booked: once for each reference and direction. */
export interface BankEntryTable {
  bank: string
  direction: PaymentDirection
  reference: string
  kind: BankEntryKind
  currency: string
  amount_minor: bigint
  /** The day the bank says; null where nobody said. */
  value_day: string | null
  /** What it is about: a payment, or an exception. */
  subject_id: string | null
  reason: string
  booked_at: Instant
  booked_by: string
}

/** A payment that was ordered in a database that a restore has put an older one in the place of. */
export interface LostPaymentTable {
  id: string
  /** The database that was restored may not know it. */
  party_id: string
  currency: string
  amount_minor: bigint
  bank: string
  run_id: string | null
  exception_id: string
  recorded_at: Instant
}

export interface PaymentTables {
  payment_runs: PaymentRunTable
  payments: PaymentTable
  payment_events: PaymentEventTable
  bank_entries: BankEntryTable
  lost_payments: LostPaymentTable
}
