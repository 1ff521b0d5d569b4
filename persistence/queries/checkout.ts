/** What tells whether an order's page has changed, for many orders at once. */
import { statement } from '../statement.ts'

/** So many ids a run; those that are not needed are ''. */
export const watchedAtOnce = 100

type Ids = Readonly<Record<`id${number}`, string>>

/** Whatever a page shows of an order and changes is in the order's revision, or in what came for it on its chain. */
export const watchedOrders = statement<Ids>()('checkout.watched', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .leftJoin('foreign_orders', 'foreign_orders.order_id', 'orders.id')
    .select([
      'orders.id',
      'orders.status',
      'orders.revision',
      'foreign_orders.received_minor',
      'foreign_orders.seen_at',
      'foreign_orders.transaction_minor',
    ])
    .where(
      'orders.id',
      'in',
      Array.from({ length: watchedAtOnce }, (_, index) => arg(`id${index}`)),
    ),
)
