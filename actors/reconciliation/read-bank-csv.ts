/**
 * A bank's statement as CSV, by the columns that its bank has: many small banks give nothing else. It has no numbers and no balances
 * around it; where a column tells the balance behind each entry, it is refused as a whole unless each follows from the one before.
 */
import { currencyDecimals, maxMinorUnits, parseAmount } from '../../machines/money.ts'
import type { StatementColumns, StatementMapping } from '../terms/statement-mapping.ts'
import { placesOf, readCsv, type Table } from './csv-records.ts'
import type { BankBatch, BankLine } from './read-camt.ts'
import { nameProblem, plainDecimal, shown } from './report-cells.ts'
import { type ReadTime, timeReader } from './report-dates.ts'
import { batchLines, type ReportFault } from './report-lines.ts'

export interface BankCsvRules {
  mapping: StatementMapping
  currency: string
}

const [maxEntries, maxText] = [100_000, 2_000]

export async function* readBankCsv(
  bytes: AsyncIterable<Uint8Array>,
  { mapping, currency }: BankCsvRules,
): AsyncGenerator<BankBatch> {
  const { encoding, separator } = mapping
  const headers = namesOf(mapping.columns)
  const faulty = (fault: ReportFault): BankBatch => ({ lines: [], statements: [], faults: [fault] })
  yield* readCsv(bytes, { encoding, separator, headers, whose: 'bank' }, faulty, (table) =>
    readEntries(table, mapping, currencyDecimals(currency)),
  )
}

type Cells = (column: keyof StatementColumns) => string

async function* readEntries(
  records: Table,
  mapping: StatementMapping,
  decimals: number,
): AsyncGenerator<BankBatch> {
  const read = entryReader(mapping, decimals)
  let places: Map<string, number> | null = null
  let width = 0
  let batch: BankBatch = { lines: [], statements: [], faults: [] }
  const balances = new Balances()
  let [count, last] = [0, 1]
  for await (const { record, info } of records) {
    const { lines: line } = info
    last = line
    if (places === null) {
      const found = placesOf(record, namesOf(mapping.columns))
      if (typeof found === 'string')
        return yield { lines: [], statements: [], faults: [{ line, problem: found }] }
      places = found
      width = record.length
      continue
    }
    const fault = (problem: string) => batch.faults.push({ line, problem })
    if (record.length !== width) fault(`it has ${record.length} values, and the header ${width}`)
    else if (++count > maxEntries) {
      const problem = `there are more than ${maxEntries} entries: is it one statement?`
      return yield { lines: [], statements: [], faults: [{ line, problem }] }
    } else {
      const cell: Cells = (column) => record[places?.get(mapping.columns[column] ?? '') ?? -1] ?? ''
      const one = read(line, cell)
      if (typeof one === 'string') fault(one)
      else {
        batch.lines.push(one.entry)
        const problem = balances.add(one.entry, one.balanceMinor)
        if (problem !== null) fault(problem)
      }
    }
    if (batch.lines.length + batch.faults.length >= batchLines) {
      yield batch
      batch = { lines: [], statements: [], faults: [] }
    }
  }
  if (places === null) batch.faults.push({ line: 1, problem: 'the file is empty' })
  else {
    const problem = balances.problem()
    if (problem !== null) batch.faults.push({ line: last, problem })
    const { openingMinor, closingMinor } = balances.ends()
    batch.statements.push({ id: 'CSV', sequence: null, openingMinor, closingMinor, entryCount: count })
  }
  yield batch
}

function namesOf(columns: StatementColumns): string[] {
  return Object.values(columns).filter((name) => name !== null)
}

interface ReadEntry {
  entry: BankLine
  balanceMinor: bigint | null
}

/** @returns the entry, or what is wrong with it */
function entryReader(
  { columns, dates, decimal }: StatementMapping,
  decimals: number,
): (line: number, cell: Cells) => ReadEntry | string {
  const readTime: ReadTime = timeReader(dates, 'UTC')
  const amountIn = (column: keyof StatementColumns, text: string): bigint | string => {
    const plain = plainDecimal(text, decimal)
    const minor = plain === null ? null : parseAmount(plain, decimals)
    if (typeof minor === 'bigint' && minor <= maxMinorUnits && minor >= -maxMinorUnits) return minor
    return `${columns[column]} “${shown(text)}” is not an amount such as “1234${decimal}50”`
  }
  const moved = (cell: Cells): bigint | string => {
    if (columns.amount !== null) return amountIn('amount', cell('amount'))
    const [credit, debit] = [cell('credit'), cell('debit')]
    if ((credit === '') === (debit === '')) return 'it has both a credit and a debit, or none of them'
    const minor = credit === '' ? amountIn('debit', debit) : amountIn('credit', credit)
    if (typeof minor === 'string' || credit !== '') return minor
    // Some banks write a minus before what goes out in a column of its own.
    return minor > 0n ? -minor : minor
  }
  return (line, cell) => {
    const reference = cell('reference')
    if (reference === '') return `${columns.reference} is missing: an entry is booked once by it`
    const wrong = nameProblem(reference)
    if (wrong !== null) return `${columns.reference} ${wrong}`
    const at = readTime(cell('day'))
    if (at === null)
      return `${columns.day} “${shown(cell('day'))}” is not a day such as ${dates ?? '2026-03-01'}`
    const minor = moved(cell)
    if (typeof minor === 'string') return minor
    if (minor === 0n) return 'its amount is zero'
    const balance = columns.balance === null ? null : amountIn('balance', cell('balance'))
    if (typeof balance === 'string') return balance
    const text = cell('text')
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, maxText)
    const entry: BankLine = {
      ...{ line, direction: minor > 0n ? 'in' : 'out', isReversal: false, reference, endToEnd: null, text },
      amountMinor: minor > 0n ? minor : -minor,
      valueDay: new Date(at).toISOString().slice(0, 10),
    }
    return { entry, balanceMinor: balance }
  }
}

const signed = ({ direction, amountMinor }: BankLine): bigint =>
  direction === 'in' ? amountMinor : -amountMinor

/** Banks list the oldest entry first, or the newest: the balances have to hold one way or the other. */
class Balances {
  #first: { minor: bigint; balance: bigint } | null = null
  #last: { minor: bigint; balance: bigint } | null = null
  #sum = 0n
  #isOldestFirst = true
  #isNewestFirst = true

  /** @returns what is wrong, once neither order holds */
  add(entry: BankLine, balance: bigint | null): string | null {
    const minor = signed(entry)
    this.#sum += minor
    if (balance === null) return null
    const before = this.#last
    this.#last = { minor, balance }
    this.#first ??= this.#last
    if (before === null || !(this.#isOldestFirst || this.#isNewestFirst)) return null
    this.#isOldestFirst &&= before.balance + minor === balance
    this.#isNewestFirst &&= balance + before.minor === before.balance
    return this.#isOldestFirst || this.#isNewestFirst
      ? null
      : 'its balance does not follow from the one before: an entry is missing, or comes twice'
  }

  problem(): string | null {
    return this.#sum > maxMinorUnits || this.#sum < -maxMinorUnits
      ? 'the sum of its entries is more than the ledger can hold'
      : null
  }

  ends(): { openingMinor: bigint; closingMinor: bigint } {
    const [first, last] = [this.#first, this.#last]
    if (first === null || last === null) return { openingMinor: 0n, closingMinor: this.#sum }
    if (this.#isOldestFirst) return { openingMinor: first.balance - first.minor, closingMinor: last.balance }
    return { openingMinor: last.balance - last.minor, closingMinor: first.balance }
  }
}
