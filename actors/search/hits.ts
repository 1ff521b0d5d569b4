/** What is told of each thing that was found. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row, Store } from '../../persistence/store.ts'
import type { OrderContext } from '../orders/operations.ts'

/** Of one kind. */
export const mostOfEach = 20

export type FoundBy =
  | 'id'
  | 'code'
  | 'merchantOrderId'
  | 'email'
  | 'phone'
  | 'transaction'
  | 'reference'
  | 'statement'
  | 'amount'
  | 'name'

export type HitKind =
  | 'order'
  | 'archivedOrder'
  | 'webhook'
  | 'exception'
  | 'payment'
  | 'bankLine'
  | 'deposit'
  | 'correction'
  | 'statement'
  | 'merchant'
  | 'provider'

export interface Hit {
  kind: HitKind
  by: FoundBy
  /** Of a party and its statement the name, of what has a reference the reference. */
  id: string
  /** Whose it is. */
  party: { kind: PartyKind; name: string } | null
  state: string | null
  amount: string | null
  currency: string | null
  /** ISO 8601. */
  at: string | null
  /** The merchant's id of an order, the file of an archived one, what a line of a bank is about, the number of a statement. */
  note: string | null
  /** The order, payment or exception that it leads to, if not to itself. */
  about: string | null
}

export interface Looking {
  context: OrderContext
  nameOf(id: string): { kind: PartyKind; name: string } | null
}

export function hit(kind: HitKind, by: FoundBy, id: string, more: Partial<Hit>): Hit {
  const nothing = {
    party: null,
    state: null,
    amount: null,
    currency: null,
    at: null,
    note: null,
    about: null,
  }
  return { kind, by, id, ...nothing, ...more }
}

export function amountOf({ amount_minor, currency }: { amount_minor: bigint; currency: string }) {
  return { amount: formatPrice(amount_minor, currency), currency }
}

type FoundOrder = Pick<
  Row<'orders'>,
  'id' | 'merchant_id' | 'merchant_order_id' | 'status' | 'price_minor' | 'currency' | 'created_at' | 'due_at'
>

/** What fell due ends when it is read, here as anywhere. */
export async function orderHits(
  { context, nameOf }: Looking,
  by: FoundBy,
  orders: readonly FoundOrder[],
): Promise<Hit[]> {
  const now = context.clock.now()
  return Promise.all(
    orders.slice(0, mostOfEach).map(async (order) => {
      const isDue = order.due_at !== null && order.due_at <= now
      const { status } = isDue ? await ended(context, order) : order
      return hit('order', by, order.id, {
        party: nameOf(order.merchant_id),
        state: status,
        ...amountOf({ amount_minor: order.price_minor, currency: order.currency }),
        at: formatInstant(order.created_at),
        note: order.merchant_order_id,
      })
    }),
  )
}

async function ended(
  { orders, store }: { orders: OrderContext['orders']; store: Store },
  order: FoundOrder,
): Promise<Pick<FoundOrder, 'status'>> {
  await orders.tryExpire(order.id)
  const [fresh] = await store.query(orderById, { id: order.id })
  return fresh ?? order
}

type FoundArchived = Pick<
  Row<'archived_orders'>,
  'id' | 'merchant_id' | 'merchant_order_id' | 'status' | 'created_at' | 'file'
>

export function archivedHit({ nameOf }: Looking, by: FoundBy, row: FoundArchived): Hit {
  return hit('archivedOrder', by, row.id, {
    party: nameOf(row.merchant_id),
    state: row.status,
    at: formatInstant(row.created_at),
    note: row.file,
  })
}

type FoundWebhook = Pick<
  Row<'webhooks'>,
  'id' | 'order_id' | 'merchant_id' | 'order_status' | 'state' | 'created_at'
>

export function webhookHit({ nameOf }: Looking, row: FoundWebhook): Hit {
  return hit('webhook', 'id', row.id, {
    party: nameOf(row.merchant_id),
    state: row.state,
    at: formatInstant(row.created_at),
    note: row.order_status,
    about: row.order_id,
  })
}

type FoundException = Pick<
  Row<'exceptions'>,
  'id' | 'kind' | 'state' | 'order_id' | 'amount' | 'asset' | 'opened_at'
>

export function exceptionHit(by: FoundBy, row: FoundException): Hit {
  return hit('exception', by, row.id, {
    state: row.state,
    amount: row.amount,
    currency: row.asset,
    at: formatInstant(row.opened_at),
    note: row.kind,
    about: row.order_id,
  })
}

type FoundPayment = Pick<
  Row<'payments'>,
  'id' | 'party_id' | 'direction' | 'state' | 'amount_minor' | 'currency' | 'ordered_at'
>

export function paymentHit({ nameOf }: Looking, by: FoundBy, row: FoundPayment): Hit {
  return hit('payment', by, row.id, {
    ...amountOf(row),
    party: nameOf(row.party_id),
    state: row.state,
    at: formatInstant(row.ordered_at),
    note: row.direction,
  })
}

type FoundLine = Pick<
  Row<'bank_entries'>,
  'bank' | 'direction' | 'reference' | 'kind' | 'subject_id' | 'amount_minor' | 'currency' | 'booked_at'
>

export function lineHit(row: FoundLine): Hit {
  return hit('bankLine', 'reference', row.reference, {
    ...amountOf(row),
    state: row.kind,
    at: formatInstant(row.booked_at),
    note: `${row.bank}, ${row.direction}`,
    about: row.subject_id,
  })
}
