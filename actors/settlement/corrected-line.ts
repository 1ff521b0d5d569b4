/**
 * The line that a correction names: one of a statement, or that of an order, whether a statement tells of it yet or not. It is the
 * same line by both: the posting that it begins with, by its number in its account.
 */
import { sidesOfOrder, statementLine } from '../../persistence/queries/adjustments.ts'
import { statementByNumber } from '../../persistence/queries/statements.ts'
import { accountId, type Query, type Row, type Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { positionOf } from './position.ts'
import { type PostingLine, postingLines, totalOf } from './posting-lines.ts'

/** How an operator names it. */
export type NamedLine =
  | { statement: number; line: number; order: null }
  | { statement: null; line: null; order: string }

export interface FoundLine {
  account: string
  /** Of its first posting. */
  number: number
  kind: string
  totalMinor: bigint
  /** When what it tells of has happened. */
  aboutAt: number
}

/** @throws OperationError where the party has no such line in the currency. */
export async function findLine(
  store: Store,
  party: Row<'parties'>,
  currency: string,
  named: NamedLine,
): Promise<FoundLine> {
  const found =
    named.order === null
      ? await lineOfStatement(store, party, currency, named)
      : await lineOfOrder(store, party, currency, named.order)
  if (!found.kind.startsWith('payment_')) return found
  throw new OperationError('refused', 'The line is a payment: it is not corrected, but taken back.', {
    hint: 'payment return, with the line of the bank that brought it back.',
  })
}

async function lineOfStatement(
  store: Store,
  { id: partyId, name }: Row<'parties'>,
  currency: string,
  { statement: number, line }: { statement: number; line: number },
): Promise<FoundLine> {
  const key = { partyId, currency, number }
  const [found] = await store.query(statementLine, { ...key, line })
  if (found !== undefined) {
    return {
      account: found.account_id,
      number: found.account_number,
      kind: found.kind,
      totalMinor: found.amount_minor + found.fee_minor + found.tax_minor,
      aboutAt: aboutAt(found.about_day, found.posted_at),
    }
  }
  const [statement] = await store.query(statementByNumber, key)
  if (statement === undefined) {
    throw new OperationError('not_found', `${name} has no statement ${number} in ${currency}.`, {
      hint: `statement list "${name}" shows them.`,
    })
  }
  if (line <= statement.line_count) {
    throw new OperationError('refused', `Statement ${number} of ${name} in ${currency} is not sealed yet.`, {
      hint: 'Its lines are stored in a moment: ask again.',
    })
  }
  throw new OperationError(
    'not_found',
    `Statement ${number} of ${name} in ${currency} has ${statement.line_count} lines, and no line ${line}.`,
    { hint: `statement show "${name}" ${number} --currency ${currency} shows them.` },
  )
}

async function lineOfOrder(
  store: Store,
  { id: partyId, kind, name }: Row<'parties'>,
  currency: string,
  order: string,
): Promise<FoundLine> {
  const query: Query = (asked, args) => store.query(asked, args)
  const orderId = order.toLowerCase()
  const sides = await query(sidesOfOrder, { orderId })
  const position = new Set(positionOf({ partyId, kind, currency }).map(accountId))
  const lines: PostingLine[] = []
  for (const account of position) {
    const numbers = sides.flatMap((side) => [
      ...(side.debit_account === account ? [side.debit_number] : []),
      ...(side.credit_account === account ? [side.credit_number] : []),
    ])
    for (const [first, last] of runsOf(numbers))
      for await (const line of postingLines(query, { kind, position, ranges: [{ account, first, last }] }))
        if (line.orderId === orderId) lines.push(line)
  }
  const [line] = lines
  const hint = `Name the line of a statement: statement list "${name}", then --statement NUMBER --line LINE.`
  if (line === undefined) {
    throw new OperationError(
      'not_found',
      `The order ${order} has no line in the account of ${name} in ${currency}: it has moved nothing there, or is in the archive.`,
      { hint },
    )
  }
  if (lines.length > 1) {
    throw new OperationError(
      'refused',
      `The order ${order} has ${lines.length} lines in the account of ${name} in ${currency}.`,
      { hint },
    )
  }
  return {
    account: line.account,
    number: line.firstNumber,
    kind: line.kind,
    totalMinor: totalOf(line),
    aboutAt: aboutAt(line.aboutDay, line.postedAt),
  }
}

/** Numbers that follow one another: all postings of an order's step do. */
function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const open = runs.at(-1)
    if (open?.[1] === number - 1) open[1] = number
    else runs.push([number, number])
  }
  return runs
}

/** A line that is itself about an earlier day is corrected for that day. */
function aboutAt(aboutDay: string | null, postedAt: number): number {
  return aboutDay === null ? postedAt : Date.parse(`${aboutDay}T00:00:00Z`)
}
