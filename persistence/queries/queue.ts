/** What the node still has to do: of each kind the first that fall due, in indexes of what is not settled. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

interface First {
  limit: number
}

const webhookColumns = [
  ...(['id', 'order_id', 'merchant_id', 'sequence', 'order_status', 'host', 'state', 'attempts'] as const),
  ...(['due_at', 'lease_until_at', 'settled_at', 'last_answer'] as const),
] as const

export const unsettledWebhooks = statement<First>()('queue.webhooks', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('settled_at', 'is', null)
    .orderBy('due_at')
    .limit(arg('limit')),
)

/** Their turn comes after that of those whose lease has ended. */
export const leasedWebhooks = statement<First>()('queue.leasedWebhooks', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('lease_until_at', 'is not', null)
    .orderBy('lease_until_at')
    .limit(arg('limit')),
)

/** The newest first. */
export const deadWebhooks = statement<First>()('queue.deadWebhooks', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('state', '=', 'dead')
    .orderBy('created_at', 'desc')
    .limit(arg('limit')),
)

const notificationColumns = [
  ...(['id', 'channel', 'kind', 'purpose', 'state', 'attempts'] as const),
  ...(['due_at', 'lease_until_at', 'settled_at', 'last_answer', 'error'] as const),
] as const

export const unsettledNotifications = statement<First & { kind: 'email' | 'webhook' }>()(
  'queue.notifications',
  ({ db }, arg) =>
    db
      .selectFrom('notifications')
      .select(notificationColumns)
      .where('kind', '=', arg('kind'))
      .where('settled_at', 'is', null)
      .orderBy('due_at')
      .limit(arg('limit')),
)

/** The newest first. */
export const deadNotifications = statement<First>()('queue.deadNotifications', ({ db }, arg) =>
  db
    .selectFrom('notifications')
    .select(notificationColumns)
    .where('state', '=', 'dead')
    .orderBy('created_at', 'desc')
    .limit(arg('limit')),
)

/** Pay-outs that wait for their merchant's balance, the first first. */
export const waitingFundings = statement<First>()('queue.fundings', ({ db }, arg) =>
  db
    .selectFrom('funding_requests')
    .innerJoin('orders', 'orders.id', 'funding_requests.order_id')
    .select(['funding_requests.order_id', 'funding_requests.merchant_id', 'orders.created_at'])
    .orderBy('funding_requests.position')
    .limit(arg('limit')),
)

/** Transactions that have to be built for their wallets. */
export const transactionsToBuild = statement<First>()('queue.transactions', ({ db }, arg) =>
  db
    .selectFrom('foreign_orders')
    .select(['order_id', 'blockchain', 'build_due_at', 'transaction_error'])
    .where('build_due_at', 'is not', null)
    .orderBy('build_due_at')
    .limit(arg('limit')),
)

/** Orders whose time is over and that have not ended yet. */
export const ordersPastDue = statement<First & { now: Instant }>()('queue.orders', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(['id', 'merchant_id', 'status', 'due_at'])
    .where('due_at', '<=', arg('now'))
    .where('quarantined_at', 'is', null)
    .orderBy('due_at')
    .limit(arg('limit')),
)
