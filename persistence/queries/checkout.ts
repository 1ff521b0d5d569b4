/** What the checkout page asks beside its order: whether that has changed, and where it is paid. */
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

/** More than a page has room for. */
const placesAtOnce = 12

/**
 * The networks that have a name and may take a price, the cheapest at the counter first, each with how many there are. Of
 * one with which no country or currency was agreed on, any order is taken. Frozen providers start nothing.
 */
export const placesForOrder = statement<{ country: string; currency: string; priceMinor: bigint }>()(
  'checkout.places',
  ({ db }, arg) =>
    db
      .selectFrom('networks')
      .innerJoin('parties', 'parties.id', 'networks.provider_id')
      .select([
        'networks.name',
        'networks.currency',
        'networks.min_minor',
        'networks.max_minor',
        'networks.counter_fee_minor',
        'networks.hours',
        'networks.text_json',
      ])
      .select(({ fn }) => fn.countAll<number>().over().as('places'))
      .where('networks.name', 'is not', null)
      .where('parties.frozen_at', 'is', null)
      .where(({ eb, or }) =>
        or([eb('networks.country', 'is', null), eb('networks.country', '=', arg('country'))]),
      )
      .where(({ eb, or }) =>
        or([eb('networks.currency', 'is', null), eb('networks.currency', '=', arg('currency'))]),
      )
      .where(({ eb, or }) =>
        or([eb('networks.min_minor', 'is', null), eb('networks.min_minor', '<=', arg('priceMinor'))]),
      )
      .where(({ eb, or }) =>
        or([eb('networks.max_minor', 'is', null), eb('networks.max_minor', '>=', arg('priceMinor'))]),
      )
      .orderBy(({ eb }) => eb.case().when('networks.counter_fee_minor', 'is', null).then(1).else(0).end())
      .orderBy('networks.counter_fee_minor')
      .orderBy('networks.network_id')
      .limit(placesAtOnce),
)
