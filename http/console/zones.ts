/** Days and times as an operator writes them: of the zone that the page is written for, and to operations moments. */
import { addDays, instantOfLocal, isDay, startOfDay } from '../../actors/terms/days.ts'
import { formatInstant } from '../../machines/time.ts'

interface Days {
  from: string
  to: string
}

/**
 * Both days inclusive: from the first instant of the one until the first after the other. What is no day, and a last day before the first
 * one, stays as it is: it is refused as it was written.
 */
export function momentsOf({ from, to }: Days, zone: string): Days {
  if (isDay(from) && isDay(to) && to < from) return { from, to }
  return {
    from: isDay(from) ? formatInstant(startOfDay(from, zone)) : from,
    to: isDay(to) ? formatInstant(startOfDay(addDays(to, 1), zone)) : to,
  }
}

/** Of a field of a time. */
export function momentOf(text: string, zone: string): string {
  const at = instantOfLocal(text, zone)
  return at === null ? text : formatInstant(at)
}
