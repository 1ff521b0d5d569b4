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

/** @param part a pattern of LIKE: outflows that name an exception. */
export const outflowsMentioning = statement<{ part: string }>()('treasury.mentioning', ({ db }, arg) =>
  db.selectFrom('treasury_outflows').selectAll().where('explained_json', 'like', arg('part')),
)

/** Refunds that were told as not seen, of a chain. */
export const openUnseenRefunds = statement<{ chain: string }>()('treasury.unseenRefunds', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .selectAll()
    .where('state', '=', 'open')
    .where('chain', '=', arg('chain'))
    .where('kind', '=', 'refund_unseen'),
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

/** What no books hold yet, of every treasury. */
export const allTreasuryMovements = statement<Record<never, never>>()('treasury.allMovements', ({ db }) =>
  db.selectFrom('treasury_movements').selectAll(),
)

export const allOutflows = statement<Record<never, never>>()('treasury.allOutflows', ({ db }) =>
  db.selectFrom('treasury_outflows').selectAll(),
)

/** Exceptions that were resolved by a refund, of every chain. */
export const chainRefunds = statement<Record<never, never>>()('treasury.chainRefunds', ({ db }) =>
  db
    .selectFrom('exceptions')
    .select(['id', 'chain', 'resolved_at', 'evidence_json'])
    .where('kind', 'in', ['deposit_unmatched', 'refund_due'])
    .where('resolution', '=', sql.lit('refunded')),
)

/** Refunds that were not seen leaving, and will not be. */
export const writtenOffRefunds = statement<Record<never, never>>()('treasury.writtenOff', ({ db }) =>
  db
    .selectFrom('exceptions')
    .select('evidence_json')
    .where('kind', '=', 'refund_unseen')
    .where('resolution', '=', 'dismiss'),
)

/** @param part a pattern of LIKE: deposits with such evidence. */
export const chainDeposits = statement<{ part: string }>()('treasury.deposits', ({ db }, arg) =>
  db
    .selectFrom('deposits')
    .select(['blockchain', 'asset_id', 'amount', 'flags_json', 'recorded_at'])
    .where('evidence_json', 'like', arg('part')),
)
