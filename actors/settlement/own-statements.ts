/**
 * What a party is told of its own statements: only what is sealed, for what is not may be lost with its database
 * (protocol 15.10). Another party's, one that is not sealed and one that never was are the same to it.
 */
import { statementsPage, sumsOfStatement } from '../../persistence/queries/statement-pages.ts'
import { linesAfter, statementByNumber } from '../../persistence/queries/statements.ts'
import type { Row, Store } from '../../persistence/store.ts'
import {
  type StatementLine,
  type StatementSum,
  type StatementSummary,
  statementLine,
  statementSum,
  statementSummary,
} from './statement-documents.ts'

type Reader = Pick<Store, 'query'>

interface AskedPage {
  limit: number
  /** The `next` of an earlier page; null for the first. */
  cursor: string | null
}

export interface OwnStatements {
  statements: StatementSummary[]
  next: string | null
}

/** The latest closed first. `null` where the cursor is not the `next` of an earlier page of the same list. */
export async function ownStatements(
  store: Reader,
  { partyId, currency }: { partyId: string; currency: string | null },
  { limit, cursor }: AskedPage,
): Promise<OwnStatements | null> {
  const after = cursor === null ? null : readCursor(cursor)
  if (cursor !== null && (after === null || (currency !== null && after.currency !== currency))) return null
  const filter = { partyId, state: 'sealed', ...(currency === null ? {} : { currency }) } as const
  const end = after && { at: after.at, id: `${partyId}/${after.currency}/${after.number}` }
  const found = await store.query(statementsPage(filter, { after: end, limit: limit + 1 }), {})
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    statements: page.map((row) => statementSummary(row, row.name)),
    next: found.length > limit && last !== undefined ? writeCursor(last) : null,
  }
}

export interface OwnStatement {
  statement: StatementSummary
  /** Of all its lines, as they were kept when it was sealed: null on pages after the first. */
  sums: StatementSum[] | null
  lines: StatementLine[]
  next: string | null
}

interface Named {
  /** The party's name. */
  party: string
  partyId: string
  currency: string
  number: number
}

export async function ownStatement(
  store: Reader,
  { party, ...key }: Named,
  { limit, cursor }: AskedPage,
): Promise<OwnStatement | 'unknown' | 'cursor_unknown'> {
  const [statement] = await store.query(statementByNumber, key)
  if (statement === undefined || statement.sealed_at === null) return 'unknown'
  // The cursor is the last line that was shown; there is no page behind the last line.
  const line = cursor === null ? 0 : Number(numberPattern.exec(cursor)?.[0] ?? Number.NaN)
  if (cursor !== null && !(line < statement.line_count)) return 'cursor_unknown'
  const found = await store.query(linesAfter, { ...key, line, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const sums = cursor === null ? await store.query(sumsOfStatement, key) : undefined
  return {
    statement: statementSummary(statement, party),
    sums: sums?.map((sum) => statementSum(sum, key.currency)) ?? null,
    lines: page.map(statementLine),
    next: found.length > limit && last !== undefined ? String(last.line) : null,
  }
}

const numberPattern = /^[1-9]\d{0,8}$/

/** The number that a path names; null where none can be meant. */
export function readStatementNumber(written: string): number | null {
  return numberPattern.test(written) ? Number(written) : null
}

function writeCursor({ closed_at, currency, number }: Row<'statements'>): string {
  return Buffer.from(`${closed_at} ${currency} ${number}`).toString('base64url')
}

function readCursor(cursor: string): { at: number; currency: string; number: number } | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, at, currency, number] = /^(\d{1,15}) ([A-Z]{3}) ([1-9]\d{0,8})$/.exec(text) ?? []
  if (at === undefined || currency === undefined || number === undefined) return null
  return { at: Number(at), currency, number: Number(number) }
}
