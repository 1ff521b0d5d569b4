/** Ids that are in the order in which one process has made them, also within a millisecond. */
import type { Instant } from '../../machines/time.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'

/** A function of its own for each list: 4,096 ids a millisecond keep their order. */
export function createOrderedIds(): (at: Instant) => string {
  let last: Instant = Number.NEGATIVE_INFINITY
  let count = 0
  return (at) => {
    count = at === last ? count + 1 : 0
    last = at
    const place = Math.min(count, 0xfff).toString(16).padStart(3, '0')
    // Behind the version: the first of the random digits (RFC 9562, part 6.2, method 1).
    return timeOrderedId(at).replace(/^(.{8}-.{4}-7).{3}/, `$1${place}`)
  }
}
