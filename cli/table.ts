/** Plain text for people: aligned tables, and names with their values. */
import { printableLine } from './printable.ts'

export interface Column<Row> {
  title: string
  value: (row: Row) => string | number | null
  /** Amounts and counts. */
  right?: boolean
}

/** Rows under their titles, two blanks between columns; nothing at the end of a line. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => cell(column.value(row)))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => width(line[index] ?? ''))))
  const lines = cells.map((line) =>
    columns
      .map((column, index) => {
        const text = line[index] ?? ''
        const blanks = ' '.repeat((widths[index] ?? 0) - width(text))
        return column.right ? blanks + text : text + blanks
      })
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** A name and its value a line; what is null is left out. */
export function fields(pairs: readonly (readonly [name: string, value: string | number | null])[]): string {
  const known = pairs.filter(([, value]) => value !== null)
  const widest = Math.max(...known.map(([name]) => width(name)))
  return known
    .map(([name, value]) => `${name.padEnd(widest)}  ${cell(value)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('')
}

/** A heading with what stands under it; nothing when there is nothing. */
export function section(title: string, text: string): string {
  return text === '' ? '' : `\n${title}\n${text}`
}

/** To the second: `2026-03-01 12:00:00Z`. */
export function shortTime(instant: string | null): string {
  return instant === null ? '–' : `${instant.slice(0, 19).replace('T', ' ')}Z`
}

function cell(value: string | number | null): string {
  return value === null ? '–' : printableLine(String(value))
}

function width(text: string): number {
  return [...text].length
}
