/** Orders that are held since a backup was restored, and what a restoration writes. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

const open = ['CREATED', 'READY', 'PAYMENT_STARTED'] as const

/** Quarantines every order that is not final, and is not quarantined already. */
export const holdOpenOrders = statement<{ at: Instant }>()('hold.open', ({ db }, arg) =>
  db
    .updateTable('orders')
    .set({ held_at: arg('at') })
    .where('status', 'in', open)
    .where('held_at', 'is', null)
    .returning('id'),
)

/** The next held orders behind an id. */
export const heldOrders = statement<{ after: string; limit: number }>()('hold.list', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(['id', 'code', 'status', 'held_at'])
    .where('held_at', 'is not', null)
    .where('id', '>', arg('after'))
    .orderBy('id')
    .limit(arg('limit')),
)

/** What providers have said of held orders since they are held: the events of the journal. */
export const holdReports = statement<Record<never, never>>()('hold.reports', ({ db }) =>
  db
    .selectFrom('orders')
    .innerJoin('journal', 'journal.order_id', 'orders.id')
    .select(['orders.id', 'journal.event_json'])
    .where('orders.held_at', 'is not', null)
    .whereRef('journal.entry_at', '>=', 'orders.held_at')
    .where('journal.event_json', 'like', '{"type":"hold.report"%'),
)

export const releaseHold = statement<{ id: string }>()('hold.release', ({ db }, arg) =>
  db
    .updateTable('orders')
    .set({ held_at: null })
    .where('id', '=', arg('id'))
    .where('held_at', 'is not', null)
    .returning('id'),
)

/** Nothing is sent until an operator resumes: receivers may know more than the restored state. */
export const pauseAllWebhooks = statement<{ at: Instant }>()('hold.pauseWebhooks', ({ db }, arg) =>
  db
    .updateTable('parties')
    .set({ webhooks_paused_at: arg('at') })
    .where('kind', '=', 'merchant')
    .where('webhooks_paused_at', 'is', null)
    .returning('id'),
)
