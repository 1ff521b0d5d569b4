/** What a statement's digest is made of: one line of JSON for its head and one for each of its lines, members in this order. */
import type { Row } from '../../persistence/store.ts'

/** @param previous the digest of the statement before; '' for the first */
export function canonicalHead(statement: Row<'statements'>, previous: string): string {
  return JSON.stringify({
    party: statement.party_id,
    currency: statement.currency,
    number: statement.number,
    from: statement.from_day,
    to: statement.to_day,
    closedAt: statement.closed_at,
    dueOn: statement.due_on,
    opening: statement.opening_minor.toString(),
    closing: statement.closing_minor.toString(),
    due: statement.due_minor.toString(),
    swept: statement.swept_minor.toString(),
    lines: statement.line_count,
    previous,
  })
}

export function canonicalLine(line: Row<'statement_lines'>): string {
  return JSON.stringify({
    line: line.line,
    day: line.day,
    aboutDay: line.about_day,
    postedAt: line.posted_at,
    kind: line.kind,
    direction: line.direction,
    order: line.order_id,
    network: line.network_id,
    reference: line.reference,
    amount: line.amount_minor.toString(),
    fee: line.fee_minor.toString(),
    tax: line.tax_minor.toString(),
    balance: line.balance_minor.toString(),
    account: line.account_id,
    number: line.account_number,
    postings: line.posting_count,
  })
}
