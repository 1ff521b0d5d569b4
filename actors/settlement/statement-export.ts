/** A sealed statement as a file: a table for spreadsheets, or JSON with what its digest is made of. In parts, so that its length has no bound. */
import { linesAfter } from '../../persistence/queries/statements.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { csvHead, csvRows } from '../foundation/csv-table.ts'
import { choice, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { partyKind } from '../parties/operations.ts'
import { canonicalHead, canonicalLine } from './canonical.ts'
import { statementLine, statementSummary } from './statement-documents.ts'
import { findStatement, type Named } from './statement-operations.ts'

export const statementFormats = ['csv', 'json'] as const
export type StatementFormat = (typeof statementFormats)[number]

export interface StatementPart {
  /** Of the file: all parts, one behind the other, are it. */
  part: string
  /** The line behind which the next part begins; null behind the last one. */
  next: number | null
}

interface LinesPage {
  lines: readonly Row<'statement_lines'>[]
  isFirst: boolean
  isLast: boolean
}

const linesPerPart = 1000

export const statementExport = defineOperation({
  name: 'statement.export',
  summary: 'Read a part of the file of a sealed statement.',
  fields: {
    party: text({ description: "The party's name.", minLength: 1 }),
    number: text({ description: 'Of the statement.', pattern: '^[1-9]\\d{0,8}$' }),
    currency: text({ pattern: '^[A-Z]{3}$' }),
    kind: partyKind,
    format: choice(statementFormats),
    after: optional(wholeNumber({ description: 'Lines behind this one.', minimum: 0 })),
  },
  isRead: true,
  async run({ store }: OperationContext, input): Promise<StatementPart> {
    return statementPart(store, input)
  },
})

interface Asked extends Named {
  format: StatementFormat
  after?: number
}

/** @throws OperationError where there is none, or it is not sealed. */
export async function statementPart(
  store: Store,
  { format, after = 0, ...named }: Asked,
): Promise<StatementPart> {
  const { statement, key, name } = await findStatement(store, named)
  if (statement.sealed_at === null) {
    throw new OperationError('refused', `Statement ${named.number} of ${name} is not sealed yet.`, {
      hint: 'It is once its number is kept outside the database and its lines are stored, within minutes.',
    })
  }
  const found = await store.query(linesAfter, { ...key, line: after, limit: linesPerPart + 1 })
  const lines = found.slice(0, linesPerPart)
  const isLast = found.length <= linesPerPart
  const page = { lines, isFirst: after === 0, isLast }
  const part = format === 'csv' ? csvPart(name, page) : jsonPart(statement, name, page)
  return { part, next: isLast ? null : (lines.at(-1)?.line ?? null) }
}

const columns = [
  'party',
  'statement',
  'currency',
  'line',
  'day',
  'aboutDay',
  'at',
  'kind',
  'direction',
  'order',
  'network',
  'reference',
  'amount',
  'fee',
  'tax',
  'balance',
] as const

function csvPart(party: string, { lines, isFirst }: LinesPage): string {
  const rows = lines.map((row) => {
    const line = statementLine(row)
    return [
      party,
      { number: String(row.number) },
      row.currency,
      { number: String(line.line) },
      line.day,
      line.aboutDay ?? '',
      line.at,
      line.kind,
      line.direction ?? '',
      line.order ?? '',
      line.network ?? '',
      line.reference ?? '',
      { number: line.amount },
      { number: line.fee },
      { number: line.tax },
      { number: line.balance },
    ]
  })
  return (isFirst ? csvHead(columns) : '') + csvRows(rows)
}

/** `canonical` of the statement and of each line are the texts that the digest is made of, each with a line feed behind it. */
function jsonPart(
  statement: Row<'statements'>,
  party: string,
  { lines, isFirst, isLast }: LinesPage,
): string {
  const canonical = canonicalHead(statement, statement.previous_digest ?? '')
  const head = JSON.stringify({ ...statementSummary(statement, party), canonical })
  const entries = lines.map((line) =>
    JSON.stringify({ ...statementLine(line), canonical: canonicalLine(line) }),
  )
  const before = isFirst ? `${head.slice(0, -1)},"entries":[` : ','
  return `${before}\n${entries.join(',\n')}${isLast ? '\n]}\n' : ''}`
}
