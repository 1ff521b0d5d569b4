/** What the first page of the console shows: counters that the database keeps, open orders, and sums over few rows. */
import { sql } from 'kysely'
import type { Direction } from '../../machines/order.ts'
import { type OrderStatus, openStatuses } from '../../machines/statuses.ts'
import { statement } from '../statement.ts'

const directions: readonly Direction[] = ['PAY_OUT', 'PAY_IN']

/**
 * Final ones are counted by triggers: their number only grows. Open ones are counted here, merchant by merchant in an
 * index that has all of it, so that none of an order's moves among these statuses has to be written down.
 */
export const orderTotals = statement<Record<never, never>>()('overview.orders', ({ db }) => {
  const counted = db
    .selectFrom('order_totals')
    .select(['status', 'direction', ({ fn }) => fn.sum<number>('orders').as('orders')])
    .groupBy(['status', 'direction'])
  const open = directions.flatMap((direction) => openStatuses.map((status) => ({ direction, status })))
  return open.reduce(
    (all, { direction, status }) =>
      all.unionAll(
        db
          .selectFrom('orders')
          .select(({ fn }) => [
            sql<OrderStatus>`${sql.lit(status)}`.as('status'),
            sql<Direction>`${sql.lit(direction)}`.as('direction'),
            fn.countAll<number>().as('orders'),
          ])
          .where('merchant_id', 'in', (merchants) =>
            merchants
              .selectFrom('parties')
              .select('id')
              .where('kind', '=', sql.lit('merchant' as const)),
          )
          .where('direction', '=', sql.lit(direction))
          .where('status', '=', sql.lit(status)),
      ),
    counted,
  )
})

export const orderDays = statement<{ from: number }>()('overview.days', ({ db }, arg) =>
  db
    .selectFrom('order_days')
    .select(['day', 'status', ({ fn }) => fn.sum<number>('orders').as('orders')])
    .where('day', '>=', arg('from'))
    .groupBy(['day', 'status']),
)

/** Every account kind in every currency: there are as many accounts as parties and their currencies. */
export const ledgerTotals = statement<Record<never, never>>()('overview.ledger', ({ db }) =>
  db
    .selectFrom('accounts')
    .select(['kind', 'currency', ({ fn }) => fn.sum<bigint>('balance_minor').as('balance_minor')])
    .groupBy(['kind', 'currency'])
    .orderBy('currency')
    .orderBy('kind'),
)

export const waitingForFunds = statement<Record<never, never>>()('overview.waiting', ({ db }) =>
  db.selectFrom('funding_requests').select(({ fn }) => fn.countAll<number>().as('orders')),
)
