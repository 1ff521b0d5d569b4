/** Rows of what is provisioned, as the members of a file that they come from: their names there, and their values as people write them. */
import { formatPrice } from '../../machines/money.ts'
import { readSources, sourceName } from '../rates/source.ts'
import type { PlannedTable } from '../terms/planned-write.ts'

export type Member = readonly [name: string, value: string | null]

type Values = Readonly<Record<string, unknown>>

/** @param row of the table; it may lack columns that have a default. */
export function membersOf(table: PlannedTable, row: Values): Member[] {
  return tables[table](row)
}

const tables: Readonly<Record<PlannedTable, (row: Values) => Member[]>> = {
  // Of many days only the first that ends otherwise is shown.
  cut_offs: () => [],
  parties: (row) => [
    ['contact', text(row.contact)],
    ['limits.requestsPerMinute', text(row.requests_per_minute)],
    // Its secret is made, and shown once.
    ['standardWebhooks', row.webhook_secret_ciphertext == null ? null : 'true'],
  ],
  credentials: (row) => [
    ['key', text(row.key)],
    ['secret', row.made === true ? 'made, and shown once' : 'as given'],
  ],
  pairs: (row) => [
    ['min', amount(row.min_minor, row.currency)],
    ['max', amount(row.max_minor, row.currency)],
    ['directions', directions(row)],
    ['cashIncrement', amount(row.cash_increment_minor, row.currency)],
  ],
  account_deposits: (row) => [
    ['amount', amount(row.amount_minor, row.currency)],
    ['reference', text(row.reference)],
    ['bank', text(row.bank)],
  ],
  networks: (row) => [
    ['name', text(row.name)],
    ['country', text(row.country)],
    ['currency', text(row.currency)],
    ['min', amount(row.min_minor, row.currency)],
    ['max', amount(row.max_minor, row.currency)],
    ['counterFee', amount(row.counter_fee_minor, row.currency)],
    ['hours', text(row.hours)],
    ...nested('text', row.text_json),
    ...nested('report', row.report_json),
  ],
  banks: (row) => [['currency', text(row.currency)], ...nested('statement', row.statement_json)],
  calendars: (row) => [['weekend', list(row.weekend_json)]],
  calendar_days: (row) => [[`closed.${row.day}`, row.note === '' ? 'closed' : text(row.note)]],
  settlement_terms: (row) => [
    ['timeZone', text(row.time_zone)],
    ['cutOff', text(row.cut_off)],
    ['every', list(row.every_json)],
    ['calendar', text(row.calendar)],
    ['afterBankingDays', text(row.after_banking_days)],
    ['minimum', amount(row.minimum_minor, row.currency)],
    ['keep', amount(row.keep_minor, row.currency)],
    ['account', text(row.next_account ?? row.account)],
  ],
  fee_terms: (row) => [
    ['fixed', amount(row.fixed_minor, row.currency)],
    ['bps', text(row.bps)],
    ['min', amount(row.min_minor, row.currency)],
    ['max', amount(row.max_minor, row.currency)],
    ['taxBps', text(row.tax_bps)],
  ],
  exposure_limits: (row) => [
    ['limit', amount(row.limit_minor, row.currency)],
    ['warnAtPercent', text(row.warn_at_percent)],
  ],
  rates: (row) => [
    ['rate', text(row.rate)],
    ['feeFixed', text(row.fee_fixed)],
    ['feeBps', text(row.fee_bps)],
    ['maxAgeSeconds', text(row.max_age_seconds)],
    ['maxJumpPercent', text(row.max_jump_percent)],
    ...sources(row.source_json),
  ],
}

function text(value: unknown): string | null {
  return value === null || value === undefined || value === '' ? null : String(value)
}

function amount(minor: unknown, currency: unknown): string | null {
  if (typeof minor !== 'bigint' || typeof currency !== 'string') return null
  return `${formatPrice(minor, currency)} ${currency}`
}

function directions(row: Values): string {
  return [...(row.pay_out === 1 ? ['PAY_OUT'] : []), ...(row.pay_in === 1 ? ['PAY_IN'] : [])].join(', ')
}

/** `"day"` or `["MON", "THU"]`. */
function list(json: unknown): string | null {
  const value: unknown = typeof json === 'string' ? JSON.parse(json) : null
  return Array.isArray(value) ? value.join(', ') : text(value)
}

function nested(name: string, json: unknown): Member[] {
  const members: object = typeof json === 'string' ? JSON.parse(json) : {}
  return Object.entries(members).flatMap(([key, value]: [string, unknown]): Member[] => {
    const path = `${name}.${key}`
    if (value === null || typeof value === 'string') return [[path, value]]
    const isSection = typeof value === 'object' && !Array.isArray(value)
    return isSection ? nested(path, JSON.stringify(value)) : [[path, JSON.stringify(value)]]
  })
}

/** By their places, without queries: keys may be there. */
function sources(json: unknown): Member[] {
  if (typeof json !== 'string') return []
  const { expected, sources: all } = readSources(json)
  return [
    ['expected', expected],
    ...all.flatMap((source, index): Member[] => {
      const { pointer, inverse, spreadBps, refreshSeconds, timeoutSeconds, maxAgeSeconds } = source
      const of = (name: string) => `sources[${index}].${name}`
      return [
        [of('url'), sourceName(source)],
        [of('pointer'), pointer],
        [of('inverse'), String(inverse)],
        [of('spreadBps'), String(spreadBps)],
        [of('refreshSeconds'), String(refreshSeconds)],
        [of('timeoutSeconds'), String(timeoutSeconds)],
        [of('maxAgeSeconds'), String(maxAgeSeconds)],
      ]
    }),
  ]
}
