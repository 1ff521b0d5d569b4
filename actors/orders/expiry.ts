/** The expiry sweep. Orders also expire on touch; both tell the order the same ordinary event. */
import type { Instant } from '../../machines/time.ts'
import { dueOrders } from '../../persistence/queries/orders.ts'
import type { Store } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { OrderRegistry } from './registry.ts'

const ordersPerPass = 256

export async function expireDueOrders(
  store: Store,
  orders: OrderRegistry,
  options: { clock: { now(): Instant }; mayExpire: () => boolean },
): Promise<PassResult> {
  if (!options.mayExpire()) return { more: false }
  const now = options.clock.now()
  const outageBefore = orders.outageBefore(now)
  const due = await store.query(dueOrders, { now, outageBefore, limit: ordersPerPass })
  await Promise.all(due.map(({ id }) => orders.expire(id)))
  return { more: due.length === ordersPerPass }
}
