/**
 * A network's file of a day as CSV, read as it comes: whatever its length, a few lines of it are in memory. It is refused as a
 * whole where its own totals, its count or its numbers do not hold, and each line that is wrong is named.
 */
import { CsvError, type Parser, parse } from 'csv-parse'
import { currencyDecimals, maxMinorUnits, parseAmount } from '../../machines/money.ts'
import type { ReportColumns, ReportMapping } from '../terms/report-mapping.ts'
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

/** No record of a network's file is as long. */
const maxRecordLength = 16_384
const columnNames = ['order', 'reference', 'amount', 'paidAt', 'outcome', 'number'] as const
const separators = [',', ';', '\t', '|']

interface ParsedRecord {
  record: string[]
  info: { lines: number }
}

/** What a file is that nobody can read as a table, by how it begins. */
function foreignForm(head: Uint8Array): string | null {
  const begins = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte)
  if (begins(0x50, 0x4b)) return 'it is a ZIP file, or a spreadsheet: unpack it, or save it as CSV'
  if (begins(0x1f, 0x8b)) return 'it is compressed (gzip): unpack it first'
  if (begins(0x25, 0x50, 0x44, 0x46)) return 'it is a PDF: ask the network for its CSV'
  if (begins(0x3c) || begins(0xef, 0xbb, 0xbf, 0x3c)) return 'it is XML, and a network’s report is CSV'
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) return 'it is UTF-16: save it as UTF-8'
  return null
}

export async function* readReportCsv(
  bytes: AsyncIterable<Uint8Array>,
  rules: CsvRules,
): AsyncGenerator<ReportBatch> {
  const state: { head: string | null; problem: ReportFault | null } = { head: null, problem: null }
  const texts = decoded(bytes, rules.mapping.encoding, state)
  const first = await beginning(texts)
  if (state.problem !== null) return yield { lines: [], faults: [state.problem] }
  if (first.trim() === '') return yield { lines: [], faults: [{ line: 1, problem: 'the file is empty' }] }
  const parser = parse({
    bom: true,
    info: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    delimiter: rules.mapping.separator ?? separatorOf(first, rules.mapping),
    max_record_size: maxRecordLength,
  })
  const fed = feed(parser, first, texts)
  try {
    yield* readRecords(parser, rules)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = typeof error.lines === 'number' ? error.lines : 1
    const problem =
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `is longer than ${maxRecordLength} characters`
        : `is not CSV: ${error.message}`
    yield { lines: [], faults: [{ line, problem }] }
  } finally {
    parser.destroy()
    await fed
  }
  if (state.problem !== null) yield { lines: [], faults: [state.problem] }
}

/** Up to where the header has ended, however small the parts are that the file comes in. */
async function beginning(texts: AsyncGenerator<string>): Promise<string> {
  let head = ''
  for (;;) {
    const next = await texts.next()
    if (next.done) return head
    head += next.value
    if (/\S[^\r\n]*[\r\n]/.test(head) || head.length > maxRecordLength) return head
  }
}

/** Texts of whole characters; what is none ends them, with a problem. */
async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  state: { problem: ReportFault | null },
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  let isFirst = true
  let lines = 1
  for await (const chunk of bytes) {
    const foreign = isFirst ? foreignForm(chunk) : null
    if (foreign !== null) {
      state.problem = { line: 1, problem: foreign }
      return
    }
    try {
      const text = decoder.decode(chunk, { stream: true })
      lines += text.split('\n').length - 1
      isFirst = false
      if (text !== '') yield text
    } catch {
      state.problem = { line: lines, problem: `it is not ${encoding}, from about this line on` }
      return
    }
  }
  try {
    decoder.decode()
  } catch {
    state.problem = { line: lines, problem: `it ends within a character: it is not ${encoding}` }
  }
}

async function feed(parser: Parser, first: string, rest: AsyncGenerator<string>): Promise<void> {
  const closed = new Promise((resolve) => parser.once('close', resolve))
  const write = async (text: string) => {
    if (parser.destroyed || parser.write(text)) return
    await Promise.race([closed, new Promise((resolve) => parser.once('drain', resolve))])
  }
  await write(first)
  for await (const text of rest) {
    if (parser.destroyed) return
    await write(text)
  }
  if (!parser.destroyed) parser.end()
}

/** The one that the header has most columns of. */
function separatorOf(head: string, { columns }: ReportMapping): string {
  const [line = ''] = head.replace(/^\ufeff/, '').split(/\r\n|\n|\r/, 1)
  const wanted = Object.values(columns).map((name) => name?.toLowerCase())
  const known = (separator: string) =>
    line.split(separator).filter((cell) => wanted.includes(plainHeader(cell))).length
  return separators.reduce((best, separator) => (known(separator) > known(best) ? separator : best), ',')
}

function plainHeader(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
    .toLowerCase()
}

async function* readRecords(
  parser: AsyncIterable<ParsedRecord>,
  { mapping, currency }: CsvRules,
): AsyncGenerator<ReportBatch> {
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
      const found = placesOf(record, mapping)
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

/** Of the columns that were agreed on, by their names; or why it is another table. */
function placesOf(header: readonly string[], mapping: ReportMapping): Map<string, number> | string {
  const names = header.map((cell) => cell.toLowerCase())
  const wanted = columnNames.flatMap((column) => {
    const name = mapping.columns[column]
    return name === null ? [] : [[column as keyof ReportColumns | 'total', name] as const]
  })
  for (const name of [mapping.total?.count, mapping.total?.amount])
    if (name != null) wanted.push(['total', name])
  const isUsual = mapping.columns.order === 'order' && mapping.columns.amount === 'amount'
  const mayMiss = (column: string) => isUsual && (column === 'reference' || column === 'order')
  const places = new Map<string, number>()
  for (const [column, name] of wanted) {
    const place = names.indexOf(name.toLowerCase())
    if (place !== names.lastIndexOf(name.toLowerCase())) return `the column ${name} appears twice`
    if (place >= 0) places.set(name, place)
    else if (!mayMiss(column)) return `the column ${name} is missing; there are ${shown(header.join(', '))}`
  }
  const { order, reference } = mapping.columns
  if (!places.has(order ?? '') && !places.has(reference ?? ''))
    return `neither ${order ?? reference} nor ${reference ?? order} is a column`
  return places
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
