/** The tables of the ledger; what columns hold is said in `schema.ts`. */
import type { Generated } from 'kysely'
import type { Instant } from '../machines/time.ts'

/** A merchant's deposit into its account; applied once for each reference. */
export interface AccountDepositTable {
  merchant_id: string
  reference: string
  currency: string
  amount_minor: bigint
  deposited_at: Instant
  reversed_at: Instant | null
  /** Where it was booked; '' where no bank of its currency was named. */
  bank: Generated<string>
}

type AccountKind =
  | 'available'
  | 'reserved'
  | 'bank'
  | 'provider'
  | 'suspense'
  | 'rounding'
  | 'treasury'
  | 'debt'
  /** Money on a chain that an order was credited with and that has not funded it yet. */
  | 'deposit'
  /** Where an asset becomes local currency: each side is what the other was bought with. */
  | 'exchange'
  /** What the operator keeps of an exchange, and what it earns by an order: then its party's. */
  | 'fee'
  /** Tax on the fees of a merchant, which is the state's. */
  | 'tax_collected'
  /** Tax on the commissions of a provider, which the state gives back. */
  | 'tax_credited'
  /** On its way to a party: a closing has set it aside. */
  | 'payable'
  /** Ordered at the bank, and not booked there yet. */
  | 'transit'
  /** What the operator itself has put in. */
  | 'equity'
  /** What conversions brought more, or less, than they were booked with. */
  | 'fx_result'

/** The prices of all pay-ins that a provider has ever started under a limit of exposure; a row once there was one. */
export interface ExposureTable {
  provider_id: string
  currency: string
  started_minor: bigint
}

/** Balance = credits − debits. Over all accounts of a currency they sum to zero. */
export interface AccountTable {
  id: string
  kind: AccountKind
  owner_id: string
  currency: string
  balance_minor: bigint
  /** How many sides of postings it has had, those of archived orders included: the number of the last one. */
  posting_count: number
  /** `2026-12-01`: no posting that comes belongs to an earlier day. Postings and closings move it forward. */
  first_open_day: string
}

/** One amount from one account to another, in one currency: a pair of ledger entries that cannot be torn. */
export interface PostingTable {
  id: Generated<number>
  kind: string
  debit_account: string
  credit_account: string
  amount_minor: bigint
  currency: string
  order_id: string | null
  reference: string | null
  posted_at: Instant
  /** The day of each side, `2026-12-01`: it never goes back within an account (protocol 15.3). */
  debit_day: string
  /** What each side is in its account, counted from one: a statement is a range of them. */
  debit_number: number
  credit_day: string
  credit_number: number
  /** The day (UTC) that a late booking is about; null where it is that of its step. */
  about_day: string | null
}
