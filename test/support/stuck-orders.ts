import { createCondition } from '../../actors/condition/condition.ts'
import { createStuckOrders, type StuckOrders } from '../../actors/orders/stuck-orders.ts'
import type { Instant } from '../../machines/time.ts'
import type { Store } from '../../persistence/store.ts'

/** What a node has of it, for tests that are about something else. */
export function stuckOrdersOf(
  store: Store,
  clock: { now(): Instant } = { now: () => 0 },
  condition = createCondition(),
): StuckOrders {
  return createStuckOrders({ store, clock, condition, log: { error() {} } })
}
