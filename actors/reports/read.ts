/**
 * A provider's report as it comes: CSV in UTF-8 with a header row (RFC 4180, commas, a BOM is tolerated).
 *
 * Columns, in any order: `order` (id or code), `outcome` (`paid` or `not_paid`), `amount` (in the order's currency),
 * `paid_at` (ISO 8601), `reference` (the provider's own), and `network`, which may be left out where the provider has
 * one. Amount, time and reference are asked of payments alone.
 */
import { CsvError, parse } from 'csv-parse/sync'
import { type Instant, parseInstant } from '../../machines/time.ts'

export const maxReportBytes = 1024 * 1024
export const maxReportRows = 2_000
const maxReferenceLength = 100

export interface ReportRow {
  /** Of the file, from 1; where a value has line breaks, its last. */
  line: number
  /** Id or code, as it was written. */
  order: string
  reference: string
  /** `null` where the cash was not handled. */
  payment: { amount: string; paidAt: Instant; network: string } | null
}

/** What is wrong with a line. */
export interface Fault {
  line: number
  problem: string
}

const columns = ['order', 'outcome', 'amount', 'paid_at', 'reference', 'network'] as const
type Column = (typeof columns)[number]

/** Every line that is understood, and every one that is not. */
export function readReport(text: string): { rows: ReportRow[]; faults: Fault[] } {
  const records = readRecords(text)
  if (!Array.isArray(records)) return { rows: [], faults: [records] }
  const [header, ...rest] = records
  if (header === undefined) return { rows: [], faults: [{ line: 1, problem: 'the file is empty' }] }
  const places = placesOf(header)
  if ('problem' in places) return { rows: [], faults: [places] }
  if (rest.length > maxReportRows) {
    const problem = `there are ${rest.length} rows, and a report has at most ${maxReportRows}: send it in parts`
    return { rows: [], faults: [{ line: header.line, problem }] }
  }
  const rows: ReportRow[] = []
  const faults: Fault[] = []
  for (const { line, cells } of rest) {
    const read =
      cells.length === header.cells.length
        ? readRow(line, (column) => cells[places.get(column) ?? -1] ?? '')
        : { line, problem: `it has ${cells.length} values, and the header ${header.cells.length}` }
    if ('problem' in read) faults.push(read)
    else rows.push(read)
  }
  return { rows, faults }
}

interface CsvRecord {
  line: number
  cells: string[]
}

function readRecords(text: string): CsvRecord[] | Fault {
  try {
    const found: { record: string[]; info: { lines: number } }[] = parse(text, {
      bom: true,
      info: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      columns: false,
    }) as never
    return found.map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return {
      line: typeof error.lines === 'number' ? error.lines : 1,
      problem: `is not CSV: ${error.message}`,
    }
  }
}

function placesOf({ line, cells }: CsvRecord): Map<Column, number> | Fault {
  const names = cells.map((cell) => cell.toLowerCase())
  const known = names.map((name) => columns.find((column) => column === name))
  const unknown = cells.find((_, place) => known[place] === undefined)
  if (unknown !== undefined) {
    return { line, problem: `“${unknown}” is no column; there are ${columns.join(', ')}` }
  }
  if (new Set(names).size < names.length) return { line, problem: 'a column comes twice' }
  const missing = columns.find((column) => column !== 'network' && !names.includes(column))
  if (missing !== undefined) return { line, problem: `the column ${missing} is missing` }
  return new Map(known.flatMap((column, place) => (column === undefined ? [] : [[column, place]])))
}

function readRow(line: number, value: (column: Column) => string): ReportRow | Fault {
  const [order, outcome, reference] = [value('order'), value('outcome').toLowerCase(), value('reference')]
  if (order === '') return { line, problem: 'no order is named' }
  if (reference.length > maxReferenceLength) {
    return { line, problem: `the reference is longer than ${maxReferenceLength} characters` }
  }
  if (outcome === 'not_paid') return { line, order, reference, payment: null }
  if (outcome !== 'paid') return { line, problem: `the outcome “${outcome}” is neither paid nor not_paid` }
  const paidAt = parseInstant(value('paid_at'))
  if (paidAt === null) {
    return { line, problem: `paid_at “${value('paid_at')}” is no time such as 2026-03-01T12:00:00Z` }
  }
  if (reference === '') return { line, problem: 'a payment needs its reference' }
  return { line, order, reference, payment: { amount: value('amount'), paidAt, network: value('network') } }
}
