/** Finding orders as of now: what fell due is applied first, so that nobody reads one that should have ended. */
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import { foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import { consumerOfOrder, orderByCode, orderById } from '../../persistence/queries/orders.ts'
import { refundableById } from '../../persistence/queries/refunds.ts'
import { noPersonalData } from '../../persistence/schema.ts'
import type { Store } from '../../persistence/store.ts'
import type { OrderWithConsumer } from './creation.ts'
import type { Due } from './due.ts'
import type { Order } from './representation.ts'

export interface FindingOptions {
  store: Pick<Store, 'query'>
  clock: { now(): Instant }
  due: Pick<Due, 'isDue' | 'tryExpire'>
}

export async function find(options: FindingOptions, id: string): Promise<OrderWithConsumer | null> {
  const { store } = options
  const order = await fresh(options, (await store.query(orderById, { id }))[0])
  if (order === null) return null
  const [consumer] = await store.query(consumerOfOrder, { orderId: id })
  const isForeign = order.machine === 'payOutForeign'
  const [foreign] = isForeign ? await store.query(foreignOrderById, { orderId: id }) : []
  const { refund_of: payInId } = order
  const [refundable] = payInId === null ? [] : await store.query(refundableById, { payInId })
  return {
    order,
    consumer: consumer ?? noPersonalData,
    foreign: foreign ?? null,
    refundable: refundable ?? null,
  }
}

export async function findByCode(
  options: FindingOptions,
  code: string,
  direction?: Direction,
): Promise<Order | null> {
  const [order] = await options.store.query(orderByCode, { code })
  return direction === undefined || order?.direction === direction ? fresh(options, order) : null
}

async function fresh({ store, clock, due }: FindingOptions, order: Order | undefined): Promise<Order | null> {
  if (order === undefined) return null
  if (!due.isDue(order, clock.now())) return order
  if (!(await due.tryExpire(order.id))) return order
  const [expired] = await store.query(orderById, { id: order.id })
  return expired ?? null
}
