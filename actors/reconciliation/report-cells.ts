/** One record of a network's file, by what was agreed on with the network. */
import { parseAmount } from '../../machines/money.ts'
import type { LineKind } from '../../persistence/schema-reconciliation.ts'
import type { ReportColumns, ReportMapping } from '../terms/report-mapping.ts'
import { type ReadTime, timeReader } from './report-dates.ts'
import { maxNameLength, type ReportFault, type ReportLine } from './report-lines.ts'

export type ReadRecord = { ok: true; line: ReportLine } | { ok: false; fault: ReportFault }

/** The cell of a column; '' where the file has no such column. */
export type CellOf = (column: keyof ReportColumns) => string

export interface CellRules {
  mapping: ReportMapping
  /** Decimals of the network's currency. */
  decimals: number
}

export function recordReader({ mapping, decimals }: CellRules): (line: number, cell: CellOf) => ReadRecord {
  const readTime = timeReader(mapping.dates, mapping.timeZone)
  const kinds = kindsOf(mapping)
  return (line, cell) => {
    const problem = (text: string): ReadRecord => ({ ok: false, fault: { line, problem: text } })
    const [named, reference] = [cell('order'), cell('reference')]
    for (const [column, text] of [
      ['order', named],
      ['reference', reference],
    ] as const) {
      const wrong = nameProblem(text)
      if (wrong !== null) return problem(`${headerOf(mapping, column)} ${wrong}`)
    }
    if (named === '' && reference === '') return problem('it names neither an order nor a reference')
    const kind = kindOf(mapping, kinds, cell('outcome'))
    if (kind === null)
      return problem(`${headerOf(mapping, 'outcome')} “${shown(cell('outcome'))}” is none that was agreed on`)
    const amount = readAmount(cell('amount'), kind, mapping, decimals)
    if (typeof amount === 'string') return problem(`${headerOf(mapping, 'amount')} ${amount}`)
    const paidAt = readPaidAt(cell('paidAt'), kind, mapping, readTime)
    if (typeof paidAt === 'string') return problem(`${headerOf(mapping, 'paidAt')} ${paidAt}`)
    const read = { line, ...amount, named: named || null, reference: reference || null, paidAt }
    return { ok: true, line: read }
  }
}

function headerOf({ columns }: ReportMapping, column: keyof ReportColumns): string {
  return columns[column] ?? column
}

/** What a spreadsheet would take for a formula is no name of anything, and would run on somebody's machine. */
export function nameProblem(text: string): string | null {
  if (text.length > maxNameLength) return `is longer than ${maxNameLength} characters`
  if (/^[=+@\t]|^-\D/.test(text)) return `“${shown(text)}” begins like a formula`
  return /\p{Cc}/u.test(text) || !text.isWellFormed() ? 'has characters in it that no name has' : null
}

function kindsOf({ outcomes }: ReportMapping): Map<string, LineKind> {
  const entries: [readonly string[], LineKind][] = [
    [outcomes.paid, 'paid'],
    [outcomes.reversed, 'reversed'],
    [outcomes.notPaid, 'not_paid'],
  ]
  return new Map(entries.flatMap(([words, kind]) => words.map((word) => [word.toLowerCase(), kind] as const)))
}

function kindOf({ columns }: ReportMapping, kinds: Map<string, LineKind>, text: string): LineKind | null {
  return columns.outcome === null ? 'paid' : (kinds.get(text.toLowerCase()) ?? null)
}

type ReadAmount = { kind: LineKind; amountMinor: bigint | null }

/** Of a payment below zero it was taken back: some networks have no other word for it. */
function readAmount(
  text: string,
  kind: LineKind,
  { decimal }: ReportMapping,
  decimals: number,
): ReadAmount | string {
  if (text === '' && kind === 'not_paid') return { kind, amountMinor: null }
  const plain = plainDecimal(text, decimal)
  if (plain === null) return `“${shown(text)}” is not an amount such as “1234${decimal}50”`
  const minor = parseAmount(plain, decimals)
  if (typeof minor !== 'bigint') return `“${shown(text)}” is no amount of this currency`
  if (minor === 0n) return 'is zero'
  if (minor > 0n) return { kind, amountMinor: minor }
  return kind === 'not_paid' ? 'is below zero' : { kind: 'reversed', amountMinor: -minor }
}

/** Without marks of thousands, and with a point; null where it is no number written with this decimal sign. */
export function plainDecimal(text: string, decimal: '.' | ','): string | null {
  const marks = decimal === '.' ? /^-?\d{1,3}(,\d{3})+(\.\d+)?$/ : /^-?\d{1,3}([.  ]\d{3})+(,\d+)?$/
  const plain = marks.test(text) ? text.replace(decimal === '.' ? /,/g : /[.  ]/g, '') : text
  const form = decimal === '.' ? /^-?\d{1,18}(\.\d{1,18})?$/ : /^-?\d{1,18}(,\d{1,18})?$/
  return form.test(plain) ? plain.replace(',', '.') : null
}

function readPaidAt(
  text: string,
  kind: LineKind,
  { columns, dates }: ReportMapping,
  readTime: ReadTime,
): number | null | string {
  if (columns.paidAt === null || (text === '' && kind !== 'paid')) return null
  const at = readTime(text)
  return at ?? `“${shown(text)}” is not a time such as ${dates ?? '2026-03-01T12:00:00Z'}`
}

/** What of a cell stands in a message. */
export function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
