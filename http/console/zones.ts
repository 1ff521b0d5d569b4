/** Days and times as an operator writes them: of the zone that the page is written for, and to operations moments. */
import { addDays, instantOfLocal, isDay } from '../../actors/terms/days.ts'
import { formatInstant } from '../../machines/time.ts'

interface Days {
  from: string
  to: string
}

/**
 * Both days inclusive: from the first instant of the one until the first after the other, where midnight comes twice the first of both
 * (cut-offs have the other one: what ends then is complete). What is no day, and a last day before the first
 * one, stays as it is: it is refused as it was written.
 */
export function momentsOf({ from, to }: Days, zone: string): Days {
  if (isDay(from) && isDay(to) && to < from) return { from, to }
  return {
    from: isDay(from) ? momentOf(`${from}T00:00`, zone) : from,
    to: isDay(to) ? momentOf(`${addDays(to, 1)}T00:00`, zone) : to,
  }
}

/** Of a field of a time. */
export function momentOf(text: string, zone: string): string {
  const at = instantOfLocal(text, zone)
  return at === null ? text : formatInstant(at)
}
