/**
 * Ids of what there are many of: UUIDs of version 7 (RFC 9562, part 5.7), which begin with their time.
 *
 * Ids at random would put each new row into another page of every index that they are in. Among a million orders
 * each of those pages has to be read, and written, for one row; in the order of time the new ones share a few. The
 * 74 bits that are random keep an order's page, whose address is its id, from being guessed.
 */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'

/** Whatever is random comes from a UUID of version 4: Node keeps some in store, where each few bytes would ask the system. */
export function timeOrderedId(at: Instant): string {
  const time = at.toString(16).padStart(12, '0')
  const random = randomUUID().slice('00000000-0000-4'.length)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`
}
