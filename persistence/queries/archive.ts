/** Orders that are old enough for the archive, all that belongs to one, and what stays of it. */
import { sql } from 'kysely'
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

type Nothing = Record<never, never>

export interface Archivable {
  /** Made and changed before then, and whatever was to be resolved of them was. */
  before: Instant
  /** The one they come after, by age. */
  afterAt: Instant
  afterId: string
  limit: number
}

/** Postings of an order that are to be lines of a statement which is not sealed yet: of parties that have statements. */
const unsealedSides = `
  SELECT 1 FROM postings JOIN accounts ON accounts.id IN (postings.debit_account, postings.credit_account)
    WHERE postings.order_id = orders.id
      AND accounts.kind IN ('available', 'reserved', 'payable', 'transit', 'suspense', 'debt', 'provider')
      AND (EXISTS (SELECT 1 FROM settlement_terms
          WHERE settlement_terms.party_id = accounts.owner_id AND settlement_terms.currency = accounts.currency)
        OR EXISTS (SELECT 1 FROM statement_books
          WHERE statement_books.party_id = accounts.owner_id AND statement_books.currency = accounts.currency))
      AND NOT EXISTS (SELECT 1 FROM statement_ranges JOIN statements
          ON statements.party_id = statement_ranges.party_id AND statements.currency = statement_ranges.currency
            AND statements.number = statement_ranges.number
        WHERE statement_ranges.party_id = accounts.owner_id AND statement_ranges.currency = accounts.currency
          AND statement_ranges.account_id = accounts.id AND statements.sealed_at IS NOT NULL
          AND statement_ranges.last_number >= CASE WHEN accounts.id = postings.debit_account
            THEN postings.debit_number ELSE postings.credit_number END)`

/**
 * Orders with which nobody has anything to do any more, the oldest first. What an operator has resolved may be
 * contradicted by a confirmation that comes after it, so that it has to be as old as the order. A dead letter is done with once what is
 * kept of it was removed (`webhook-retention.ts`). The newest entry of the journal stays, whosever it is: positions
 * go on from it, and SQLite would give an older one again.
 */
export const archivableOrders = statement<Archivable>()('archive.orders', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(['id', 'created_at'])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '>', tuple(arg('afterAt'), arg('afterId'))),
    )
    .where('created_at', '<', arg('before'))
    .where('modified_at', '<', arg('before'))
    .where('due_at', 'is', null)
    .where('quarantined_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exceptions')
            .select('exceptions.id')
            .whereRef('exceptions.order_id', '=', 'orders.id')
            .where(({ eb, or }) =>
              or([eb('exceptions.state', '=', 'open'), eb('exceptions.resolved_at', '>=', arg('before'))]),
            ),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhooks')
            .select('webhooks.id')
            .whereRef('webhooks.order_id', '=', 'orders.id')
            .where('webhooks.state', 'in', ['pending', 'dead'])
            .where('webhooks.pruned_at', 'is', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('claims')
            .select('claims.id')
            .whereRef('claims.order_id', '=', 'orders.id')
            .where(sql<boolean>`claims.ended_at IS NULL`),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('journal as later')
          .select('later.position')
          .where('later.position', '>', ({ selectFrom: within }) =>
            within('journal')
              .select(({ fn }) => fn.max('journal.position').as('last'))
              .whereRef('journal.order_id', '=', 'orders.id'),
          ),
      ),
    )
    .where(sql<boolean>`NOT EXISTS (${sql.raw(unsealedSides)})`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(arg('limit')),
)

interface OfOrder {
  orderId: string
}

export const journalRowsOf = statement<OfOrder>()('archive.journal', ({ db }, arg) =>
  db.selectFrom('journal').selectAll().where('order_id', '=', arg('orderId')).orderBy('sequence'),
)

export const postingRowsOf = statement<OfOrder>()('archive.postings', ({ db }, arg) =>
  db.selectFrom('postings').selectAll().where('order_id', '=', arg('orderId')).orderBy('id'),
)

export const webhookRowsOf = statement<OfOrder>()('archive.webhooks', ({ db }, arg) =>
  db.selectFrom('webhooks').selectAll().where('order_id', '=', arg('orderId')).orderBy('sequence'),
)

export const referenceRowsOf = statement<OfOrder>()('archive.references', ({ db }, arg) =>
  db
    .selectFrom('network_references')
    .selectAll()
    .where('order_id', '=', arg('orderId'))
    .orderBy('network_id')
    .orderBy('reference'),
)

export const attemptRowsOf = statement<OfOrder>()('archive.attempts', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .innerJoin('webhook_attempts', 'webhook_attempts.webhook_id', 'webhooks.id')
    .selectAll('webhook_attempts')
    .where('webhooks.order_id', '=', arg('orderId'))
    .orderBy('webhooks.sequence')
    .orderBy('webhook_attempts.attempt'),
)

export const exceptionRowsOf = statement<OfOrder>()('archive.exceptions', ({ db }, arg) =>
  db.selectFrom('exceptions').selectAll().where('order_id', '=', arg('orderId')).orderBy('id'),
)

export const quoteRowOf = statement<OfOrder>()('archive.quote', ({ db }, arg) =>
  db.selectFrom('quotes').selectAll().where('order_id', '=', arg('orderId')),
)

export const chainDepositRowsOf = statement<OfOrder>()('archive.deposits', ({ db }, arg) =>
  db.selectFrom('deposits').selectAll().where('order_id', '=', arg('orderId')).orderBy('id'),
)

export const archivedOrderById = statement<{ id: string }>()('archive.byId', ({ db }, arg) =>
  db.selectFrom('archived_orders').selectAll().where('id', '=', arg('id')),
)

export const archivedOrderByCode = statement<{ code: string }>()('archive.byCode', ({ db }, arg) =>
  db.selectFrom('archived_orders').selectAll().where('code', '=', arg('code')),
)

export const archivedOrderByReference = statement<{ reference: string }>()(
  'archive.byReference',
  ({ db }, arg) => db.selectFrom('archived_orders').select('id').where('reference', '=', arg('reference')),
)

/** A page of them, by id. */
export const archivedOrdersAfter = statement<{ after: string; limit: number }>()(
  'archive.after',
  ({ db }, arg) =>
    db
      .selectFrom('archived_orders')
      .selectAll()
      .where('id', '>', arg('after'))
      .orderBy('id')
      .limit(arg('limit')),
)

/** How many there are, and how many entries of the journal they had. */
export const archivedOrderSums = statement<Nothing>()('archive.orderSums', ({ db }) =>
  db
    .selectFrom('archived_orders')
    .select(({ fn }) => [fn.countAll<number>().as('orders'), fn.sum<number>('journal_count').as('entries')]),
)

export const archivedEntryCount = statement<Nothing>()('archive.entryCount', ({ db }) =>
  db.selectFrom('archived_entries').select(({ fn }) => fn.countAll<number>().as('entries')),
)

/** Entries that are in the journal and in what stays of it: one too many of each. */
export const entriesKeptTwice = statement<Nothing>()('archive.entriesTwice', ({ db }) =>
  db
    .selectFrom('archived_entries')
    .innerJoin('journal', 'journal.position', 'archived_entries.position')
    .select(({ fn }) => fn.countAll<number>().as('entries')),
)

export const archivedEntryAt = statement<{ position: number }>()('archive.entry', ({ db }, arg) =>
  db.selectFrom('archived_entries').selectAll().where('position', '=', arg('position')),
)

export const archivedBalances = statement<Nothing>()('archive.balances', ({ db }) =>
  db
    .selectFrom('archived_balances')
    .innerJoin('accounts', 'accounts.id', 'archived_balances.account_id')
    .select([
      'archived_balances.account_id',
      'archived_balances.balance_minor',
      'archived_balances.posting_count',
      'accounts.currency',
    ])
    .orderBy('account_id'),
)
