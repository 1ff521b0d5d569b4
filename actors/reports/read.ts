/**
 * A provider's report as it comes: CSV in UTF-8 with a header row (RFC 4180, commas, a BOM is tolerated).
 *
 * Columns, in any order: `order` (id or code), `outcome` (`paid` or `not_paid`), `amount` (in the order's currency),
 * `paid_at` (ISO 8601), `reference` (the provider's own), and `network`, which may be left out where the provider has
 * one. Amount, time and reference are asked of payments alone.
 */
import { type Instant, parseInstant } from '../../machines/time.ts'
import { type CsvRecord, type Fault, readCsv } from '../foundation/csv.ts'

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

const columns = ['order', 'outcome', 'amount', 'paid_at', 'reference', 'network'] as const
type Column = (typeof columns)[number]

type Read<Value> = { ok: true; value: Value } | { ok: false; fault: Fault }

function fault(line: number, problem: string): { ok: false; fault: Fault } {
  return { ok: false, fault: { line, problem } }
}

/** Every line that is understood, and every one that is not. */
export function readReport(text: string): { rows: ReportRow[]; faults: Fault[] } {
  // The header, and one row more than there may be.
  const read = readCsv(text, maxReportRows + 2)
  if (!read.ok) return { rows: [], faults: [read.fault] }
  const [header, ...rest] = read.value
  if (header === undefined) return { rows: [], faults: [{ line: 1, problem: 'the file is empty' }] }
  const places = placesOf(header)
  if (!places.ok) return { rows: [], faults: [places.fault] }
  if (rest.length > maxReportRows) {
    const problem = `there are more than ${maxReportRows} rows: send the report in parts`
    return { rows: [], faults: [{ line: header.line, problem }] }
  }
  const rows: ReportRow[] = []
  const faults: Fault[] = []
  for (const { line, cells } of rest) {
    const row =
      cells.length === header.cells.length
        ? readRow(line, (column) => cells[places.value.get(column) ?? -1] ?? '')
        : fault(line, `it has ${cells.length} values, and the header ${header.cells.length}`)
    if (row.ok) rows.push(row.value)
    else faults.push(row.fault)
  }
  return { rows, faults }
}

function placesOf({ line, cells }: CsvRecord): Read<Map<Column, number>> {
  const names = cells.map((cell) => cell.toLowerCase())
  const known = names.map((name) => columns.find((column) => column === name))
  const unknown = cells.find((_, place) => known[place] === undefined)
  if (unknown !== undefined) {
    return fault(line, `“${unknown}” is not a column; the columns are ${columns.join(', ')}`)
  }
  if (new Set(names).size < names.length) return fault(line, 'a column appears twice')
  const missing = columns.find((column) => column !== 'network' && !names.includes(column))
  if (missing !== undefined) return fault(line, `the column ${missing} is missing`)
  const places = known.flatMap((column, place): [Column, number][] =>
    column === undefined ? [] : [[column, place]],
  )
  return { ok: true, value: new Map(places) }
}

function readRow(line: number, value: (column: Column) => string): Read<ReportRow> {
  const [order, outcome, reference] = [value('order'), value('outcome').toLowerCase(), value('reference')]
  if (order === '') return fault(line, 'the order is missing')
  if (reference.length > maxReferenceLength) {
    return fault(line, `the reference is longer than ${maxReferenceLength} characters`)
  }
  if (outcome === 'not_paid') return { ok: true, value: { line, order, reference, payment: null } }
  if (outcome !== 'paid') return fault(line, `the outcome “${outcome}” is neither paid nor not_paid`)
  const paidAt = parseInstant(value('paid_at'))
  if (paidAt === null) {
    return fault(line, `paid_at “${value('paid_at')}” is not a time such as 2026-03-01T12:00:00Z`)
  }
  if (reference === '') return fault(line, 'a payment needs its reference')
  const payment = { amount: value('amount'), paidAt, network: value('network') }
  return { ok: true, value: { line, order, reference, payment } }
}
