/**
 * How a network's report of a day is to be read, agreed on with the network: which column says what, and how amounts and times
 * are written there (protocol 16.2).
 */
import { isTimeZone } from '../../machines/time-zones.ts'
import { type Members, type Problems, type Read, Wrong } from '../foundation/reading.ts'

export interface ReportColumns {
  /** Our id or code of the order. */
  order: string | null
  /** The network's own name of the payment. */
  reference: string | null
  amount: string
  paidAt: string | null
  /** What became of the payment; null where a report has payments alone. */
  outcome: string | null
  /** Rises by one from line to line. */
  number: string | null
}

export interface ReportMapping {
  /** Null where it follows from the header. */
  separator: string | null
  encoding: 'utf-8' | 'windows-1252'
  columns: ReportColumns
  /** What stands in the column of outcomes, without regard to case. */
  outcomes: { paid: readonly string[]; reversed: readonly string[]; notPaid: readonly string[] }
  /** Such as `DD/MM/YYYY HH:mm:ss`; null for ISO 8601. */
  dates: string | null
  decimal: '.' | ','
  timeZone: string
  /** The last record, which begins with `label` and repeats how many payments there are, and their sum. */
  total: { label: string; count: string | null; amount: string | null } | null
  /** So many days a payment may be reported before or after the day that it has here. */
  toleratedDays: number
}

/** What a network reports where nothing was agreed on. */
const usualMapping: ReportMapping = {
  separator: null,
  encoding: 'utf-8',
  columns: {
    order: 'order',
    reference: 'reference',
    amount: 'amount',
    paidAt: 'paid_at',
    outcome: 'outcome',
    number: null,
  },
  outcomes: { paid: ['paid'], reversed: ['reversed'], notPaid: ['not_paid'] },
  dates: null,
  decimal: '.',
  timeZone: 'UTC',
  total: null,
  toleratedDays: 1,
}

const members = [
  'separator',
  'encoding',
  'columns',
  'outcomes',
  'dates',
  'decimal',
  'timeZone',
  'total',
  'toleratedDays',
]
const columnNames = ['order', 'reference', 'amount', 'paidAt', 'outcome', 'number'] as const

export const header: Read<string> = (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 100
    ? value.trim()
    : new Wrong('is not the name of a column')

function oneOf<const Choice extends string>(choices: readonly Choice[], what: string): Read<Choice> {
  return (value) => choices.find((choice) => choice === value) ?? new Wrong(`is not ${what}`)
}

const words: Read<string[]> = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= 20 &&
  value.every((word) => typeof word === 'string' && word.trim() !== '' && word.length <= 100)
    ? value.map((word: string) => word.trim())
    : new Wrong('is not a list of 1 to 20 texts')

/** Of what there are digits for, each once, with a day at least. */
export const datePattern: Read<string> = (value) => {
  if (typeof value !== 'string') return new Wrong('is not a text')
  const found: string[] = value.match(/YYYY|MM|DD|HH|mm|ss/g) ?? []
  const isWhole = ['YYYY', 'MM', 'DD'].every((part) => found.includes(part))
  const isOnce = new Set(found).size === found.length
  const rest = value.replace(/YYYY|MM|DD|HH|mm|ss/g, '')
  const isPlain = !/[A-Za-z0-9]/.test(rest.replace(/T/g, '')) && value.length <= 40
  const isOrdered =
    found.includes('ss') <= found.includes('mm') && found.includes('mm') <= found.includes('HH')
  return isWhole && isOnce && isPlain && isOrdered
    ? value
    : new Wrong('is not a form of dates such as "DD/MM/YYYY HH:mm:ss", of YYYY, MM, DD, HH, mm and ss')
}

export const separator = oneOf([',', ';', '\t', '|'], 'one of , ; | and a tab')
export const encoding = oneOf(['utf-8', 'windows-1252'], '"utf-8" or "windows-1252"')
export const decimalSign = oneOf(['.', ','], '"." or ","')

const zone: Read<string> = (value) =>
  typeof value === 'string' && isTimeZone(value)
    ? value
    : new Wrong('is not a time zone such as "America/Mexico_City"')

const days: Read<number> = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 7
    ? value
    : new Wrong('is not a whole number from 0 to 7')

/** What is not said is as usual, but for the columns: where any is named, only those that are named are there. */
export function readReportMapping(network: Members, problems: Problems): ReportMapping | null | undefined {
  if (!network.has('report')) return undefined
  if (network.optional('report', (value) => value === null) === true) return null
  const found = problems.lines.length
  const report = network.section('report', members)
  if (report === null) return undefined
  const columns = readColumns(report)
  const outcomes = report.section('outcomes', ['paid', 'reversed', 'notPaid'])
  const total = report.section('total', ['label', 'count', 'amount'])
  const mapping: ReportMapping = {
    separator: report.optional('separator', separator) ?? null,
    encoding: report.optional('encoding', encoding) ?? usualMapping.encoding,
    columns,
    outcomes: {
      paid: outcomes?.optional('paid', words) ?? usualMapping.outcomes.paid,
      reversed: outcomes?.optional('reversed', words) ?? usualMapping.outcomes.reversed,
      notPaid: outcomes?.optional('notPaid', words) ?? usualMapping.outcomes.notPaid,
    },
    dates: report.optional('dates', datePattern) ?? null,
    decimal: report.optional('decimal', decimalSign) ?? usualMapping.decimal,
    timeZone: report.optional('timeZone', zone) ?? usualMapping.timeZone,
    total:
      total === null
        ? null
        : {
            label: total.required('label', header) ?? '',
            count: total.optional('count', header) ?? null,
            amount: total.optional('amount', header) ?? null,
          },
    toleratedDays: report.optional('toleratedDays', days) ?? usualMapping.toleratedDays,
  }
  if (mapping.columns.order === null && mapping.columns.reference === null) {
    report.note('columns', 'names neither order nor reference: nothing could be matched')
  }
  return problems.lines.length > found ? undefined : mapping
}

function readColumns(report: Members): ReportColumns {
  if (!report.has('columns')) return usualMapping.columns
  const columns = report.section('columns', columnNames)
  const name = (key: (typeof columnNames)[number]) => columns?.optional(key, header) ?? null
  return {
    order: name('order'),
    reference: name('reference'),
    amount: columns?.required('amount', header) ?? '',
    paidAt: name('paidAt'),
    outcome: name('outcome'),
    number: name('number'),
  }
}

/** As it is stored with its network. */
export function mappingOf(reportJson: string | null): ReportMapping {
  return reportJson === null ? usualMapping : JSON.parse(reportJson)
}
