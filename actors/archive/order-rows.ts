/** Everything that the database has of an order. */
import {
  attemptRowsOf,
  chainDepositRowsOf,
  exceptionRowsOf,
  journalRowsOf,
  postingRowsOf,
  quoteRowOf,
  referenceRowsOf,
  webhookRowsOf,
} from '../../persistence/queries/archive.ts'
import { foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { OrderRows } from './record.ts'

/** `null` where there is none of this id. */
export async function readOrderRows(store: Store, orderId: string): Promise<OrderRows | null> {
  const [order]: (Row<'orders'> | undefined)[] = await store.query(orderById, { id: orderId })
  if (order === undefined) return null
  const [foreign] = await store.query(foreignOrderById, { orderId })
  const [quote] = await store.query(quoteRowOf, { orderId })
  return {
    order,
    journal: await store.query(journalRowsOf, { orderId }),
    postings: await store.query(postingRowsOf, { orderId }),
    webhooks: await store.query(webhookRowsOf, { orderId }),
    attempts: await store.query(attemptRowsOf, { orderId }),
    exceptions: await store.query(exceptionRowsOf, { orderId }),
    foreign: foreign ?? null,
    quote: quote ?? null,
    deposits: await store.query(chainDepositRowsOf, { orderId }),
    references: await store.query(referenceRowsOf, { orderId }),
  }
}
