/** What providers see of an order: the fields of each answer, in their order (protocol 2.1). */

import type { Order } from '../../actors/orders/representation.ts'
import { formatPrice } from '../../machines/money.ts'
import type { Direction } from '../../machines/order.ts'
import { formatInstant } from '../../machines/time.ts'

const fields = {
  price: (order: Order) => formatPrice(order.price_minor, order.currency),
  price_currency: (order: Order) => order.currency,
  created: (order: Order) => formatInstant(order.created_at),
  modified: (order: Order) => formatInstant(order.modified_at),
  status: (order: Order) => order.status,
  paid: (order: Order) => (order.paid_at === null ? null : formatInstant(order.paid_at)),
  expiry: (order: Order) => formatInstant(order.expiry_at),
  description: (order: Order) => order.description,
}

export type ProviderField = keyof typeof fields

/** check: the GET. The answer of a cancel has the fields of a start (protocol 2.1). */
export type ProviderAnswer = 'check' | 'start' | 'confirm' | 'cancel'

export const providerFields: Record<Direction, Record<ProviderAnswer, readonly ProviderField[]>> = {
  PAY_OUT: {
    check: ['price', 'price_currency', 'created', 'modified', 'status', 'expiry'],
    start: ['price', 'price_currency', 'status', 'modified', 'expiry'],
    confirm: ['price', 'price_currency', 'status', 'paid', 'modified'],
    cancel: ['price', 'price_currency', 'status', 'modified', 'expiry'],
  },
  PAY_IN: {
    check: ['price', 'price_currency', 'created', 'status', 'expiry', 'description'],
    start: ['price', 'price_currency', 'status', 'modified'],
    confirm: ['price', 'price_currency', 'status', 'paid'],
    cancel: ['price', 'price_currency', 'status', 'modified'],
  },
}

/** The order as a provider's answer shows it. */
export function viewForProvider(order: Order, answer: ProviderAnswer): Record<string, string | null> {
  const shown = providerFields[order.direction][answer].map((name) => [name, fields[name](order)])
  return Object.fromEntries(shown)
}
