/**
 * The funding check: the oldest waiting order *that fits* is funded, whenever a balance has risen (protocol
 *  3.1). A large order that does not fit blocks no later one.
 */
import { fundableAccounts, fundableOrders } from '../../persistence/queries/orders.ts'
import type { Store } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { OrderRegistry } from './registry.ts'
import type { StuckOrders } from './stuck-orders.ts'

const ordersPerPass = 256

export async function fundWaitingOrders(
  store: Store,
  orders: OrderRegistry,
  stuck: Pick<StuckOrders, 'each' | 'count'>,
): Promise<PassResult> {
  let funded = 0
  for (const account of await store.query(fundableAccounts, {})) {
    const waiting = await store.query(fundableOrders, {
      merchantId: account.owner_id,
      currency: account.currency,
      balanceMinor: account.balance_minor,
      limit: ordersPerPass + stuck.count,
    })
    // Steps are taken in the order they are asked for, and each looks at the balance that is left.
    const outcomes = await stuck.each(
      'funding',
      waiting,
      ({ order_id }) => order_id,
      ({ order_id }) =>
        orders.fund({ orderId: order_id, merchantId: account.owner_id, currency: account.currency }),
    )
    funded += outcomes.filter((outcome) => outcome === 'funded').length
  }
  return { more: funded > 0 }
}
