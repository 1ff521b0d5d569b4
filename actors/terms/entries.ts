/**
 * Terms as a person writes them, in a file or a form: read and checked as far as they alone show (protocol 15.2).
 *
 * Each entry keeps its path, so that what is wrong only in the light of the database is named by place too.
 */
import type { Direction } from '../../machines/order.ts'
import { isTimeZone } from '../../machines/time-zones.ts'
import { oneSpelling, writtenProblem } from '../../machines/written-names.ts'
import { amountFromZero, amountOf, country, currency } from '../foundation/money-reading.ts'
import {
  identifier,
  Members,
  noteRepeated,
  nullOr,
  type Problems,
  type Read,
  text,
  Wrong,
  whole,
} from '../foundation/reading.ts'
import { type Day, isCutOff, isDay, type Weekday, weekdays } from './days.ts'
import { type ReportMapping, readReportMapping } from './report-mapping.ts'
import { readStatementMapping, type StatementMapping } from './statement-mapping.ts'

export interface BankEntry {
  path: string
  name: string
  currency: string
  /** Of statements as CSV: `null` for none any more, `undefined` where it is not said. */
  statement: StatementMapping | null | undefined
}

export interface CalendarEntry {
  path: string
  name: string
  weekend: Weekday[] | undefined
  closed: { path: string; date: Day; note: string }[]
}

/** When a statement is closed: each day, on some weekdays, or when somebody asks. */
export type Every = 'day' | 'request' | Weekday[]

/** What is undefined stays as it is; `null` takes it away. */
export interface SettlesEntry {
  path: string
  currency: string
  timeZone: string | undefined
  cutOff: string | undefined
  every: Every | undefined
  calendar: string | null | undefined
  afterBankingDays: number | undefined
  minimumMinor: bigint | null | undefined
  keepMinor: bigint | null | undefined
  account: string | undefined
}

export interface ExposureEntry {
  path: string
  currency: string
  /** `null` takes the limit away. */
  limitMinor: bigint | null
  warnAtPercent: number | undefined
}

/** A fee or a commission from a day on. */
export interface FeeEntry {
  path: string
  from: Day
  direction: Direction
  fixedMinor: bigint
  bps: number
  minMinor: bigint | null
  maxMinor: bigint | null
  taxBps: number
}

/** What is undefined stays as it is; `null` takes it away. */
export interface NetworkEntry {
  path: string
  networkId: string
  name: string | null | undefined
  country: string | null | undefined
  currency: string | null | undefined
  /** Read in the currency that the network has or gets, which may be the database's. */
  min: string | null | undefined
  max: string | null | undefined
  counterFee: string | null | undefined
  hours: string | null | undefined
  /** By language. */
  text: Readonly<Record<string, string | null>> | undefined
  commissions: RawFee[]
  report: ReportMapping | null | undefined
}

/** A commission whose currency only the database may know. */
export interface RawFee {
  path: string
  value: unknown
}

/** The checkout's. */
export const textLanguages = ['es', 'pt', 'en'] as const

/** A text in its one spelling, without what nobody can see. */
function written(max: number): Read<string> {
  const read = text(max)
  return (value) => {
    const found = read(value)
    if (found instanceof Wrong) return found
    const spelled = oneSpelling(found)
    const odd = writtenProblem(spelled)
    return odd === null ? spelled : new Wrong(odd)
  }
}

/** The name of a bank or a calendar. */
export const termName = written(60)

const day: Read<Day> = (value) =>
  typeof value === 'string' && isDay(value) ? value : new Wrong('is not a date such as "2026-12-25"')

const timeZone: Read<string> = (value) =>
  typeof value === 'string' && isTimeZone(value)
    ? value
    : new Wrong('is not a time zone such as "America/Mexico_City"')

const cutOff: Read<string> = (value) =>
  typeof value === 'string' && isCutOff(value)
    ? value
    : new Wrong('is not a time from "00:01" to "24:00", written with four digits')

/** Weekdays in their order, each once. */
const someWeekdays: Read<Weekday[]> = (value) => {
  if (Array.isArray(value)) {
    const chosen = weekdays.filter((weekday) => value.includes(weekday))
    if (chosen.length === value.length) return chosen
  }
  return new Wrong(`is not a list of ${weekdays.join(', ')}, each once`)
}

const weekend: Read<Weekday[]> = (value) => {
  const read = someWeekdays(value)
  return !(read instanceof Wrong) && read.length === weekdays.length
    ? new Wrong('leaves no day on which banks work')
    : read
}

const every: Read<Every> = (value) => {
  if (value === 'day' || value === 'request') return value
  const read = someWeekdays(value)
  if (!(read instanceof Wrong) && read.length > 0) return read
  return new Wrong(`is not "day", "request" or a list of ${weekdays.join(', ')}, each once`)
}

const bps = whole(0, 10_000)

export function readBank(value: unknown, path: string, problems: Problems): BankEntry | undefined {
  const members = Members.of(value, path, ['name', 'currency', 'statement'], problems)
  if (members === null) return undefined
  const name = members.required('name', termName)
  const of = members.required('currency', currency)
  const statement = readStatementMapping(members, problems)
  return name === undefined || of === undefined ? undefined : { path, name, currency: of, statement }
}

export function readCalendar(value: unknown, path: string, problems: Problems): CalendarEntry | undefined {
  const members = Members.of(value, path, ['name', 'weekend', 'closed'], problems)
  if (members === null) return undefined
  const name = members.required('name', termName)
  const off = members.optional('weekend', weekend)
  const closed = members.list('closed', (item, at) => {
    const one = Members.of(item, at, ['date', 'note'], problems)
    const date = one?.required('date', day)
    const note = one?.optional('note', closedNote) ?? ''
    return date === undefined ? undefined : { path: at, date, note }
  })
  noteRepeated(problems, closed, ({ date }) => date)
  return name === undefined ? undefined : { path, name, weekend: off, closed }
}

export const closedNote: Read<string> = (value) => (value === '' ? '' : written(100)(value))

const settlesMembers = ['currency', 'timeZone', 'cutOff', 'every', 'calendar', 'afterBankingDays', 'minimum']

/** @param keeps only a merchant keeps something back */
export function readSettles(keeps: boolean) {
  const known = [...settlesMembers, ...(keeps ? ['keep'] : []), 'account']
  return (value: unknown, path: string, problems: Problems): SettlesEntry | undefined => {
    const members = Members.of(value, path, known, problems)
    if (members === null) return undefined
    const of = members.required('currency', currency)
    const entry = {
      path,
      timeZone: members.optional('timeZone', timeZone),
      cutOff: members.optional('cutOff', cutOff),
      every: members.optional('every', every),
      calendar: members.optional('calendar', nullOr(termName)),
      afterBankingDays: members.optional('afterBankingDays', whole(0, 30)),
      minimumMinor: members.optional('minimum', nullOr(amountFromZero(of))),
      keepMinor: keeps ? members.optional('keep', nullOr(amountFromZero(of))) : undefined,
      account: members.optional('account', written(100)),
    }
    return of === undefined ? undefined : { ...entry, currency: of }
  }
}

export function readExposure(value: unknown, path: string, problems: Problems): ExposureEntry | undefined {
  const members = Members.of(value, path, ['currency', 'limit', 'warnAtPercent'], problems)
  if (members === null) return undefined
  const of = members.required('currency', currency)
  const limitMinor = members.required('limit', nullOr(amountOf(of)))
  const warnAtPercent = members.optional('warnAtPercent', whole(1, 100))
  return of === undefined || limitMinor === undefined
    ? undefined
    : { path, currency: of, limitMinor, warnAtPercent }
}

const feeMembers = ['from', 'direction', 'currency', 'fixed', 'bps', 'min', 'max', 'taxBps']

/** @param of the currency of its pair or network; undefined where that is wrong itself */
export function readFee(
  value: unknown,
  path: string,
  problems: Problems,
  of: string | undefined,
): FeeEntry | undefined {
  const before = problems.lines.length
  const members = Members.of(value, path, feeMembers, problems)
  if (members === null) return undefined
  members.optional('currency', (given) =>
    of === undefined || given === of ? given : new Wrong(`is not the currency of what it is for, ${of}`),
  )
  const amount = amountFromZero(of)
  const from = members.required('from', day)
  const direction = members.required('direction', (given): Direction | Wrong =>
    given === 'PAY_OUT' || given === 'PAY_IN' ? given : new Wrong('is neither "PAY_OUT" nor "PAY_IN"'),
  )
  const entry = {
    path,
    fixedMinor: members.optional('fixed', amount) ?? 0n,
    bps: members.optional('bps', bps) ?? 0,
    minMinor: members.optional('min', nullOr(amount)) ?? null,
    maxMinor: members.optional('max', nullOr(amount)) ?? null,
    taxBps: members.optional('taxBps', bps) ?? 0,
  }
  if (entry.minMinor !== null && entry.maxMinor !== null && entry.minMinor > entry.maxMinor)
    members.note('max', 'is less than min')
  // What is wrong in a part would make another fee of the whole.
  if (from === undefined || direction === undefined || problems.lines.length > before) return undefined
  return { ...entry, from, direction }
}

/** Two of one direction and day would hold at one time. */
export function noteRepeatedFees(problems: Problems, entries: readonly FeeEntry[]): void {
  noteRepeated(problems, entries, ({ direction, from }) => `${direction} from ${from}`)
}

const networkMembers = [
  'id',
  'name',
  'country',
  'currency',
  'min',
  'max',
  'counterFee',
  'hours',
  'text',
  'commissions',
  'report',
]

/** A text alone is the id. */
export function readNetwork(value: unknown, path: string, problems: Problems): NetworkEntry | undefined {
  const isPlain = typeof value === 'string'
  const members = Members.of(isPlain ? { id: value } : value, path, networkMembers, problems)
  if (members === null) return undefined
  let networkId: string | undefined
  if (isPlain) {
    const read = identifier(value)
    if (read instanceof Wrong) problems.add(path, `${JSON.stringify(value)} ${read.problem}`)
    else networkId = read
  } else networkId = members.required('id', identifier)
  const amountText: Read<string | null> = (given) =>
    given === null || typeof given === 'string'
      ? given
      : new Wrong('is not an amount: write it as a text, such as "100.00"')
  const texts = members.section('text', textLanguages)
  const entry = {
    path,
    name: members.optional('name', nullOr(written(100))),
    country: members.optional('country', nullOr(country)),
    currency: members.optional('currency', nullOr(currency)),
    min: members.optional('min', amountText),
    max: members.optional('max', amountText),
    counterFee: members.optional('counterFee', amountText),
    hours: members.optional('hours', nullOr(written(100))),
    text: texts === null ? undefined : textsOf(texts),
    commissions: members.list('commissions', (item, at): RawFee => ({ path: at, value: item })),
    report: readReportMapping(members, problems),
  }
  return networkId === undefined ? undefined : { ...entry, networkId }
}

function textsOf(members: Members): Record<string, string | null> {
  return Object.fromEntries(
    textLanguages.flatMap((language) => {
      const found = members.optional(language, nullOr(written(300)))
      return found === undefined ? [] : [[language, found]]
    }),
  )
}
