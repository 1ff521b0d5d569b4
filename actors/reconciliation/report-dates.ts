/** Dates and times as a network writes them, read without the library for each line: most days have their 24 hours. */
import { Temporal } from 'temporal-polyfill'
import { type Instant, parseInstant } from '../../machines/time.ts'
import { isDay, startOfDay } from '../terms/days.ts'

const dayMs = 86_400_000

/** @returns `null` for what is no time there is. */
export type ReadTime = (text: string) => Instant | null

/** @param form such as `DD/MM/YYYY HH:mm`; null for ISO 8601, where what names no offset is of the zone. */
export function timeReader(form: string | null, timeZone: string): ReadTime {
  const starts = new Map<string, { start: Instant; lengthMs: number }>()
  const startOf = (day: string) => {
    const known = starts.get(day)
    if (known !== undefined) return known
    const start = startOfDay(day, timeZone)
    const next = startOfDay(Temporal.PlainDate.from(day).add({ days: 1 }).toString(), timeZone)
    const found = { start, lengthMs: next - start }
    if (starts.size > 1000) starts.clear()
    starts.set(day, found)
    return found
  }
  const at = (day: string, hour: number, minute: number, second: number): Instant | null => {
    if (!isDay(day) || hour > 23 || minute > 59 || second > 59) return null
    const { start, lengthMs } = startOf(day)
    const within = ((hour * 60 + minute) * 60 + second) * 1000
    if (lengthMs === dayMs) return start + within
    // A local time that does not exist is moved forward; of one that exists twice it is the later.
    const local = Temporal.PlainDate.from(day).toPlainDateTime({ hour, minute, second })
    return local.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds
  }
  return form === null ? isoReader(at) : formReader(form, at)
}

type At = (day: string, hour: number, minute: number, second: number) => Instant | null

function isoReader(at: At): ReadTime {
  return (text) => {
    const local = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text)
    if (local === null) return parseInstant(text)
    const [, day = '', hour = '0', minute = '0', second = '0'] = local
    return at(day, Number(hour), Number(minute), Number(second))
  }
}

function formReader(form: string, at: At): ReadTime {
  const names: string[] = []
  const pattern = form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => {
    names.push(part)
    return part === 'YYYY' ? '(\\d{4})' : '(\\d{2})'
  })
  const whole = new RegExp(`^${pattern}$`)
  return (text) => {
    const match = whole.exec(text)
    if (match === null) return null
    const part = (name: string) => match[names.indexOf(name) + 1] ?? '00'
    const clock = (name: string) => (names.includes(name) ? Number(part(name)) : 0)
    const day = `${part('YYYY')}-${part('MM')}-${part('DD')}`
    return at(day, clock('HH'), clock('mm'), clock('ss'))
  }
}
