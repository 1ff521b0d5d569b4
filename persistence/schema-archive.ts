/** What stays of orders that were archived; what columns hold is said in `schema.ts`. */
import type { Generated } from 'kysely'
import type { Direction } from '../machines/order.ts'
import type { OrderStatus } from '../machines/statuses.ts'
import type { Instant } from '../machines/time.ts'

/** So that neither its code nor its merchant's id for it is used again, and its line in the archive can be proved. */
export interface ArchivedOrderTable {
  id: string
  code: string
  merchant_id: string
  merchant_order_id: string
  direction: Direction
  status: OrderStatus
  created_at: Instant
  archived_at: Instant
  /** The file of the archive that has its line. */
  file: string
  /** The seal of that line. */
  digest: string
  journal_count: number
  journal_head: string
  /** What was to be carried by the money of a foreign-currency order: it may still come. */
  reference: string | null
  /** Opens the personal data of its line; null once these were erased. */
  personal_key: string | null
  /** HMACs of what its consumer is found by; null where there is none. */
  email_digest: string | null
  phone_digest: string | null
  erased_at: Instant | null
}

/** The hash of an archived entry of the journal, at its place: the anchors cover it as before. */
export interface ArchivedEntryTable {
  position: number
  hash: string
}

/** What the archived postings come to, by account: with those that are left it is the account's balance. */
export interface ArchivedBalanceTable {
  account_id: string
  balance_minor: bigint
  /** How many of the account's numbers are theirs; those from before there were numbers have none. */
  posting_count: Generated<number>
}
