/** Orders that are quarantined since a backup was restored, and what a restoration writes. */
import { openStatuses } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

/** Quarantines every order that is not final, and is not quarantined already. */
export const quarantineOpenOrders = statement<{ at: Instant }>()('quarantine.open', ({ db }, arg) =>
  db
    .updateTable('orders')
    .set({ quarantined_at: arg('at') })
    .where('status', 'in', openStatuses)
    .where('quarantined_at', 'is', null)
    .returning('id'),
)

/** The next quarantined orders behind an id. */
export const quarantinedOrders = statement<{ after: string; limit: number }>()(
  'quarantine.list',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .select(['id', 'code', 'status', 'quarantined_at'])
      .where('quarantined_at', 'is not', null)
      .where('id', '>', arg('after'))
      .orderBy('id')
      .limit(arg('limit')),
)

/** What providers have said of quarantined orders since they are quarantined: the events of the journal. */
export const quarantineReports = statement<Record<never, never>>()('quarantine.reports', ({ db }) =>
  db
    .selectFrom('orders')
    // In this order: the few orders first, and not every entry there is. SQLite takes a cross join as it is written.
    .crossJoin('journal')
    .whereRef('journal.order_id', '=', 'orders.id')
    .select(['orders.id', 'journal.event_json'])
    .where('orders.quarantined_at', 'is not', null)
    .whereRef('journal.entry_at', '>=', 'orders.quarantined_at')
    .where(({ or, eb }) =>
      or([
        eb('journal.event_json', 'like', '{"type":"quarantine.report"%'),
        // What 0.1.0 called it: journals are sealed and keep its word.
        eb('journal.event_json', 'like', '{"type":"hold.report"%'),
      ]),
    ),
)

export const clearQuarantine = statement<{ id: string }>()('quarantine.release', ({ db }, arg) =>
  db
    .updateTable('orders')
    .set({ quarantined_at: null })
    .where('id', '=', arg('id'))
    .where('quarantined_at', 'is not', null)
    .returning('id'),
)

/** Nothing is sent until an operator resumes: receivers may know more than the restored state. */
export const pauseAllWebhooks = statement<{ at: Instant }>()('quarantine.pauseWebhooks', ({ db }, arg) =>
  db
    .updateTable('parties')
    .set({ webhooks_paused_at: arg('at') })
    .where('kind', '=', 'merchant')
    .where('webhooks_paused_at', 'is', null)
    .returning('id'),
)
