/** The expiry sweep. Orders also expire on touch; both tell the order the same ordinary event. */
import type { Instant } from '../../machines/time.ts'
import { dueOrders } from '../../persistence/queries/orders.ts'
import { nextOrderDue } from '../../persistence/queries/sandbox.ts'
import type { Store } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { OrderRegistry } from './registry.ts'
import type { StuckOrders } from './stuck-orders.ts'

const ordersPerPass = 256

export async function expireDueOrders(
  store: Store,
  orders: OrderRegistry,
  options: {
    clock: { now(): Instant }
    mayExpire: () => boolean
    stuck: Pick<StuckOrders, 'each' | 'count'>
  },
): Promise<PassResult> {
  if (!options.mayExpire()) return { more: false }
  const now = options.clock.now()
  const outageBefore = orders.outageBefore(now)
  const { stuck } = options
  // Those that are stuck stay the longest overdue: the pass looks beyond them.
  const limit = ordersPerPass + stuck.count
  const due = await store.query(dueOrders, { now, outageBefore, limit })
  const expired = await stuck.each(
    'expiry',
    due,
    ({ id }) => id,
    ({ id }) => orders.expire(id),
  )
  const [next] = await store.query(nextOrderDue, { now })
  return { more: due.length === limit && expired.length > 0, nextAt: next?.due_at ?? null }
}
