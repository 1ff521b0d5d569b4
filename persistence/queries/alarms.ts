/**
 * What an operator should look at before it is a bad day. Each statement seeks in an index and stops after its
 * limit; what its partial index says stands in it literally, because a bound value is not known when it is planned.
 */
import { sql } from 'kysely'
import type { Blockchain } from '../../machines/blockchains.ts'
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

const locked = sql.lit('PAYMENT_STARTED' as const)

/** Open orders that a provider has given back more than three times, the oldest first. */
export const oftenReleased = statement<{ limit: number }>()('alarm.oftenReleased', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(['id', 'code', 'status', 'locks', 'modified_at'])
    .where('locks', '>', sql.lit(3))
    .where('due_at', 'is not', null)
    .where((eb) => eb.or([eb('status', '<>', locked), eb('locks', '>', sql.lit(4))]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(arg('limit')),
)

/** Orders that a provider has held since before a time, the longest held first. */
export const heldSince = statement<{ providerId: string; before: Instant; limit: number }>()(
  'alarm.heldSince',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .select(['id', 'code', 'locked_at'])
      .where('lock_provider_id', '=', arg('providerId'))
      .where('status', '=', locked)
      .where('locked_at', '<', arg('before'))
      .orderBy('locked_at')
      .limit(arg('limit')),
)

/** Orders past their expiry that do not expire, because they are quarantined since a backup was restored; up to a limit. */
export const quarantinedPastExpiry = statement<{ now: Instant; limit: number }>()(
  'alarm.quarantinedPastExpiry',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .select(['id', 'due_at'])
      .where('quarantined_at', 'is not', null)
      .where('due_at', '<=', arg('now'))
      .orderBy('due_at')
      .limit(arg('limit')),
)

/** Open exceptions of orders that the node cannot work on, the oldest first. */
export const stuckOrderExceptions = statement<{ limit: number }>()('alarm.stuckOrders', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .select(['id', 'order_id', 'reason', 'opened_at'])
    .where('state', '=', 'open')
    .where('kind', '=', 'order_stuck')
    .orderBy('opened_at')
    .limit(arg('limit')),
)

/** Chains of which it was not stored any more how far they were read. */
export const placesLost = statement<Record<never, never>>()('alarm.placesLost', ({ db }) =>
  db
    .selectFrom('exceptions')
    .select(['id', 'chain', 'reason', 'opened_at'])
    .where('state', '=', 'open')
    .where('kind', '=', 'chain_place_lost')
    .orderBy('opened_at'),
)

/** How many orders a provider holds; counted up to a limit. */
export const heldCount = statement<{ providerId: string; limit: number }>()(
  'alarm.heldCount',
  ({ db }, arg) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('orders')
          .select('locked_at')
          .where('lock_provider_id', '=', arg('providerId'))
          .where('status', '=', locked)
          .limit(arg('limit'))
          .as('quarantined'),
      )
      .select(({ fn }) => fn.countAll<number>().as('orders')),
)

/** Orders of a chain that wait for money, but for those that could be paid until `since` only. */
export const waitingOnChain = statement<{ blockchain: Blockchain; since: Instant; limit: number }>()(
  'alarm.waitingOnChain',
  ({ db }, arg) =>
    db
      .selectFrom('foreign_orders')
      .innerJoin('orders', 'orders.id', 'foreign_orders.order_id')
      .select('foreign_orders.order_id')
      .where('foreign_orders.blockchain', '=', arg('blockchain'))
      .where('foreign_orders.funding_deadline_at', '>', arg('since'))
      .where('orders.status', '=', 'CREATED')
      .limit(arg('limit')),
)
