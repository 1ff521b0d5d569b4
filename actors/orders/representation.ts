/**
 * An order as its merchant sees it, in answers and in webhooks (protocol 2.2 and 2.3).
 *
 * The key order is the documented one.
 */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'

export interface LocalOrderRepresentation {
  id: string
  order_type: string
  country: string
  price: string
  price_currency: string
  description: string
  merchant_order_id: string
  status: string
  notify_url: string
  redirect_url: string
  return_url: string
  consumer_email: string
  consumer_phone_number: string
  expiry: string
  paid: string | null
  direction?: 'PAY_IN'
  /** Of a refund: the pay-in that it gives back. */
  refund_of?: string
}

export interface ForeignOrderRepresentation
  extends Omit<LocalOrderRepresentation, 'direction' | 'refund_of'> {
  /** A quote's id. */
  quote: string
  wallet: string
  /** Unsigned, in the format of its blockchain; '' where there is none to sign. */
  transaction: string
  /** Why there is none yet; only where something stands in the way. */
  transaction_error?: string
}

/** What a foreign-currency order has beside its row. */
export type ForeignOrder = Row<'foreign_orders'>

/** What belongs to an order beside its row. */
export interface Companions {
  consumer: Consumer | null
  /** Of a foreign-currency order only. */
  foreign: ForeignOrder | null
  /** Of a refund, where the step may end it: what is left of its pay-in. */
  refundable?: Row<'refundable'> | null
}

/** An order's row. */
export type Order = Row<'orders'>

/** What merchants are told of theirs. */
export type Consumer = Pick<Row<'consumers'>, 'email' | 'phone_number'>

/** @param transaction what is to be signed now; '' for nothing */
export function representOrder(
  order: Order,
  { consumer, foreign }: Companions,
  checkoutUrl: string,
  transaction = '',
): LocalOrderRepresentation | ForeignOrderRepresentation {
  const common = {
    id: order.id,
    order_type: order.order_type,
    country: order.country,
    price: formatPrice(order.price_minor, order.currency),
    price_currency: order.currency,
    description: order.description,
    merchant_order_id: order.merchant_order_id,
    status: order.status,
    notify_url: order.notify_url,
    redirect_url: `${checkoutUrl}/${order.id}`,
    return_url: order.return_url,
    consumer_email: consumer?.email ?? '',
    consumer_phone_number: consumer?.phone_number ?? '',
    expiry: formatInstant(order.expiry_at),
    paid: order.paid_at === null ? null : formatInstant(order.paid_at),
  }
  if (foreign === null) {
    if (order.direction === 'PAY_IN') return { ...common, direction: order.direction }
    return order.refund_of === null ? common : { ...common, refund_of: order.refund_of }
  }
  const isWaiting = order.status === 'CREATED'
  return {
    ...common,
    quote: foreign.quote_id,
    wallet: foreign.wallet,
    // Once it has its money there is nothing to sign any more, and an old text must not be mistaken for it.
    transaction: isWaiting ? transaction : '',
    ...(isWaiting && foreign.transaction_error !== null
      ? { transaction_error: foreign.transaction_error }
      : {}),
  }
}

/** The order object as merchants are answered with: of a pay-in also the code, which they show to their customers. */
export function representForMerchant(
  order: Order,
  beside: Companions,
  checkoutUrl: string,
  transaction?: string,
): object {
  const represented = representOrder(order, beside, checkoutUrl, transaction)
  return order.direction === 'PAY_IN' ? { ...represented, code: order.code } : represented
}
