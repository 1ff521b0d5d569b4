/**
 * How a bank's statement is to be read where it comes as CSV: which column says what, and how amounts and days are written there
 * (protocol 16.6). The operator agrees on it with its bank, and it is kept with the bank.
 */
import type { Members, Problems } from '../foundation/reading.ts'
import { datePattern, decimalSign, encoding, header, separator } from './report-mapping.ts'

export interface StatementColumns {
  /** The value day. */
  day: string
  /** What the bank calls the entry; unique per direction, as each is booked once by it. */
  reference: string
  /** Signed: below zero it went out. Null where there are two columns. */
  amount: string | null
  credit: string | null
  debit: string | null
  /** What was written beside it: payments name themselves there. */
  text: string | null
  /** What the account holds behind the entry: then it is checked that none is missing. */
  balance: string | null
}

export interface StatementMapping {
  /** Null where it follows from the header. */
  separator: string | null
  encoding: 'utf-8' | 'windows-1252'
  columns: StatementColumns
  /** Such as `DD/MM/YYYY`; null for ISO 8601. */
  dates: string | null
  decimal: '.' | ','
}

const members = ['separator', 'encoding', 'columns', 'dates', 'decimal']
const columnNames = ['day', 'reference', 'amount', 'credit', 'debit', 'text', 'balance'] as const

/** `undefined` where it is not said, or is wrong; null takes it away. */
export function readStatementMapping(bank: Members, problems: Problems): StatementMapping | null | undefined {
  if (!bank.has('statement')) return undefined
  if (bank.optional('statement', (value) => value === null) === true) return null
  const found = problems.lines.length
  const statement = bank.section('statement', members)
  const columns = statement?.section('columns', columnNames) ?? null
  if (statement === null) return undefined
  if (columns === null) {
    statement.note('columns', 'is missing: it names the columns of the bank’s file')
    return undefined
  }
  const name = (key: (typeof columnNames)[number]) => columns.optional(key, header) ?? null
  const mapping: StatementMapping = {
    separator: statement.optional('separator', separator) ?? null,
    encoding: statement.optional('encoding', encoding) ?? 'utf-8',
    columns: {
      day: columns.required('day', header) ?? '',
      reference: columns.required('reference', header) ?? '',
      amount: name('amount'),
      credit: name('credit'),
      debit: name('debit'),
      text: name('text'),
      balance: name('balance'),
    },
    dates: statement.optional('dates', datePattern) ?? null,
    decimal: statement.optional('decimal', decimalSign) ?? '.',
  }
  const { amount, credit, debit } = mapping.columns
  const isOne = amount !== null && credit === null && debit === null
  const areTwo = amount === null && credit !== null && debit !== null
  if (!isOne && !areTwo) statement.note('columns', 'has either amount, or both credit and debit')
  return problems.lines.length > found ? undefined : mapping
}

/** As it is stored with its bank. */
export function statementMappingOf(statementJson: string | null): StatementMapping | null {
  return statementJson === null ? null : JSON.parse(statementJson)
}
