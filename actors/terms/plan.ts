/** What entries change of banks, calendars, settlement, exposure and networks, in the database as it is: writes, or each bad place. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { amountFromZero, amountOf } from '../foundation/money-reading.ts'
import { type Problems, type Read, Wrong } from '../foundation/reading.ts'
import { planCutOffs } from './cut-offs.ts'
import { isCalendar } from './days.ts'
import {
  type BankEntry,
  type CalendarEntry,
  type ExposureEntry,
  type NetworkEntry,
  type SettlesEntry,
  textLanguages,
} from './entries.ts'
import { accountsAt } from './in-force.ts'
import { type KnownTerms, noTerms } from './known.ts'
import type { PlannedWrite } from './planned-write.ts'

/** Where a plan puts what it finds. */
export interface TermsPlan {
  at: Instant
  known: KnownTerms
  problems: Problems
  change(what: string, ...writes: PlannedWrite[]): void
}

export interface PlannedParty {
  id: string
  /** Such as `merchant Demo Shop`. */
  who: string
  /** It is made in the same step: it has no past. */
  isNew: boolean
}

/** A change of account waits, so that whom it is told to can object. */
export const accountDelayMs = 24 * 60 * 60 * 1000

const usual = { time_zone: 'UTC', cut_off: '24:00', every_json: '"request"', after_banking_days: 0 } as const
const usualWeekend = ['SAT', 'SUN'] as const
const usualWarnAtPercent = 80

export function planBank({ known, problems, change }: TermsPlan, entry: BankEntry): void {
  const { path, name, currency } = entry
  const before = known.banks.get(name)
  const stored = known.statements.get(name) ?? null
  const statement_json =
    entry.statement === undefined ? stored : entry.statement && JSON.stringify(entry.statement)
  if (before === undefined) {
    change(`bank ${name}: added`, { insert: 'banks', values: { name, currency, statement_json } })
  } else if (before !== currency) {
    problems.add(`${path}.currency`, `bank ${name} has ${before}, and what is booked there stays so`)
  } else if (statement_json !== stored) {
    change(`bank ${name}: statement set`, { update: 'banks', key: { name }, set: { statement_json } })
  }
}

export function planCalendar({ known, problems, change }: TermsPlan, entry: CalendarEntry): void {
  const { path, name } = entry
  const before = known.calendars.get(name)
  const weekend = entry.weekend ?? before?.weekend ?? usualWeekend
  const closed = new Set([...(before?.closed ?? []), ...entry.closed.map(({ date }) => date)])
  if (!isCalendar({ weekend, closed })) {
    problems.add(path, `calendar ${name} would be closed for more than two months on end`)
    return
  }
  const weekend_json = JSON.stringify(weekend)
  if (before === undefined) {
    change(`calendar ${name}: added`, { insert: 'calendars', values: { name, weekend_json } })
  } else if (weekend_json !== JSON.stringify(before.weekend)) {
    change(`calendar ${name}: weekend set`, { update: 'calendars', key: { name }, set: { weekend_json } })
  }
  const writes = entry.closed.flatMap(({ date: day, note }): PlannedWrite[] => {
    const noted = before?.notes.get(day)
    if (noted === note) return []
    if (noted === undefined) return [{ insert: 'calendar_days', values: { calendar: name, day, note } }]
    return [{ update: 'calendar_days', key: { calendar: name, day }, set: { note } }]
  })
  if (writes.length > 0) change(`calendar ${name}: ${counted(writes.length, 'closed day')} set`, ...writes)
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** @param calendars those there are, with the file's */
export function planSettles(
  plan: TermsPlan,
  party: PlannedParty,
  entry: SettlesEntry,
  calendars: readonly string[],
): void {
  const { at, known, problems, change } = plan
  const { path, currency } = entry
  const terms = known.parties.get(party.id) ?? noTerms
  const stored = terms.settles.find((row) => row.currency === currency)
  if (typeof entry.calendar === 'string' && !calendars.includes(entry.calendar)) {
    const there = calendars.length === 0 ? 'there is none' : `there are ${calendars.join(', ')}`
    problems.add(`${path}.calendar`, `${JSON.stringify(entry.calendar)} is no calendar; ${there}`)
    return
  }
  const before = stored && { ...stored, ...accountsAt(stored, at) }
  const values = {
    time_zone: entry.timeZone ?? before?.time_zone ?? usual.time_zone,
    cut_off: entry.cutOff ?? before?.cut_off ?? usual.cut_off,
    every_json:
      entry.every === undefined ? (before?.every_json ?? usual.every_json) : JSON.stringify(entry.every),
    calendar: entry.calendar === undefined ? (before?.calendar ?? null) : entry.calendar,
    after_banking_days: entry.afterBankingDays ?? before?.after_banking_days ?? usual.after_banking_days,
    minimum_minor: entry.minimumMinor === undefined ? (before?.minimum_minor ?? null) : entry.minimumMinor,
    keep_minor: entry.keepMinor === undefined ? (before?.keep_minor ?? null) : entry.keepMinor,
  }
  const { accounts, told } = accountsAfter(before, entry.account, at)
  const key = { party_id: party.id, currency }
  const set = { ...values, ...accounts, changed_at: at }
  const differs = before === undefined || !isSame(before, values)
  if (differs || told !== null) {
    change(
      `${party.who}: settlement of ${currency} ${before ? 'set' : 'added'}${told === null ? '' : `, ${told}`}`,
      before
        ? { update: 'settlement_terms', key, set }
        : { insert: 'settlement_terms', values: { ...key, ...set } },
    )
  }
  const cutOffs = planCutOffs({
    partyId: party.id,
    currency,
    rule: { timeZone: values.time_zone, cutOff: values.cut_off },
    at,
    planned: terms.cutOffs.get(currency) ?? [],
    hadDays: !party.isNew,
  })
  if (cutOffs.length > 0) change(`${party.who}: coming days of ${currency} planned`, ...cutOffs)
}

type Accounts = ReturnType<typeof accountsAt>

const noAccounts: Accounts = {
  account: null,
  account_from_at: null,
  next_account: null,
  next_account_at: null,
}

function accountsAfter(
  before: Accounts | undefined,
  account: string | undefined,
  at: Instant,
): { accounts: Accounts; told: string | null } {
  const present: Accounts =
    before === undefined
      ? noAccounts
      : {
          account: before.account,
          account_from_at: before.account_from_at,
          next_account: before.next_account,
          next_account_at: before.next_account_at,
        }
  if (account === undefined || account === (present.next_account ?? present.account)) {
    return { accounts: present, told: null }
  }
  // Where nobody was paid before nothing is changed.
  if (present.account === null) {
    const accounts = { ...noAccounts, account, account_from_at: at }
    return { accounts, told: `account ${account}` }
  }
  const stays = { ...present, next_account: null, next_account_at: null }
  if (account === present.account) return { accounts: stays, told: `account ${account} stays` }
  const next_account_at = at + accountDelayMs
  return {
    accounts: { ...present, next_account: account, next_account_at },
    told: `account ${account} from ${formatInstant(next_account_at)}`,
  }
}

export function planExposure(
  { known, change }: TermsPlan,
  party: PlannedParty,
  { currency, limitMinor, warnAtPercent }: ExposureEntry,
): void {
  const stored = known.parties.get(party.id)?.exposure ?? []
  const before = stored.find((row) => row.currency === currency)
  const key = { provider_id: party.id, currency }
  if (limitMinor === null) {
    if (before === undefined) return
    change(`${party.who}: exposure in ${currency} without a limit`, { delete: 'exposure_limits', key })
    return
  }
  const values = {
    limit_minor: limitMinor,
    warn_at_percent: warnAtPercent ?? before?.warn_at_percent ?? usualWarnAtPercent,
  }
  if (before && isSame(before, values)) return
  change(
    `${party.who}: exposure limited to ${formatPrice(limitMinor, currency)} ${currency}`,
    before
      ? { update: 'exposure_limits', key, set: values }
      : { insert: 'exposure_limits', values: { ...key, ...values } },
  )
}

/** What a network is to be; `null` where it cannot be, which is noted. */
export interface PlannedNetwork {
  currency: string | null
  minMinor: bigint | null
  maxMinor: bigint | null
  values: Omit<Row<'networks'>, 'network_id' | 'provider_id'>
}

export function plannedNetwork(
  { problems }: TermsPlan,
  entry: NetworkEntry,
  before: Row<'networks'> | undefined,
  hasCommissions: boolean,
): PlannedNetwork | null {
  const found = problems.lines.length
  const { path } = entry
  const currency = entry.currency === undefined ? (before?.currency ?? null) : entry.currency
  if (hasCommissions && before !== undefined && currency !== before.currency) {
    problems.add(`${path}.currency`, `network ${entry.networkId} has commissions in ${before.currency}`)
  }
  const changesUnit = before !== undefined && before.currency !== currency
  const amount = (
    name: 'min' | 'max' | 'counterFee',
    stored: bigint | null | undefined,
    read: (of: string) => Read<bigint>,
  ): bigint | null => {
    const given = entry[name]
    if (given === undefined) {
      if (changesUnit && stored !== null) {
        problems.add(
          `${path}.${name}`,
          `is kept in ${before.currency}: give it in ${currency}, or take it away`,
        )
      }
      return stored ?? null
    }
    if (given === null) return null
    if (currency === null) {
      problems.add(`${path}.${name}`, 'is an amount of no currency: say the network’s currency')
      return null
    }
    const minor = read(currency)(given)
    if (!(minor instanceof Wrong)) return minor
    problems.add(`${path}.${name}`, `${JSON.stringify(given)} ${minor.problem}`)
    return null
  }
  const minMinor = amount('min', before?.min_minor, amountOf)
  const maxMinor = amount('max', before?.max_minor, amountOf)
  const counterFeeMinor = amount('counterFee', before?.counter_fee_minor, amountFromZero)
  if (minMinor !== null && maxMinor !== null && minMinor > maxMinor) {
    problems.add(`${path}.max`, 'is less than min')
  }
  if (problems.lines.length > found) return null
  const values = {
    name: entry.name === undefined ? (before?.name ?? null) : entry.name,
    country: entry.country === undefined ? (before?.country ?? null) : entry.country,
    currency,
    min_minor: minMinor,
    max_minor: maxMinor,
    counter_fee_minor: counterFeeMinor,
    hours: entry.hours === undefined ? (before?.hours ?? null) : entry.hours,
    text_json: textAfter(before?.text_json ?? null, entry.text ?? {}),
    report_json: reportAfter(before?.report_json ?? null, entry.report),
  }
  return { currency, minMinor, maxMinor, values }
}

function reportAfter(before: string | null, given: NetworkEntry['report']): string | null {
  if (given === undefined) return before
  return given === null ? null : JSON.stringify(given)
}

function textAfter(before: string | null, given: NonNullable<NetworkEntry['text']>): string | null {
  const stored: Record<string, string> = before === null ? {} : JSON.parse(before)
  const texts = { ...stored, ...given }
  const kept = textLanguages.flatMap((language) => {
    const text = texts[language] ?? null
    return text === null ? [] : [[language, text] as const]
  })
  return kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept))
}

export function isSame<Values extends object>(before: Values, values: Values): boolean {
  const present = new Map<string, unknown>(Object.entries(before))
  return Object.entries(values).every(([name, value]) => present.get(name) === value)
}
