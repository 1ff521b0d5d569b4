/** The tables of corrections; what columns hold is said in `schema.ts`. */
import type { Instant } from '../machines/time.ts'

/** `dispute`: a fee or a commission that was not right. `goodwill`: given, though nothing was wrong. */
export type AdjustmentKind = 'dispute' | 'goodwill'

/** A line that was corrected, as the posting it begins with: all corrections of it are told together. */
export interface CorrectedLineTable {
  account_id: string
  account_number: number
  /** Of the line, with its fee and tax. */
  total_minor: bigint
  /** Signed; never beyond the line's own size, either way. */
  corrected_minor: bigint
}

/** A correction, booked once for each party and reference, and never changed. Its postings have its id as reference. */
export interface AdjustmentTable {
  id: string
  party_id: string
  party_kind: 'merchant' | 'provider'
  currency: string
  reference: string
  kind: AdjustmentKind
  /** Above zero it is given to the party, below zero it is taken. */
  amount_minor: bigint
  /** Beside the amount, of its sign. */
  tax_minor: bigint
  /** The line that it corrects. */
  account_id: string
  account_number: number
  /** As it was named. */
  statement_number: number | null
  line: number | null
  order_id: string | null
  reason: string
  booked_at: Instant
  booked_by: string
}

export interface AdjustmentTables {
  corrected_lines: CorrectedLineTable
  adjustments: AdjustmentTable
}
