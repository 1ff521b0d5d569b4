/** What `/metrics` asks of the database: few rows each, found in an index, because it is asked every few seconds. */
import { statement } from '../statement.ts'

type Nothing = Record<never, never>

/** How many orders a provider holds, and since when the first of them. */
export const lockAges = statement<Nothing>()('metrics.locks', ({ db }) =>
  db
    .selectFrom('orders')
    .select(({ fn }) => [fn.countAll<number>().as('orders'), fn.min('locked_at').as('oldest_at')])
    .where('status', '=', 'PAYMENT_STARTED'),
)

/** When the webhook that waits longest was due. */
export const oldestDueWebhook = statement<Nothing>()('metrics.webhooks', ({ db }) =>
  db.selectFrom('webhooks').select('due_at').where('settled_at', 'is', null).orderBy('due_at').limit(1),
)

export const chainAges = statement<Nothing>()('metrics.chains', ({ db }) =>
  db.selectFrom('chain_cursors').select(['blockchain', 'scanned_to_at', 'read_at']),
)

/** The oldest rate of each pair of currencies, and how many cannot be used. */
export const rateAges = statement<Nothing>()('metrics.rates', ({ db }) =>
  db
    .selectFrom('rates')
    .select(({ fn }) => [
      'send_currency',
      'target_currency',
      fn.min('updated_at').as('oldest_at'),
      fn.count<number>('problem').as('unusable'),
    ])
    .where('source_json', 'is not', null)
    .groupBy(['send_currency', 'target_currency']),
)

export const quarantinedOrderCount = statement<Nothing>()('metrics.quarantined', ({ db }) =>
  db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number>().as('orders'))
    .where('quarantined_at', 'is not', null),
)
