/** Medians, ranges and tables of measurements. */

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** @param part from 0 to 1 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** `4,210 (3,990–4,402)`: the median and the range. */
export function spread(values: readonly number[], digits = 0): string {
  const text = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))})`
}

export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  console.log(line(head))
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  for (const row of rows) console.log(line(row))
}
