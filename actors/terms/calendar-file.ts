/** Closed days as they come: CSV with the columns `date` and, perhaps, `note`, in any order. */
import { type CsvRecord, type Fault, readCsv } from '../foundation/csv.ts'
import { Wrong } from '../foundation/reading.ts'
import { type Day, isDay } from './days.ts'
import { closedNote } from './entries.ts'

export const maxCalendarBytes = 256 * 1024
const maxRows = 2_000

export interface ClosedDay {
  date: Day
  note: string
}

/** Every line that is understood, and every one that is not. */
export function readCalendarFile(text: string): { days: ClosedDay[]; faults: Fault[] } {
  // The header, and one row more than there may be.
  const read = readCsv(text, maxRows + 2)
  if (!read.ok) return { days: [], faults: [read.fault] }
  const [header, ...rest] = read.value
  if (header === undefined) return { days: [], faults: [{ line: 1, problem: 'the file is empty' }] }
  const columns = header.cells.map((cell) => cell.toLowerCase())
  const odd = headerProblem(header, columns)
  if (odd !== null) return { days: [], faults: [{ line: header.line, problem: odd }] }
  if (rest.length > maxRows) {
    const problem = `there are more than ${maxRows} days: leave out those of years that are over`
    return { days: [], faults: [{ line: header.line, problem }] }
  }
  const days: ClosedDay[] = []
  const faults: Fault[] = []
  const firstLines = new Map<Day, number>()
  for (const { line, cells } of rest) {
    const closed = readDay(cells, columns)
    if (!closed.ok) {
      faults.push({ line, problem: closed.problem })
      continue
    }
    const { date, note } = closed
    const first = firstLines.get(date)
    if (first !== undefined) faults.push({ line, problem: `${date} is in line ${first} already` })
    else {
      firstLines.set(date, line)
      days.push({ date, note })
    }
  }
  return { days, faults }
}

function headerProblem({ cells }: CsvRecord, columns: readonly string[]): string | null {
  const unknown = cells.find((_, place) => !['date', 'note'].includes(columns[place] ?? ''))
  if (unknown !== undefined) return `“${unknown}” is not a column; the columns are date and note`
  if (new Set(columns).size < columns.length) return 'a column appears twice'
  return columns.includes('date') ? null : 'the column date is missing'
}

type ReadDay = ({ ok: true } & ClosedDay) | { ok: false; problem: string }

function readDay(cells: readonly string[], columns: readonly string[]): ReadDay {
  const wrong = (problem: string) => ({ ok: false as const, problem })
  if (cells.length !== columns.length) {
    return wrong(`it has ${cells.length} values, and the header ${columns.length}`)
  }
  const date = cells[columns.indexOf('date')] ?? ''
  if (!isDay(date)) return wrong(`“${date}” is no date such as 2026-12-25`)
  const note = closedNote(cells[columns.indexOf('note')] ?? '')
  return note instanceof Wrong ? wrong(`the note ${note.problem}`) : { ok: true, date, note }
}
