/**
 * The body of a webhook that tells of a transaction, as it is right when it is sent. An attempt may come long after the
 * transaction was built, when it could no longer land: each one carries what can be signed then.
 */
import type { Instant } from '../../machines/time.ts'
import { foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type FreshTransactions, isPayable, offeredTransaction } from './transactions.ts'

export interface WebhookTransactionsOptions {
  readonly store: Pick<Store, 'query'>
  readonly fresh: FreshTransactions
  readonly clock: { now(): Instant }
}

type Told = Pick<Row<'webhooks'>, 'order_id' | 'order_status' | 'body'>

/**
 * @returns the body to send; `null` where the order is to be paid and nothing that could be signed is at hand, so that
 * the webhook had better wait. One whose order is not to be paid any more tells that there is nothing to sign.
 */
export function createWebhookTransactions({ store, fresh, clock }: WebhookTransactionsOptions) {
  return async function bodyNow({ order_id, order_status, body }: Told): Promise<string | null> {
    // Only a transaction is told of an order that waits for its money.
    if (order_status !== 'CREATED') return body
    const [foreign] = await store.query(foreignOrderById, { orderId: order_id })
    const [order] = await store.query(orderById, { id: order_id })
    if (foreign === undefined || order === undefined) return body
    const at = clock.now()
    const transaction = offeredTransaction(fresh, order, foreign, at)
    if (transaction === '' && isPayable(order, foreign, at)) return null
    const told: { transaction: string } = JSON.parse(body)
    return told.transaction === transaction ? body : JSON.stringify({ ...told, transaction })
  }
}
