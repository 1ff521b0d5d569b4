/** All that the database says of some orders, read as of one moment. */
import {
  chainDepositsBetween,
  exceptionsBetween,
  feeTermsBetween,
  foreignOrdersBetween,
  fundingRequestsBetween,
  journalBetween,
  ordersAfter,
  postingsBetween,
  quotesBetween,
  webhooksBetween,
} from '../../persistence/queries/verification.ts'
import type { Reader, Row } from '../../persistence/store.ts'

export interface OrderFacts {
  order: Row<'orders'>
  /** By sequence. */
  journal: readonly Row<'journal'>[]
  postings: readonly Pick<Row<'postings'>, 'debit_account' | 'credit_account' | 'amount_minor'>[]
  /** By sequence. */
  webhooks: readonly Pick<Row<'webhooks'>, 'sequence' | 'order_status' | 'is_final'>[]
  /** Waiting for its merchant's balance. */
  requests: readonly Pick<Row<'funding_requests'>, 'merchant_id' | 'currency' | 'price_minor'>[]
  exceptions: readonly Pick<Row<'exceptions'>, 'kind' | 'state' | 'resolution'>[]
  /** Of a foreign-currency order: its other side, the quote it was made from, what it was credited with. */
  foreign: Row<'foreign_orders'> | null
  /** What its fee and its commission follow from, by id; `null` where that is not at hand. */
  terms: ReadonlyMap<string, Row<'fee_terms'>> | null
  quote: Row<'quotes'> | null
  deposits: readonly Pick<Row<'deposits'>, 'asset_id' | 'credited_minor'>[]
}

/** The orders that come after an id, at most `limit` of them, each with what belongs to it. */
export async function readOrderFacts(reader: Reader, after: string, limit: number): Promise<OrderFacts[]> {
  return reader.snapshot(async (query) => {
    const orders = await query(ordersAfter, { after, limit })
    const range = { after, last: orders.at(-1)?.id ?? after }
    const journal = byOrder(await query(journalBetween, range))
    const postings = byOrder(await query(postingsBetween, range))
    const webhooks = byOrder(await query(webhooksBetween, range))
    const requests = byOrder(await query(fundingRequestsBetween, range))
    const exceptions = byOrder(await query(exceptionsBetween, range))
    const foreign = byOrder(await query(foreignOrdersBetween, range))
    const quotes = byOrder(await query(quotesBetween, range))
    const deposits = byOrder(await query(chainDepositsBetween, range))
    const terms = new Map((await query(feeTermsBetween, range)).map((one) => [one.id, one]))
    return orders.map((order) => ({
      terms,
      order,
      journal: journal.get(order.id) ?? [],
      postings: postings.get(order.id) ?? [],
      webhooks: webhooks.get(order.id) ?? [],
      requests: requests.get(order.id) ?? [],
      exceptions: exceptions.get(order.id) ?? [],
      foreign: foreign.get(order.id)?.[0] ?? null,
      quote: quotes.get(order.id)?.[0] ?? null,
      deposits: deposits.get(order.id) ?? [],
    }))
  })
}

function byOrder<R extends { order_id: string | null }>(rows: readonly R[]): Map<string | null, R[]> {
  return Map.groupBy(rows, (row) => row.order_id)
}
