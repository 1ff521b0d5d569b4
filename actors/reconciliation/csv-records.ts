/**
 * Tables of others as CSV, read as they come: whatever a file's length, a few lines of it are in memory. What is no table at all is told
 * by how it begins, and what is no CSV by its line.
 */
import { CsvError, type Parser, parse } from 'csv-parse'
import { shown } from './report-cells.ts'
import type { ReportFault } from './report-lines.ts'

type Whose = 'network' | 'bank'

export interface CsvForm {
  encoding: string
  /** Null where it follows from the header. */
  separator: string | null
  /** Names of the columns that are looked for. */
  headers: readonly string[]
  whose: Whose
}

/** No record is as long. */
const maxRecordLength = 16_384
const separators = [',', ';', '\t', '|']

/** Records with the line that each ends on, the header among them. */
export type Table = AsyncIterable<{ record: string[]; info: { lines: number } }>

/** What a file is that nobody can read as a table, by how it begins. */
function foreignForm(head: Uint8Array, whose: Whose): string | null {
  const begins = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte)
  if (begins(0x50, 0x4b)) return 'it is a ZIP file, or a spreadsheet: unpack it, or save it as CSV'
  if (begins(0x1f, 0x8b)) return 'it is compressed (gzip): unpack it first'
  if (begins(0x25, 0x50, 0x44, 0x46)) return `it is a PDF: ask the ${whose} for its CSV`
  if (begins(0x3c) || begins(0xef, 0xbb, 0xbf, 0x3c)) return 'it is XML, and a network’s report is CSV'
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff)) return 'it is UTF-16: save it as UTF-8'
  return null
}

/** @param faulty what is told of a fault; nothing comes after it */
export async function* readCsv<Batch>(
  bytes: AsyncIterable<Uint8Array>,
  form: CsvForm,
  faulty: (fault: ReportFault) => Batch,
  read: (table: Table) => AsyncGenerator<Batch>,
): AsyncGenerator<Batch> {
  const state: { problem: ReportFault | null } = { problem: null }
  const texts = decoded(bytes, form, state)
  const first = await beginning(texts)
  if (state.problem !== null) return yield faulty(state.problem)
  if (first.trim() === '') return yield faulty({ line: 1, problem: 'the file is empty' })
  const parser = parse({
    bom: true,
    info: true,
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    delimiter: form.separator ?? separatorOf(first, form.headers),
    max_record_size: maxRecordLength,
  })
  const fed = feed(parser, first, texts)
  try {
    yield* read(parser)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = typeof error.lines === 'number' ? error.lines : 1
    const problem =
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `is longer than ${maxRecordLength} characters`
        : `is not CSV: ${error.message}`
    yield faulty({ line, problem })
  } finally {
    parser.destroy()
    await fed
  }
  if (state.problem !== null) yield faulty(state.problem)
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
  { encoding, whose }: Pick<CsvForm, 'encoding' | 'whose'>,
  state: { problem: ReportFault | null },
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  let isFirst = true
  let lines = 1
  for await (const chunk of bytes) {
    const foreign = isFirst ? foreignForm(chunk, whose) : null
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
function separatorOf(head: string, headers: readonly string[]): string {
  const [line = ''] = head.replace(/^\ufeff/, '').split(/\r\n|\n|\r/, 1)
  const wanted = headers.map((name) => name.toLowerCase())
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

/** Where columns stand, by their names; or why it is another table. @param mayMiss columns that a table need not have */
export function placesOf(
  header: readonly string[],
  wanted: readonly string[],
  mayMiss: readonly string[] = [],
): Map<string, number> | string {
  const names = header.map((cell) => cell.toLowerCase())
  const places = new Map<string, number>()
  for (const name of wanted) {
    const place = names.indexOf(name.toLowerCase())
    if (place !== names.lastIndexOf(name.toLowerCase())) return `the column ${name} appears twice`
    if (place >= 0) places.set(name, place)
    else if (!mayMiss.includes(name))
      return `the column ${name} is missing; there are ${shown(header.join(', '))}`
  }
  return places
}
