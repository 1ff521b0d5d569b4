/** The table of conversions; what columns hold is said in `schema.ts`. */
import type { Generated } from 'kysely'
import type { Instant } from '../machines/time.ts'

/** What left a treasury to be sold, and what it brought. Its postings have its id as reference. */
export interface ConversionTable {
  id: string
  /** What the chain has shown; each is converted once. */
  outflow_id: string
  /** The asset's, in the ledger. */
  currency: string
  amount_minor: bigint
  reason: string
  recorded_at: Instant
  recorded_by: string
  /** Null, like all of the sale, until it is sold. */
  sold_at: Generated<Instant | null>
  sold_by: Generated<string | null>
  bank: Generated<string | null>
  bank_reference: Generated<string | null>
  bank_currency: Generated<string | null>
  proceeds_minor: Generated<bigint | null>
  /** What of the asset is of the operator's fees. */
  fee_part_minor: Generated<bigint | null>
  /** What *exchange* was relieved of. */
  booked_minor: Generated<bigint | null>
  /** What of the proceeds the fee part brought. */
  fee_minor: Generated<bigint | null>
  /** More than it was booked with; below zero less. */
  result_minor: Generated<bigint | null>
  revision: number
}

/**
 * What *exchange* holds of an asset that was exchanged for a money, and with how much of it that was booked. Kept by triggers on postings.
 * An empty currency is one that an upgrade could not tell.
 */
export interface ExchangePairTable {
  asset: string
  money: string
  asset_minor: bigint
  money_minor: bigint
  /** Of these, what the postings of archived orders have moved. */
  archived_asset_minor: bigint
  archived_money_minor: bigint
}

export interface ConversionTables {
  conversions: ConversionTable
  exchange_pairs: ExchangePairTable
}
