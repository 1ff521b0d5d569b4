/** The tables of quotes, foreign orders and what the chains have brought; what columns hold is said in `schema.ts`. */
import type { Blockchain } from '../machines/blockchains.ts'
import type { Instant } from '../machines/time.ts'

/**
 * A price promised to a merchant for a while, and the evidence for it. `send_minor` and `fee_minor` are the smallest
 * units of the asset.
 */
export interface QuoteTable {
  id: string
  merchant_id: string
  blockchain: string
  send_currency: string
  asset_id: string
  asset_decimals: number
  send_minor: bigint
  fee_minor: bigint
  target_country: string
  target_currency: string
  order_price_minor: bigint
  /** What the cash increment left over, in the target currency. */
  rounding_minor: bigint
  /** Decimal text. */
  rate: string
  /** `fixed`, or where it was read. */
  rate_source: string
  rate_at: Instant
  evidence_json: string
  created_at: Instant
  expires_at: Instant
  /** The order it was used for, once. */
  order_id: string | null
}

/**
 * What a foreign-currency order has beside its row in `orders`. `expected_minor`, `received_minor`, `fee_minor` and
 * `transaction_minor` are the smallest units of the asset, `rounding_minor` is of the order's currency.
 */
export interface ForeignOrderTable {
  order_id: string
  quote_id: string
  blockchain: Blockchain
  send_currency: string
  asset_id: string
  asset_decimals: number
  /** Canonical. */
  wallet: string
  /** The 32 bytes that tie a transfer to the order, as 64 hexadecimal digits. */
  reference: string
  expected_minor: bigint
  received_minor: bigint
  /** The chain deposits of which that is the sum: each with `transactionId`, `minor` and `sender`, the oldest first. */
  credits_json: string
  fee_minor: bigint
  rounding_minor: bigint
  /** In chain time. */
  funding_deadline_at: Instant
  /** A deposit of it was seen that is not final yet: no further transaction is offered. */
  seen_at: Instant | null
  /** The unsigned transaction as it was built last; '' before the first one. */
  transaction_text: string
  /** What it moves. */
  transaction_minor: bigint | null
  signable_until_at: Instant | null
  /** After this it cannot land any more; null where only its wallet can make it void. */
  lands_until_at: Instant | null
  /** Why there is none yet. */
  transaction_error: string | null
  /** Every treasury that a transaction of it has named, as `treasuryName` writes them. */
  treasuries_json: string
  /** When a worker is to build it; null when there is nothing to build. */
  build_due_at: Instant | null
}

/** Each credit to a treasury, once. `id` is chain, transaction id and index. */
export interface ChainDepositTable {
  id: string
  blockchain: string
  transaction_id: string
  transfer_index: string
  height: string
  chain_at: Instant | null
  asset_id: string
  symbol: string | null
  /** Raw units, decimal text: chains carry more than 64 bits. */
  amount: string
  /** What it is in the ledger (`USDC.SOLANA/6`); null where the ledger cannot carry it. */
  currency: string | null
  sender: string | null
  references_json: string
  flags_json: string
  evidence_json: string
  order_id: string | null
  /** What the order was credited with. */
  credited_minor: bigint
  /** `credited`, or the reason why a person is asked. */
  outcome: string
  recorded_at: Instant
}

/** How far each chain has been read, committed with what was read. */
export interface ChainCursorTable {
  blockchain: string
  cursor: string
  /** Chain time before which nothing is missing. */
  scanned_to_at: Instant | null
  /** When the chain was last read. */
  read_at: Instant
}
