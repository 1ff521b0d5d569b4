/** The tables of the count of the treasuries; what columns hold is said in `schema.ts`. */
import type { Instant } from '../machines/time.ts'

/** What a treasury should hold of an asset, and what was counted last. Units are raw, decimal texts. */
export interface TreasuryCountTable {
  blockchain: string
  asset_id: string
  symbol: string
  decimals: number
  /** What the asset is in the ledger. */
  currency: string
  /** Whose holdings are counted; another one is another beginning. */
  treasury: string
  opened_height: number
  /** What was there at the beginning. */
  opened_units: string
  opened_at: Instant
  /** Another look has agreed with the first, or has corrected it. */
  is_opening_confirmed: 0 | 1
  /** By how much it was corrected, decimal text. */
  corrected_units: string
  /** No look at an earlier block is compared with the books. */
  book_height: number
  /** Together with the movements that are not in them yet: what should be there. */
  book_units: string
  /** What was there when it was counted last. */
  held_units: string
  /** When that was: it agreed, or the difference had been told. */
  counted_at: Instant
  /** What is there beyond what the books say, below zero what is missing, as it was told; `0` where they agree. */
  told_units: string
  /** Where it was told, while that is open. */
  exception_id: string | null
  /** Behind which block what is missing may lie. */
  missing_since_height: number | null
  /** Up to here every block was read a second time, minutes after the first. */
  read_twice_height: number
}

/** A credit or an outflow that is not in the books yet. It goes when it gets into them. */
export interface TreasuryMovementTable {
  /** Of the deposit or the outflow. */
  id: string
  blockchain: string
  asset_id: string
  height: number
  /** Raw units, decimal text; below zero what left. */
  units: string
  /** What its own step moved into the treasury of the ledger. */
  ledger_minor: bigint
}

/** Each amount that left a treasury, once. `id` is chain, transaction id and index. */
export interface TreasuryOutflowTable {
  id: string
  blockchain: string
  transaction_id: string
  height: number
  chain_at: Instant | null
  asset_id: string
  /** Raw units, decimal text. */
  units: string
  /** Canonical; null where the chain does not say. */
  receiver: string | null
  references_json: string
  /** Which exceptions' refunds it is, and with how much of it: `[{ "exception", "units" }]`. */
  explained_json: string
  /** Of what nothing explains. */
  exception_id: string | null
  recorded_at: Instant
  /** Which one it left, where that is not the present one: it is in no books. */
  former_treasury: string | null
}
