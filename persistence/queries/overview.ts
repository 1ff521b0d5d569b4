/** What the first page of the console shows: counters that the database keeps, and sums over few rows. */
import { statement } from '../statement.ts'

export const orderTotals = statement<Record<never, never>>()('overview.orders', ({ db }) =>
  db
    .selectFrom('order_totals')
    .select(['status', 'direction', ({ fn }) => fn.sum<number>('orders').as('orders')])
    .groupBy(['status', 'direction']),
)

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
