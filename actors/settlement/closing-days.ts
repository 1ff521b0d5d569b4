/** Which days are closed by themselves. */
import { type Day, weekdayOf } from '../terms/days.ts'
import type { Every } from '../terms/entries.ts'

export function isClosing(every: Every, day: Day): boolean {
  if (every === 'day') return true
  return every !== 'request' && every.includes(weekdayOf(day))
}
