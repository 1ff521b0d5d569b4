/**
 * Statements held against what they are made of (protocol 15.10): each goes on from the one before, its ranges and lines are what its
 * postings say, and its digest is that of the lines that are stored. One is read after the other, and its lines in pages, so that it
 * costs the same memory however many there are.
 */
import { createHash } from 'node:crypto'
import { archivedOrderById } from '../../persistence/queries/archive.ts'
import { sumsOfStatement } from '../../persistence/queries/statement-pages.ts'
import {
  booksAfter,
  linesWithArchive,
  lostBetween,
  statementAfter,
  sweptFor,
  unmetSetOffs,
} from '../../persistence/queries/statement-verification.ts'
import { rangesOf } from '../../persistence/queries/statements.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import { accountId, type Query, type Reader, type Row } from '../../persistence/store.ts'
import { canonicalHead, canonicalLine } from '../settlement/canonical.ts'
import { LineSums } from '../settlement/line-sums.ts'
import { accountOf, type Holder, positionOf } from '../settlement/position.ts'
import { type PostingLine, postingLines, totalOf } from '../settlement/posting-lines.ts'

const booksPerPage = 100
const linesPerPage = 500
/** Of one statement: where one line is wrong, many are. */
const maxTold = 5

export interface StatementFindings {
  statements: number
  problems: string[]
}

type Statement = Row<'statements'>

/** Where the statement before ended. */
interface Before {
  statement: Statement | null
  /** By account. */
  last: ReadonlyMap<string, number>
}

export async function readStatementFindings(reader: Reader): Promise<StatementFindings> {
  const found: StatementFindings = { statements: 0, problems: [] }
  for (const one of await reader.snapshot((query) => query(unmetSetOffs, {}))) {
    found.problems.push(
      `statement ${one.number} of ${one.party_id} in ${one.currency}: ${one.sum_minor} are set off against statement ` +
        `${one.source_id}, which is not set off as much against it`,
    )
  }
  for (let after = { afterParty: '', afterCurrency: '' }; ; ) {
    const page = await reader.snapshot((query) => query(booksAfter, { ...after, limit: booksPerPage }))
    for (const book of page) await lookAtBook(reader, book, found)
    const last = page.at(-1)
    if (last === undefined) return found
    after = { afterParty: last.party_id, afterCurrency: last.currency }
  }
}

type Book = Row<'statement_books'> & { kind: PartyKind }

async function lookAtBook(reader: Reader, book: Book, found: StatementFindings): Promise<void> {
  const { party_id: partyId, currency } = book
  const key = { partyId, currency }
  let before: Before = { statement: null, last: new Map() }
  for (;;) {
    const number = before.statement?.number ?? 0
    const [statement] = await reader.snapshot((query) => query(statementAfter, { ...key, number }))
    if (statement === undefined) break
    const looked = await lookAt(reader, { ...key, kind: book.kind }, statement, before)
    const where = `statement ${statement.number} of ${partyId} in ${currency}: `
    found.problems.push(...looked.problems.slice(0, maxTold).map((problem) => where + problem))
    found.statements += 1
    before = { statement, last: looked.last }
  }
  // What is closed meanwhile has moved the book further than was read here.
  const [given, day] = [before.statement?.number ?? 0, before.statement?.to_day ?? '']
  if (given > book.last_number && book.closed_day >= day)
    found.problems.push(`${partyId} in ${currency} has statement ${given}, and counts ${book.last_number}`)
  const lost = await reader.snapshot((query) =>
    query(lostBetween, { ...key, after: given, before: book.last_number + 1 }),
  )
  const missing = Math.max(0, book.last_number - given)
  if (Number(lost[0]?.numbers ?? 0) < missing)
    found.problems.push(
      `${partyId} in ${currency} counts ${book.last_number} statements, and has none beyond ${given}`,
    )
}

async function lookAt(reader: Reader, holder: Holder, statement: Statement, before: Before) {
  const query: Query = (asked, args) => reader.snapshot((within) => within(asked, args))
  const { partyId, currency } = holder
  const ranges = await query(rangesOf, { partyId, currency, number: statement.number })
  const lost = await query(lostBetween, {
    partyId,
    currency,
    after: before.statement?.number ?? 0,
    before: statement.number,
  })
  const problems = [
    ...chainProblems(statement, before, Number(lost[0]?.numbers ?? 0)),
    ...rangeProblems(holder, statement, ranges, before),
    ...(await lineProblems(query, holder, statement, { ranges, isFirst: before.statement === null })),
  ]
  if (holder.kind === 'merchant') {
    const account = accountOf(holder, 'available')
    const [swept] = await query(sweptFor, { account, reference: `statement ${statement.number}` })
    if (swept?.sum_minor !== statement.swept_minor)
      problems.push(
        `it has ${statement.swept_minor} taken to payable, its posting says ${swept?.sum_minor ?? 0n}`,
      )
    if (statement.due_minor !== statement.swept_minor)
      problems.push(
        `${statement.due_minor} are due by it, and ${statement.swept_minor} were taken to payable`,
      )
  }
  return { problems, last: new Map(ranges.map(({ account_id, last_number }) => [account_id, last_number])) }
}

function chainProblems(statement: Statement, { statement: before }: Before, lost: number): string[] {
  const { number, opening_minor, from_day, previous_digest, due_minor, allocated_minor } = statement
  const problems: string[] = []
  const missing = number - (before?.number ?? 0) - 1
  if (missing > lost)
    problems.push(`${missing} numbers before it are missing, and ${lost} are recorded as lost`)
  if (before !== null && opening_minor !== before.closing_minor)
    problems.push(
      `it opens with ${opening_minor}, and statement ${before.number} closed with ${before.closing_minor}`,
    )
  if (before !== null && from_day <= before.to_day)
    problems.push(`it begins with ${from_day}, and statement ${before.number} ended with ${before.to_day}`)
  if (previous_digest !== null && previous_digest !== (before?.digest ?? ''))
    problems.push(
      `it follows on the digest ${previous_digest}, and the statement before has ${before?.digest ?? 'none'}`,
    )
  const isWithin =
    due_minor >= 0n
      ? allocated_minor >= 0n && allocated_minor <= due_minor
      : allocated_minor <= 0n && allocated_minor >= due_minor
  if (!isWithin) problems.push(`${due_minor} are due by it, and ${allocated_minor} of that are settled`)
  return problems
}

function rangeProblems(
  holder: Holder,
  { closing_minor }: Statement,
  ranges: readonly Row<'statement_ranges'>[],
  { last }: Before,
): string[] {
  const problems: string[] = []
  for (const { account_id, first_number } of ranges) {
    const next = (last.get(account_id) ?? 0) + 1
    if (first_number !== next)
      problems.push(
        `its numbers of ${account_id} begin with ${first_number}, and the one before ended with ${next - 1}`,
      )
  }
  const known = new Set(ranges.map(({ account_id }) => account_id))
  for (const account of positionOf(holder).map(accountId))
    if (!known.has(account)) problems.push(`it has no range of ${account}`)
  const sum = ranges.reduce((total, { balance_minor }) => total + balance_minor, 0n)
  if (sum !== closing_minor) problems.push(`its accounts come to ${sum}, and it closes with ${closing_minor}`)
  return problems
}

/** What is stored of it, as far as it is, and what its postings say, told side by side. */
async function lineProblems(
  query: Query,
  holder: Holder,
  statement: Statement,
  { ranges, isFirst }: { ranges: readonly Row<'statement_ranges'>[]; isFirst: boolean },
): Promise<string[]> {
  const problems: string[] = []
  const told = postingLines(query, {
    kind: holder.kind,
    position: new Set(positionOf(holder).map(accountId)),
    ranges: ranges.map(({ account_id: account, first_number: first, last_number: last }) => ({
      account,
      first,
      last,
    })),
  })
  const isSealed = statement.sealed_at !== null
  const hash = createHash('sha256').update(`${canonicalHead(statement, statement.previous_digest ?? '')}\n`)
  const sums = { count: 0, byBankMinor: 0n, balanceMinor: statement.opening_minor }
  const byKind = new LineSums()
  let line = 0
  let next = await told.next()
  for await (const stored of storedLines(query, statement)) {
    line += 1
    hash.update(`${canonicalLine(stored)}\n`)
    byKind.add(stored)
    sums.balanceMinor += stored.amount_minor + stored.fee_minor + stored.tax_minor
    if (stored.line !== line) problems.push(`its line ${line} is missing`)
    line = stored.line
    if (stored.balance_minor !== sums.balanceMinor)
      problems.push(`its line ${line} has a balance of ${stored.balance_minor}, not of ${sums.balanceMinor}`)
    if (next.done !== true && isOf(stored, next.value)) {
      if (!isSame(stored, next.value)) problems.push(`its line ${line} is not what its postings say`)
      if (next.value.isByBank) sums.byBankMinor += totalOf(next.value)
      sums.count += 1
      next = await told.next()
    } else if (await isArchived(query, stored)) sums.count += 1
    else problems.push(`its line ${line} has no postings`)
  }
  // What is not stored yet is in the postings alone.
  for (; next.done !== true; next = await told.next()) {
    const { account, firstNumber } = next.value
    if (isSealed) problems.push(`it has no line of number ${firstNumber} of ${account}`)
    if (next.value.isByBank) sums.byBankMinor += totalOf(next.value)
    sums.count += 1
    sums.balanceMinor += totalOf(next.value)
  }
  const { line_count, closing_minor, opening_minor, due_minor, digest } = statement
  if (sums.count !== line_count)
    problems.push(`it was closed with ${line_count} lines, and has ${sums.count}`)
  if (sums.balanceMinor !== closing_minor)
    problems.push(
      `it closes with ${closing_minor}, and its lines lead from ${opening_minor} to ${sums.balanceMinor}`,
    )
  // What the first one opens with was archived before anything was closed, and is due by it.
  const due = closing_minor - (isFirst ? 0n : opening_minor) - sums.byBankMinor
  if (holder.kind === 'provider' && due_minor !== due)
    problems.push(`${due_minor} are due by it, and its lines but for those by a bank come to ${due}`)
  if (isSealed && hash.digest('hex') !== digest)
    problems.push('its digest is not that of the lines that are stored')
  return [
    ...problems,
    ...sumProblems(await query(sumsOfStatement, keyOf(statement)), isSealed ? byKind.all : []),
  ]
}

/** @param told by its lines, where it is sealed */
function sumProblems(
  kept: readonly Row<'statement_sums'>[],
  told: readonly Row<'statement_sums'>[],
): string[] {
  const textOf = (sums: readonly Row<'statement_sums'>[]) =>
    sums.map(
      ({ kind, direction, line_count, amount_minor, fee_minor, tax_minor }) =>
        `${[kind, direction].join(' ').trim()}: ${line_count} lines, ${amount_minor} ${fee_minor} ${tax_minor}`,
    )
  const [before, now] = [textOf(kept), textOf(told)]
  const more = before
    .filter((sum) => !now.includes(sum))
    .map((sum) => `it has the sum ${sum}, which its lines do not`)
  return [
    ...more,
    ...now
      .filter((sum) => !before.includes(sum))
      .map((sum) => `its lines add up to ${sum}, which is not kept`),
  ]
}

/** Asked again where it was not: orders are archived meanwhile. */
async function isArchived(
  query: Query,
  { archived_id, order_id }: { archived_id: string | null; order_id: string | null },
): Promise<boolean> {
  if (archived_id !== null || order_id === null) return archived_id !== null
  return (await query(archivedOrderById, { id: order_id })).length > 0
}

function keyOf({ party_id: partyId, currency, number }: Statement) {
  return { partyId, currency, number }
}

async function* storedLines(query: Query, statement: Statement) {
  for (let line = 0; ; ) {
    const limit = linesPerPage
    const page = await query(linesWithArchive, { ...keyOf(statement), line, limit })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return
    line = last.line
  }
}

function isOf(stored: Row<'statement_lines'>, { account, firstNumber }: PostingLine): boolean {
  return stored.account_id === account && stored.account_number === firstNumber
}

function isSame(stored: Row<'statement_lines'>, line: PostingLine): boolean {
  return (
    stored.amount_minor === line.amountMinor &&
    stored.fee_minor === line.feeMinor &&
    stored.tax_minor === line.taxMinor &&
    stored.posting_count === line.postings &&
    stored.kind === line.kind &&
    stored.day === line.day &&
    stored.order_id === line.orderId &&
    stored.posted_at === line.postedAt
  )
}
