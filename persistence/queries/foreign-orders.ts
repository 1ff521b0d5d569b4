/** Reads of foreign-currency orders, their deposits and their chains. */

import type { Blockchain } from '../../machines/blockchains.ts'
import { openStatuses } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

export const foreignOrderById = statement<{ orderId: string }>()('foreign.byId', ({ db }, arg) =>
  db.selectFrom('foreign_orders').selectAll().where('order_id', '=', arg('orderId')),
)

export const foreignOrderByReference = statement<{ reference: string }>()(
  'foreign.byReference',
  ({ db }, arg) => db.selectFrom('foreign_orders').selectAll().where('reference', '=', arg('reference')),
)

export const quoteById = statement<{ id: string }>()('quote.byId', ({ db }, arg) =>
  db.selectFrom('quotes').selectAll().where('id', '=', arg('id')),
)

export const chainCursor = statement<{ blockchain: string }>()('chain.cursor', ({ db }, arg) =>
  db.selectFrom('chain_cursors').selectAll().where('blockchain', '=', arg('blockchain')),
)

/** Of every chain that was ever read. */
export const chainCursors = statement<Record<never, never>>()('chain.cursors', ({ db }) =>
  db.selectFrom('chain_cursors').selectAll().orderBy('blockchain'),
)

export const chainDepositsOfTransaction = statement<{ blockchain: string; transactionId: string }>()(
  'deposit.ofTransaction',
  ({ db }, arg) =>
    db
      .selectFrom('deposits')
      .selectAll()
      .where('transaction_id', '=', arg('transactionId'))
      .where('blockchain', '=', arg('blockchain'))
      .orderBy('id'),
)

/** What an order was credited with, the oldest first. */
export const chainDepositsOfOrder = statement<{ orderId: string }>()('deposit.ofOrder', ({ db }, arg) =>
  db
    .selectFrom('deposits')
    .selectAll()
    .where('order_id', '=', arg('orderId'))
    .orderBy('recorded_at')
    .orderBy('id'),
)

/** Orders of a wallet that wait for money, the newest first. */
export const waitingOrdersOfWallet = statement<{ blockchain: Blockchain; wallet: string; limit: number }>()(
  'foreign.ofWallet',
  ({ db }, arg) =>
    db
      .selectFrom('foreign_orders')
      .innerJoin('orders', 'orders.id', 'foreign_orders.order_id')
      .selectAll('foreign_orders')
      .select('orders.expiry_at')
      .where('foreign_orders.blockchain', '=', arg('blockchain'))
      .where('foreign_orders.wallet', '=', arg('wallet'))
      .where('orders.status', '=', 'CREATED')
      .orderBy('orders.created_at', 'desc')
      .limit(arg('limit')),
)

/**
 * Orders whose transaction is to be built by `now`, the longest due first. Those that ended meanwhile are not among
 * them, nor those whose funding window has closed.
 */
export const ordersToBuild = statement<{ blockchain: Blockchain; now: Instant; limit: number }>()(
  'foreign.toBuild',
  ({ db }, arg) =>
    db
      .selectFrom('foreign_orders')
      .innerJoin('orders', 'orders.id', 'foreign_orders.order_id')
      .selectAll('foreign_orders')
      .select('orders.expiry_at')
      .where('foreign_orders.blockchain', '=', arg('blockchain'))
      .where('foreign_orders.build_due_at', '<=', arg('now'))
      .where('foreign_orders.funding_deadline_at', '>', arg('now'))
      .where('orders.status', '=', 'CREATED')
      .orderBy('foreign_orders.build_due_at')
      .limit(arg('limit')),
)

/**
 * Orders of a chain that can be paid now: whose wallets' values are worth keeping. The newest first, because their end
 * users are still looking.
 */
export const ordersAwaiting = statement<{ blockchain: Blockchain; now: Instant; limit: number }>()(
  'foreign.awaiting',
  ({ db }, arg) =>
    db
      .selectFrom('foreign_orders')
      .innerJoin('orders', 'orders.id', 'foreign_orders.order_id')
      .selectAll('foreign_orders')
      .select('orders.expiry_at')
      .where('foreign_orders.blockchain', '=', arg('blockchain'))
      .where('foreign_orders.funding_deadline_at', '>', arg('now'))
      .where('foreign_orders.seen_at', 'is', null)
      .where('orders.status', '=', 'CREATED')
      .orderBy('orders.created_at', 'desc')
      .limit(arg('limit')),
)

/** How many open orders of a chain have been offered a transaction, by the treasuries that theirs have named. */
export const treasuriesOfOpenOrders = statement<{ blockchain: Blockchain }>()(
  'foreign.treasuriesOfOpen',
  ({ db }, arg) =>
    db
      .selectFrom('foreign_orders')
      .innerJoin('orders', 'orders.id', 'foreign_orders.order_id')
      .select([
        'foreign_orders.treasuries_json',
        (of) => of.fn.countAll<bigint>().as('orders'),
        (of) => of.fn.min('orders.created_at').as('oldest_at'),
      ])
      .where('foreign_orders.blockchain', '=', arg('blockchain'))
      .where('foreign_orders.transaction_minor', 'is not', null)
      .where('orders.status', 'in', openStatuses)
      .groupBy('foreign_orders.treasuries_json'),
)

/** Orders of a chain for which money was seen that was not final then. */
export const ordersSeen = statement<{ blockchain: Blockchain }>()('foreign.seen', ({ db }, arg) =>
  db
    .selectFrom('foreign_orders')
    .select(['order_id', 'reference', 'seen_at'])
    .where('blockchain', '=', arg('blockchain'))
    .where('seen_at', 'is not', null),
)
