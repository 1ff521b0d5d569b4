/** Reads of orders and of what decides about them. */
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

export const orderById = statement<{ id: string }>()('order.byId', ({ db }, arg) =>
  db.selectFrom('orders').selectAll().where('id', '=', arg('id')),
)

export const orderByCode = statement<{ code: string; direction: Direction }>()(
  'order.byCode',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .selectAll()
      .where('code', '=', arg('code'))
      .where('direction', '=', arg('direction')),
)

export const consumerOfOrder = statement<{ orderId: string }>()('order.consumer', ({ db }, arg) =>
  db.selectFrom('consumers').selectAll().where('order_id', '=', arg('orderId')),
)

/** Orders that fall due by `now`, the longest overdue first. */
export const dueOrders = statement<{ now: Instant; limit: number }>()('order.due', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select('id')
    .where('due_at', '<=', arg('now'))
    .orderBy('due_at')
    .limit(arg('limit')),
)

/** Available balances that at least one waiting order of theirs fits into. */
export const fundableAccounts = statement<Record<never, never>>()('funding.accounts', ({ db }) =>
  db
    .selectFrom('accounts')
    .select(['id', 'owner_id', 'currency', 'balance_minor'])
    .where('kind', '=', 'available')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('funding_requests')
          .select('order_id')
          .whereRef('funding_requests.merchant_id', '=', 'accounts.owner_id')
          .whereRef('funding_requests.currency', '=', 'accounts.currency')
          .whereRef('funding_requests.price_minor', '<=', 'accounts.balance_minor'),
      ),
    ),
)

/** Waiting orders of a merchant that fit, the oldest first. */
export const fundableOrders = statement<{
  merchantId: string
  currency: string
  balanceMinor: bigint
  limit: number
}>()('funding.orders', ({ db }, arg) =>
  db
    .selectFrom('funding_requests')
    .select('order_id')
    .where('merchant_id', '=', arg('merchantId'))
    .where('currency', '=', arg('currency'))
    .where('price_minor', '<=', arg('balanceMinor'))
    .orderBy('position')
    .limit(arg('limit')),
)

export const idempotencyKey = statement<{ partyId: string; key: string }>()('idempotencyKey', ({ db }, arg) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('key', '=', arg('key')),
)
