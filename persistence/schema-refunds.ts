/** What is given back of pay-ins; what columns hold is said in `schema.ts`. */
import type { Instant } from '../machines/time.ts'

/**
 * A pay-in that a refund was made of, or that was archived after it was credited. The row outlives the pay-in's: how much is
 * left to give back must be known as long as anybody may ask for it.
 */
export interface RefundableTable {
  pay_in_id: string
  merchant_id: string
  merchant_order_id: string
  description: string
  country: string
  currency: string
  /** When its cash was handed in, as far as that is known. */
  paid_at: Instant
  /** What is booked of its cash, claims included; fees that were taken from it are not given back. */
  credited_minor: bigint
  /** The prices of the refunds that count: those that are open, paid, or in suspense. Never more than was credited. */
  claimed_minor: bigint
  /** What was paid all the same: cash of a refund that had been returned before its provider confirmed it. */
  excess_minor: bigint
  /** How much of both is of refunds that are in the archive. */
  archived_minor: bigint
}
