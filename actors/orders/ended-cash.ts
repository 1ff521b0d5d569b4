/**
 * An operator's word about the cash of an order that ended while a provider held it: where its money goes, whoever says so. Pure.
 */
import type { Instant } from '../../machines/time.ts'
import type { Row, Topic, Write } from '../../persistence/store.ts'
import { foreignPostings } from './foreign-postings.ts'
import { refundDue } from './order-exceptions.ts'
import { moveAll, postingsOf, type Settlement } from './postings.ts'
import { claimAfter } from './refunds.ts'
import { type Takeable, takeAllBack } from './taking-back.ts'

export interface EndedOrder {
  order: Row<'orders'>
  foreign: Row<'foreign_orders'> | null
  /** Of a refund: what is left of its pay-in. */
  refundable: Row<'refundable'> | null
  /** What its merchant has, in its currency, that may be taken back. */
  takeable: Takeable
}

export function settleEnded(
  { order, foreign, refundable, takeable }: EndedOrder,
  settlement: Settlement,
  at: Instant,
): { writes: Write[]; wake: readonly Topic[] } {
  if (foreign !== null) return { writes: foreignWrites(order, foreign, settlement, at), wake: [] }
  const postings = postingsOf(order, settlement)
  const claims = claimAfter(settlement, order, refundable)
  if (order.direction === 'PAY_OUT' && settlement === 'reclaim')
    return { writes: [...takeAllBack(postings, takeable, at), ...claims], wake: [] }
  const { writes, wake } = moveAll(postings)
  return { writes: [...writes, ...claims], wake }
}

/** Its asset goes its own way: what comes back is not its merchant's but its end user's. */
function foreignWrites(
  order: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  settlement: Settlement,
  at: Instant,
): Write[] {
  const writes: Write[] = foreignPostings(order, foreign, settlement).map((post) => ({ post }))
  if (settlement === 'return') writes.push({ insert: 'exceptions', values: refundDue(order, foreign, at) })
  return writes
}
