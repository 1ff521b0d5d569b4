/**
 * An order as its merchant sees it, in answers and in webhooks (part 2.2 of the specification).
 *
 * The key order is the specification's.
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
}

/** An order's row. */
export type Order = Row<'orders'>

export type Consumer = Pick<Row<'consumers'>, 'email' | 'phone_number'>

export function representOrder(
  order: Order,
  consumer: Consumer | null,
  checkoutUrl: string,
): LocalOrderRepresentation {
  return {
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
    ...(order.direction === 'PAY_IN' ? { direction: order.direction } : {}),
  }
}
