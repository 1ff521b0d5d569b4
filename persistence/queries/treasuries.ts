/** Reads of the count of the treasuries. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'

/** Of every chain and asset that was ever counted. */
export const treasuryCounts = statement<Record<never, never>>()('treasury.counts', ({ db }) =>
  db.selectFrom('treasury_counts').selectAll().orderBy('blockchain').orderBy('asset_id'),
)

/** What is not in the books yet, the lowest first. */
export const treasuryMovements = statement<{ blockchain: string; assetId: string; limit: number }>()(
  'treasury.movements',
  ({ db }, arg) =>
    db
      .selectFrom('treasury_movements')
      .selectAll()
      .where('blockchain', '=', arg('blockchain'))
      .where('asset_id', '=', arg('assetId'))
      .orderBy('height')
      .limit(arg('limit')),
)

export const treasuryOutflowById = statement<{ id: string }>()('treasury.outflow', ({ db }, arg) =>
  db.selectFrom('treasury_outflows').selectAll().where('id', '=', arg('id')),
)

export const outflowsOfTransaction = statement<{ transactionId: string }>()(
  'treasury.ofTransaction',
  ({ db }, arg) =>
    db
      .selectFrom('treasury_outflows')
      .selectAll()
      .where('transaction_id', '=', arg('transactionId'))
      .orderBy('id'),
)

/** Exceptions of a chain that were resolved by a refund, the latest first. */
export const refundsOfChain = statement<{ chain: string; limit: number }>()(
  'treasury.refunds',
  ({ db }, arg) =>
    db
      .selectFrom('exceptions')
      .selectAll()
      .where('chain', '=', arg('chain'))
      .where('resolution', '=', sql.lit('refunded'))
      .orderBy('resolved_at', 'desc')
      .limit(arg('limit')),
)

/** What may still be sent back on a chain. */
export const openRefunds = statement<{ chain: string; limit: number }>()(
  'treasury.openRefunds',
  ({ db }, arg) =>
    db
      .selectFrom('exceptions')
      .selectAll()
      .where('state', '=', 'open')
      .where('chain', '=', arg('chain'))
      .where('kind', 'in', ['deposit_unmatched', 'refund_due'])
      .orderBy('opened_at', 'desc')
      .limit(arg('limit')),
)

export const accountBalance = statement<{ id: string }>()('treasury.balance', ({ db }, arg) =>
  db.selectFrom('accounts').select('balance_minor').where('id', '=', arg('id')),
)
