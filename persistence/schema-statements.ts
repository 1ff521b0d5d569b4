/** The tables of statements; what columns hold is said in `schema.ts`. Days are texts such as `2026-12-01`. */
import type { Generated } from 'kysely'
import type { Instant } from '../machines/time.ts'

/** One for each party and currency that was ever closed: closings of it go one behind the other by this row. */
export interface StatementBookTable {
  party_id: string
  currency: string
  /** The last number that was given, or that is lost: none is given again. */
  last_number: number
  /** The last day closed, whether it had lines or not. */
  closed_day: string
  closed_at: Instant
}

/**
 * What a party's account with the operator was at the end of some days. Closed once its row is there, sealed once its lines
 * are. Nothing changes afterwards but what is allocated and `postponed_to`.
 */
export interface StatementTable {
  party_id: string
  currency: string
  /** From one on for each party and currency. */
  number: number
  party_kind: 'merchant' | 'provider'
  from_day: string
  /** The last day it tells of. */
  to_day: string
  closed_at: Instant
  /** Null where nothing is due, or too little: then it falls due with a later statement. */
  due_on: string | null
  /** Where a calendar was changed since, so that banks are closed on `due_on`. */
  postponed_to: Generated<string | null>
  /** The party's position: above zero the operator owes it, below zero the party does. */
  opening_minor: bigint
  closing_minor: bigint
  /** What this statement asks for; above zero the operator owes it, below zero the party does. */
  due_minor: bigint
  /** What of it was paid or set off: the sum of its allocations, between zero and `due_minor`. */
  allocated_minor: Generated<bigint>
  /** What was moved from *available* to *payable* at its closing. */
  swept_minor: bigint
  line_count: number
  /** Since then its number is also outside the database: nobody is told before. */
  anchored_at: Generated<Instant | null>
  sealed_at: Generated<Instant | null>
  /** Of the statement before it; '' for the first. Null until it is sealed. */
  previous_digest: Generated<string | null>
  /** SHA-256 over its canonical form, in hex. */
  digest: Generated<string | null>
}

/** Which postings a statement is made of: a range of the numbers of each account. */
export interface StatementRangeTable {
  party_id: string
  currency: string
  number: number
  account_id: string
  /** One more than the last of the statement before. */
  first_number: number
  /** One less than the first where there is none. */
  last_number: number
  /** The account's balance after its last number. */
  balance_minor: bigint
  /** Lines are stored up to this number. */
  sealed_number: number
}

/** What moved a party's position, as it is told; without descriptions and codes, so that it can be kept. */
export interface StatementLineTable {
  party_id: string
  currency: string
  number: number
  line: number
  day: string
  about_day: string | null
  posted_at: Instant
  /** Of its posting; a fee of the same order's step is a part of the line. */
  kind: string
  direction: 'PAY_OUT' | 'PAY_IN' | null
  order_id: string | null
  network_id: string | null
  reference: string | null
  /** Signed: above zero it is the party's. */
  amount_minor: bigint
  /** The merchant's fee, or the provider's commission. */
  fee_minor: bigint
  tax_minor: bigint
  /** The position after it. */
  balance_minor: bigint
  account_id: string
  /** Of the first of its postings in that account. */
  account_number: number
  posting_count: number
}

/** What the lines of a sealed statement add up to by what they are, kept at its sealing. */
export interface StatementSumTable {
  party_id: string
  currency: string
  number: number
  kind: string
  /** '' for lines that have none. */
  direction: 'PAY_OUT' | 'PAY_IN' | ''
  line_count: number
  amount_minor: bigint
  fee_minor: bigint
  tax_minor: bigint
}

/** What settles a due amount. Signed as that is; what is taken back is a row of the other sign. */
export interface AllocationTable {
  id: string
  party_id: string
  currency: string
  /** The statement's. */
  number: number
  /** `payment`, `set_off` against another statement, or `reversal`: taken back from *payable* before it was ordered. */
  source: 'payment' | 'set_off' | 'reversal'
  source_id: string
  amount_minor: bigint
  allocated_at: Instant
}

/** Numbers that were given in a database that a restore has put an older one in the place of. */
export interface LostStatementTable {
  party_id: string
  currency: string
  number: number
  recorded_at: Instant
}

export interface StatementTables {
  statement_books: StatementBookTable
  statements: StatementTable
  statement_ranges: StatementRangeTable
  statement_lines: StatementLineTable
  statement_sums: StatementSumTable
  allocations: AllocationTable
  lost_statements: LostStatementTable
}
