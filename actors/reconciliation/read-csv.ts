/**
 * A network's file of a day as CSV, read as it comes: whatever its length, a few lines of it are in memory. It is refused as a
 * whole where its own totals, its count or its numbers do not hold, and each line that is wrong is named.
 */
import { currencyDecimals, maxMinorUnits, parseAmount } from '../../machines/money.ts'
import type { ReportMapping } from '../terms/report-mapping.ts'
import { placesOf, readCsv, type Table } from './csv-records.ts'
import { type CellOf, plainDecimal, recordReader, shown } from './report-cells.ts'
import {
  addToSums,
  batchLines,
  maxReportLines,
  noSums,
  type ReportBatch,
  type ReportFault,
  type ReportSums,
} from './report-lines.ts'

export interface CsvRules {
  mapping: ReportMapping
  currency: string
}

export async function* readReportCsv(
  bytes: AsyncIterable<Uint8Array>,
  rules: CsvRules,
): AsyncGenerator<ReportBatch> {
  const { encoding, separator, columns } = rules.mapping
  const headers = Object.values(columns).filter((name) => name !== null)
  const faulty = (fault: ReportFault): ReportBatch => ({ lines: [], faults: [fault] })
  yield* readCsv(bytes, { encoding, separator, headers, whose: 'network' }, faulty, (table) =>
    readRecords(table, rules),
  )
}

async function* readRecords(parser: Table, { mapping, currency }: CsvRules): AsyncGenerator<ReportBatch> {
  const decimals = currencyDecimals(currency)
  const read = recordReader({ mapping, decimals })
  let places: Map<string, number> | null = null
  let width = 0
  let sums = noSums
  let total: string[] | null = null
  let number: bigint | null = null
  let last = 1
  let isWhole = true
  let batch: ReportBatch = { lines: [], faults: [] }
  const fault = (line: number, problem: string) => batch.faults.push({ line, problem })
  for await (const { record, info } of parser) {
    const { lines: line } = info
    last = line
    if (places === null) {
      const found = columnsOf(record, mapping)
      if (typeof found === 'string') return yield { lines: [], faults: [{ line, problem: found }] }
      places = found
      width = record.length
      continue
    }
    if (total !== null) {
      return yield { lines: [], faults: [{ line, problem: 'there is more behind the line of totals' }] }
    }
    if (mapping.total !== null && record[0]?.toLowerCase() === mapping.total.label.toLowerCase()) {
      total = record
      // Where a line could not be read, no total holds.
      const problems = isWhole ? totalProblems(record, places, mapping, sums, decimals) : []
      batch.faults.push(...problems.map((problem) => ({ line, problem })))
      continue
    }
    if (record.length !== width) fault(line, `it has ${record.length} values, and the header ${width}`)
    else if (sums.lineCount >= maxReportLines) {
      return yield {
        lines: [],
        faults: [
          { line, problem: `there are more than ${maxReportLines} lines: is it one day of one network?` },
        ],
      }
    } else {
      const cellOf: CellOf = (column) => record[places?.get(mapping.columns[column] ?? '') ?? -1] ?? ''
      const one = read(line, cellOf)
      if (one.ok) {
        sums = addToSums(sums, one.line)
        if (sums.paidMinor > maxMinorUnits) {
          const problem = 'the sum of its payments is more than the ledger can hold'
          return yield { lines: [], faults: [{ line, problem }] }
        }
        batch.lines.push(one.line)
      } else {
        batch.faults.push(one.fault)
        isWhole = false
      }
      const next = numberAfter(number, cellOf('number'), mapping)
      if (typeof next === 'string') fault(line, next)
      else number = next
    }
    if (batch.lines.length + batch.faults.length >= batchLines) {
      yield batch
      batch = { lines: [], faults: [] }
    }
  }
  if (places === null) fault(1, 'the file is empty')
  else if (mapping.total !== null && total === null) {
    fault(last, `the line of totals (${mapping.total.label}) is missing: the file is cut off`)
  }
  yield batch
}

/** Of the columns that were agreed on; or why it is another table. */
function columnsOf(header: readonly string[], mapping: ReportMapping): Map<string, number> | string {
  const { order, reference, amount } = mapping.columns
  // Where nothing was agreed on, one of both names is enough.
  const isUsual = order === 'order' && amount === 'amount'
  const mayMiss = isUsual ? [order, reference].filter((name) => name !== null) : []
  const places = placesOf(header, headersOf(mapping), mayMiss)
  if (typeof places === 'string') return places
  if (!places.has(order ?? '') && !places.has(reference ?? ''))
    return `neither ${order ?? reference} nor ${reference ?? order} is a column`
  return places
}

function headersOf({ columns, total }: ReportMapping): string[] {
  return [...Object.values(columns), total?.count, total?.amount].filter((name) => name != null)
}

function numberAfter(
  before: bigint | null,
  text: string,
  { columns }: ReportMapping,
): bigint | null | string {
  if (columns.number === null) return null
  if (!/^\d{1,18}$/.test(text)) return `${columns.number} “${shown(text)}” is not a number`
  const number = BigInt(text)
  if (before === null || number === before + 1n) return number
  return `${columns.number} is ${number} after ${before}: something is missing, or comes twice`
}

function totalProblems(
  record: readonly string[],
  places: ReadonlyMap<string, number>,
  { total, decimal }: ReportMapping,
  { lineCount, paidCount, paidMinor }: ReportSums,
  decimals: number,
): string[] {
  const cell = (column: string) => record[places.get(column) ?? -1] ?? ''
  const problems: string[] = []
  if (total?.count != null) {
    const said = cell(total.count)
    if (said !== `${lineCount}` && said !== `${paidCount}`) {
      problems.push(`it says ${shown(said)} payments, and there are ${paidCount} (${lineCount} lines)`)
    }
  }
  if (total?.amount != null) {
    const said = parseAmount(plainDecimal(cell(total.amount), decimal) ?? '', decimals)
    if (said !== paidMinor)
      problems.push(`it says ${shown(cell(total.amount))}, and its payments are ${paidMinor} minor units`)
  }
  return problems
}
