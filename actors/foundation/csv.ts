/** CSV as people send it: UTF-8 (RFC 4180, commas, a byte order mark is tolerated). */
import { CsvError, parse } from 'csv-parse/sync'

/** What is wrong with a line. */
export interface Fault {
  line: number
  problem: string
}

export interface CsvRecord {
  /** Of the file, from 1; where a value has line breaks, its last. */
  line: number
  cells: string[]
}

export type ReadCsv = { ok: true; value: CsvRecord[] } | { ok: false; fault: Fault }

/**
 * Its records without empty lines, values without blanks around them; or why it is no CSV.
 *
 * @param most records that are read, the header included: what comes after them is not looked at
 */
export function readCsv(text: string, most = Number.MAX_SAFE_INTEGER): ReadCsv {
  try {
    const found: { record: string[]; info: { lines: number } }[] = parse(text, {
      bom: true,
      info: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      columns: false,
      to: most,
    }) as never
    return { ok: true, value: found.map(({ record, info }) => ({ line: info.lines, cells: record })) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = typeof error.lines === 'number' ? error.lines : 1
    return { ok: false, fault: { line, problem: `is not CSV: ${error.message}` } }
  }
}
