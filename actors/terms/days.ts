/**
 * Settlement days: which day of a party an instant belongs to, and when a payment falls due (protocol 15.3).
 *
 * A day ends at its cut-off, a local time of an IANA zone whose history `temporal-polyfill` takes from Node. Cut-offs
 * are worked out when they are planned and stored as instants, so that no step reckons with zones.
 */
import { Temporal } from 'temporal-polyfill'
import type { Instant } from '../../machines/time.ts'

/** A day of the calendar, `2026-12-01`. */
export type Day = string

/** How a party's days are divided. */
export interface DayRule {
  /** An IANA zone, for example `America/Santiago`. */
  timeZone: string
  /** `HH:MM` from `00:01` to `24:00`: what comes at or after it belongs to the next day. */
  cutOff: string
}

export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
export type Weekday = (typeof weekdays)[number]

/** On which days banks work. */
export interface BankCalendar {
  weekend: readonly Weekday[]
  closed: ReadonlySet<Day>
}

const everyDay: BankCalendar = { weekend: [], closed: new Set() }

export function isCutOff(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? text !== '00:00' : text === '24:00'
}

/**
 * The instant at which a day ends: the first one that no longer belongs to it. A local time that does not exist is
 * the first instant after the gap; of one that exists twice it is the later.
 */
export function cutOffOf(day: Day, rule: DayRule): Instant {
  const name = `${day} ${rule.cutOff} ${rule.timeZone}`
  const known = cutOffs.get(name)
  if (known !== undefined) return known
  const found = reckonedCutOff(day, rule)
  if (cutOffs.size >= maxCutOffs) cutOffs.clear()
  cutOffs.set(name, found)
  return found
}

/** Every node that starts, and every six hours, reckons the same days of two months again, for each party. */
const cutOffs = new Map<string, Instant>()
const maxCutOffs = 10_000

function reckonedCutOff(day: Day, { timeZone, cutOff }: DayRule): Instant {
  const date = Temporal.PlainDate.from(day)
  const local =
    cutOff === '24:00'
      ? date.add({ days: 1 }).toPlainDateTime()
      : date.toPlainDateTime(Temporal.PlainTime.from(cutOff))
  const later = local.toZonedDateTime(timeZone, { disambiguation: 'later' })
  if (later.toPlainDateTime().equals(local)) return later.epochMilliseconds
  // In a gap: the clock goes forward at the transition between the two readings.
  const before = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const transition = before.getTimeZoneTransition('next')
  if (transition === null) throw new Error(`${timeZone} skips ${local.toString()} without a transition`)
  return transition.epochMilliseconds
}

/** The day an instant belongs to. */
export function dayOf(at: Instant, rule: DayRule): Day {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(rule.timeZone).toPlainDate()
  // Where a transition is beside the cut-off, the local date may be a day off in either direction.
  let day = local.subtract({ days: 1 })
  while (cutOffOf(day.toString(), rule) <= at) day = day.add({ days: 1 })
  return day.toString()
}

/** @param days may be negative */
export function addDays(day: Day, days: number): Day {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

export function weekdayOf(day: Day): Weekday {
  const weekday = weekdays[Temporal.PlainDate.from(day).dayOfWeek - 1]
  if (weekday === undefined) throw new Error(`${day} has no weekday`)
  return weekday
}

export function isBankingDay(day: Day, calendar: BankCalendar = everyDay): boolean {
  return !calendar.weekend.includes(weekdayOf(day)) && !calendar.closed.has(day)
}

/** So many days in a row a calendar may be closed before it is taken for a mistake. */
const longestClosure = 60

/**
 * The banking day that comes so many banking days after a day; for 0 the day itself where banks work, otherwise the
 * next one on which they do.
 *
 * @throws RangeError where the calendar is closed for two months on end.
 */
export function bankingDayAfter(day: Day, count: number, calendar: BankCalendar = everyDay): Day {
  let found = nextBankingDay(day, calendar)
  for (let left = count; left > 0; left--) found = nextBankingDay(addDays(found, 1), calendar)
  return found
}

function nextBankingDay(from: Day, calendar: BankCalendar): Day {
  let day = from
  for (let tried = 0; tried <= longestClosure; tried++, day = addDays(day, 1))
    if (isBankingDay(day, calendar)) return day
  throw new RangeError(`the calendar has no banking day within ${longestClosure} days from ${from}`)
}

/** The day on the wall of a zone. */
export function localDay(at: Instant, timeZone: string): Day {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** The first instant of a day in a zone. */
export function startOfDay(day: Day, timeZone: string): Instant {
  return cutOffOf(addDays(day, -1), { timeZone, cutOff: '24:00' })
}

/** Whether a text is a day of this century that there is. */
export function isDay(text: string): boolean {
  const match = /^20\d\d-(\d\d)-(\d\d)$/.exec(text)
  if (match === null) return false
  const read = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text)
}

/** Whether banks work again within `longestClosure` of each day that is closed. */
export function isCalendar(calendar: BankCalendar): boolean {
  if (weekdays.every((weekday) => calendar.weekend.includes(weekday))) return false
  return [...calendar.closed].every((day) => {
    for (let next = day, tried = 0; tried <= longestClosure; tried++, next = addDays(next, 1))
      if (isBankingDay(next, calendar)) return true
    return false
  })
}

/**
 * The instant of a time on the wall of a zone, `2026-12-01T23:59`: the first one where it comes twice, and as much later as the clock is
 * put forward where it does not exist. `null` for what is no such time.
 */
export function instantOfLocal(text: string, timeZone: string): Instant | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(timeZone)
      .epochMilliseconds
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Such a time of an instant, to the minute. */
export function localTime(at: Instant, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}
