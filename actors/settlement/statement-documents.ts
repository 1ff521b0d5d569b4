/** Statements as people and programs read them: decimal amounts, signed; above zero the operator owes the party. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'

export interface StatementSummary {
  party: string
  kind: 'merchant' | 'provider'
  currency: string
  number: number
  state: 'closing' | 'sealed'
  from: string
  to: string
  closed: string
  opening: string
  closing: string
  due: string
  /** What of it is neither paid nor set off. */
  open: string
  dueOn: string | null
  /** Where banks turned out to be closed on that day. */
  postponedTo: string | null
  swept: string
  lines: number
  digest: string | null
  previousDigest: string | null
}

/** Lines of one kind, added up. */
export interface StatementSum {
  kind: string
  direction: 'PAY_OUT' | 'PAY_IN' | null
  lines: number
  amount: string
  fee: string
  tax: string
}

/** What settled a part of what it asks for; of the other sign where that was taken back. */
export interface StatementAllocation {
  at: string
  source: 'payment' | 'set_off' | 'reversal'
  /** A payment's id; of a set-off the number of the opposite statement. */
  of: string
  amount: string
}

export interface StatementLine {
  line: number
  day: string
  aboutDay: string | null
  at: string
  kind: string
  direction: 'PAY_OUT' | 'PAY_IN' | null
  order: string | null
  network: string | null
  reference: string | null
  amount: string
  fee: string
  tax: string
  balance: string
}

export function statementSummary(row: Row<'statements'>, party: string): StatementSummary {
  const { currency } = row
  const amount = (minor: bigint) => signed(minor, currency)
  return {
    party,
    kind: row.party_kind,
    currency,
    number: row.number,
    state: row.sealed_at === null ? 'closing' : 'sealed',
    from: row.from_day,
    to: row.to_day,
    closed: formatInstant(row.closed_at),
    opening: amount(row.opening_minor),
    closing: amount(row.closing_minor),
    due: amount(row.due_minor),
    open: amount(row.due_minor - row.allocated_minor),
    dueOn: row.due_on,
    postponedTo: row.postponed_to,
    swept: amount(row.swept_minor),
    lines: row.line_count,
    digest: row.digest,
    previousDigest: row.previous_digest,
  }
}

export function statementLine(row: Row<'statement_lines'>): StatementLine {
  const amount = (minor: bigint) => signed(minor, row.currency)
  return {
    line: row.line,
    day: row.day,
    aboutDay: row.about_day,
    at: formatInstant(row.posted_at),
    kind: row.kind,
    direction: row.direction,
    order: row.order_id,
    network: row.network_id,
    reference: row.reference,
    amount: amount(row.amount_minor),
    fee: amount(row.fee_minor),
    tax: amount(row.tax_minor),
    balance: amount(row.balance_minor),
  }
}

export function signed(minor: bigint, currency: string): string {
  return minor < 0n ? `-${formatPrice(-minor, currency)}` : formatPrice(minor, currency)
}

export function statementSum(sum: Row<'statement_sums'>, currency: string): StatementSum {
  const amount = (minor: bigint) => signed(minor, currency)
  return {
    kind: sum.kind,
    direction: sum.direction || null,
    lines: sum.line_count,
    amount: amount(sum.amount_minor),
    fee: amount(sum.fee_minor),
    tax: amount(sum.tax_minor),
  }
}

type Allocated = Pick<Row<'allocations'>, 'source' | 'source_id' | 'amount_minor' | 'allocated_at'>

export function statementAllocation(
  { source, source_id, amount_minor, allocated_at }: Allocated,
  currency: string,
): StatementAllocation {
  return {
    at: formatInstant(allocated_at),
    source,
    of: source_id,
    amount: signed(amount_minor, currency),
  }
}
