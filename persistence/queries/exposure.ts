/** What a provider owes and is about to owe: its limits, and what counts against them (protocol 15.5). */
import { sql } from 'kysely'
import type { BuildContext } from '../statement.ts'
import { statement } from '../statement.ts'

/** All limits with what is used of each, as of one moment. */
function exposures({ db }: BuildContext) {
  return db
    .selectFrom('exposure_limits as limits')
    .select(['limits.provider_id', 'limits.currency', 'limits.limit_minor', 'limits.warn_at_percent'])
    .select(({ selectFrom }) => [
      selectFrom('accounts')
        .select('accounts.balance_minor')
        .where('accounts.kind', '=', 'provider')
        .whereRef(
          'accounts.id',
          '=',
          sql<string>`'provider:' || limits.provider_id || ':' || limits.currency`,
        )
        .as('balance_minor'),
      selectFrom('orders')
        .select(sql<bigint>`sum(orders.price_minor)`.as('held_minor'))
        .whereRef('orders.lock_provider_id', '=', 'limits.provider_id')
        .whereRef('orders.currency', '=', 'limits.currency')
        .where('orders.status', '=', sql.lit('PAYMENT_STARTED'))
        .where('orders.direction', '=', 'PAY_IN')
        .as('held_minor'),
      selectFrom('exceptions')
        .innerJoin('orders as ended', 'ended.id', 'exceptions.order_id')
        .select(sql<bigint>`sum(ended.price_minor)`.as('doubt_minor'))
        .where('exceptions.state', '=', 'open')
        .where('exceptions.kind', 'in', ['expired_while_locked', 'cancelled_while_locked'])
        .whereRef('ended.lock_provider_id', '=', 'limits.provider_id')
        .whereRef('ended.currency', '=', 'limits.currency')
        .where('ended.direction', '=', 'PAY_IN')
        .as('doubt_minor'),
      selectFrom('exposures')
        .select('exposures.started_minor')
        .whereRef('exposures.provider_id', '=', 'limits.provider_id')
        .whereRef('exposures.currency', '=', 'limits.currency')
        .as('started_minor'),
    ])
}

/** What counts against a limit, in minor units; null for nothing. */
export interface Used {
  balance_minor: bigint | null
  held_minor: bigint | null
  doubt_minor: bigint | null
}

/** What a provider owes, what it holds, and what ended in doubt while it held it. */
export function usedOf({ balance_minor, held_minor, doubt_minor }: Used): bigint {
  const balance = balance_minor ?? 0n
  return (balance < 0n ? -balance : 0n) + (held_minor ?? 0n) + (doubt_minor ?? 0n)
}

/** Of all providers that have a limit, by name; up to a limit. */
export const exposuresOfAll = statement<{ limit: number }>()('exposure.ofAll', (context, arg) =>
  exposures(context)
    .innerJoin('parties', 'parties.id', 'limits.provider_id')
    .select('parties.name')
    .orderBy('parties.name')
    .orderBy('limits.currency')
    .limit(arg('limit')),
)

/** At most one. */
export const exposureOf = statement<{ providerId: string; currency: string }>()(
  'exposure.of',
  (context, arg) =>
    exposures(context)
      .where('limits.provider_id', '=', arg('providerId'))
      .where('limits.currency', '=', arg('currency')),
)
