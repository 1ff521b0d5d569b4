/** Reads of what networks report, and of what their lines are held against. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type BuildContext, statement } from '../statement.ts'

/**
 * Whether a column has one of the texts of a JSON list. PostgreSQL is given them as one value: of rows it does not know how many
 * there are, and would look through the whole table, as it would for two columns of which either may have one.
 */
export function isOneOf(engine: BuildContext['engine'], column: string, json: string): RawBuilder<SqlBool> {
  return engine === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = ANY (ARRAY(SELECT json_array_elements_text(${json}::json)))`
    : sql<SqlBool>`${sql.ref(column)} IN (SELECT value FROM json_each(${json}))`
}

/** Orders by any of their ids or codes. @param names JSON lists */
export const ordersNamed = statement<{ ids: string; codes: string }>()(
  'reconciliation.orders',
  ({ db, engine }, arg) =>
    db
      .selectFrom('orders')
      .selectAll()
      .where(({ or }) => or([isOneOf(engine, 'id', arg('ids')), isOneOf(engine, 'code', arg('codes'))])),
)

export const archivedNamed = statement<{ ids: string; codes: string }>()(
  'reconciliation.archived',
  ({ db, engine }, arg) =>
    db
      .selectFrom('archived_orders')
      .select(['id', 'code', 'archived_at'])
      .where(({ or }) => or([isOneOf(engine, 'id', arg('ids')), isOneOf(engine, 'code', arg('codes'))])),
)

export const ordersReferred = statement<{ networkId: string; references: string }>()(
  'reconciliation.references',
  ({ db, engine }, arg) =>
    db
      .selectFrom('network_references')
      .innerJoin('orders', 'orders.id', 'network_references.order_id')
      .selectAll('orders')
      .select('network_references.reference')
      .where('network_id', '=', arg('networkId'))
      .where(isOneOf(engine, 'network_references.reference', arg('references'))),
)

/** What credited a provider with the cash of orders, or charged it. */
export const cashKinds = ['settle', 'honour', 'reclaim'] as const

/** On which day of the account the cash of orders was booked. @param orders a JSON list of ids */
export const cashBooked = statement<{ account: string; orders: string }>()(
  'reconciliation.booked',
  ({ db, engine }, arg) =>
    db
      .selectFrom('postings')
      .select(({ eb }) => [
        'order_id',
        'amount_minor',
        'about_day',
        eb
          .case()
          .when('debit_account', '=', arg('account'))
          .then(eb.ref('debit_day'))
          .else(eb.ref('credit_day'))
          .end()
          .as('day'),
      ])
      .where(isOneOf(engine, 'order_id', arg('orders')))
      .where('kind', 'in', cashKinds)
      .where(({ eb, or }) =>
        or([eb('debit_account', '=', arg('account')), eb('credit_account', '=', arg('account'))]),
      )
      .orderBy('id'),
)

/** What has to be said, or was, of the cash of orders that ended while they were locked. */
export const cashExceptions = statement<{ orders: string }>()(
  'reconciliation.exceptions',
  ({ db, engine }, arg) =>
    db
      .selectFrom('exceptions')
      .selectAll()
      .where(isOneOf(engine, 'order_id', arg('orders')))
      .where('kind', 'in', ['expired_while_locked', 'cancelled_while_locked', 'confirmed_after_return']),
)

/** Each start of orders that was accepted. */
export const journalledStarts = statement<{ orders: string }>()(
  'reconciliation.starts',
  ({ db, engine }, arg) =>
    db
      .selectFrom('journal')
      .select(['order_id', 'event_json'])
      .where(isOneOf(engine, 'order_id', arg('orders')))
      .where('outcome', '=', 'accepted')
      .where('event_json', 'like', '%"type":"payment.start"%'),
)

/** Lines about orders in the reports that count, of whichever day and network. */
export const linesAboutOrders = statement<{ orders: string }>()(
  'reconciliation.reported',
  ({ db, engine }, arg) =>
    db
      .selectFrom('report_lines')
      .innerJoin('report_files', 'report_files.id', 'report_lines.file_id')
      .select(['order_id', 'line', 'file_id', 'network_id', 'day', 'state', 'report_lines.kind'])
      .where(isOneOf(engine, 'order_id', arg('orders')))
      .where('state', '<>', 'replaced')
      .orderBy('day')
      .orderBy('line'),
)

export const networkById = statement<{ networkId: string }>()('reconciliation.network', ({ db }, arg) =>
  db
    .selectFrom('networks')
    .innerJoin('parties', 'parties.id', 'networks.provider_id')
    .selectAll('networks')
    .select('parties.name as provider_name')
    .where('network_id', '=', arg('networkId')),
)

export const reportFileById = statement<{ id: string }>()('reconciliation.file', ({ db }, arg) =>
  db.selectFrom('report_files').selectAll().where('id', '=', arg('id')),
)

export const currentFile = statement<{ networkId: string; day: string }>()(
  'reconciliation.current',
  ({ db }, arg) =>
    db
      .selectFrom('report_files')
      .selectAll()
      .where('network_id', '=', arg('networkId'))
      .where('day', '=', arg('day'))
      .where('state', '=', sql.lit('current')),
)

export const currentFilesBetween = statement<{ networkId: string; from: string; to: string }>()(
  'reconciliation.currentBetween',
  ({ db }, arg) =>
    db
      .selectFrom('report_files')
      .selectAll()
      .where('network_id', '=', arg('networkId'))
      .where('day', '>=', arg('from'))
      .where('day', '<=', arg('to'))
      .where('state', '=', sql.lit('current'))
      .orderBy('day'),
)

export const filesOfDay = statement<{ networkId: string; day: string }>()(
  'reconciliation.filesOfDay',
  ({ db }, arg) =>
    db
      .selectFrom('report_files')
      .selectAll()
      .where('network_id', '=', arg('networkId'))
      .where('day', '=', arg('day'))
      .orderBy('began_at')
      .orderBy('id'),
)

/** Whose lines are all there, and with which something is left to do. */
export const unfinishedFiles = statement<Record<never, never>>()('reconciliation.unfinished', ({ db }) =>
  db
    .selectFrom('report_files')
    .selectAll()
    .where(sql<boolean>`state IN ('loaded', 'current')`)
    .where('finished_at', 'is', null)
    .orderBy('began_at')
    .orderBy('id')
    .limit(20),
)

/** Whether any line of the day's report is about what an exception is about. */
export const currentLineOf = statement<{ exceptionId: string }>()(
  'reconciliation.lineOfException',
  ({ db }, arg) =>
    db
      .selectFrom('report_lines')
      .innerJoin('report_files', 'report_files.id', 'report_lines.file_id')
      .select(['file_id', 'line', 'network_id', 'day'])
      .where('exception_id', '=', arg('exceptionId'))
      .where('state', '=', sql.lit('current'))
      .limit(1),
)

export const linesAfter = statement<{ fileId: string; after: number; limit: number }>()(
  'reconciliation.lines',
  ({ db }, arg) =>
    db
      .selectFrom('report_lines')
      .selectAll()
      .where('file_id', '=', arg('fileId'))
      .where('line', '>', arg('after'))
      .orderBy('line')
      .limit(arg('limit')),
)

export const differingLinesAfter = statement<{ fileId: string; after: number; limit: number }>()(
  'reconciliation.differing',
  ({ db }, arg) =>
    db
      .selectFrom('report_lines')
      .selectAll()
      .where('file_id', '=', arg('fileId'))
      .where('line', '>', arg('after'))
      .where('outcome', '<>', sql.lit('matched'))
      .orderBy('line')
      .limit(arg('limit')),
)

export const lastLineOf = statement<{ fileId: string }>()('reconciliation.lastLine', ({ db }, arg) =>
  db
    .selectFrom('report_lines')
    .select(({ fn }) => fn.max('line').as('line'))
    .where('file_id', '=', arg('fileId')),
)

export const missingAfter = statement<{ networkId: string; day: string; after: string; limit: number }>()(
  'reconciliation.missing',
  ({ db }, arg) =>
    db
      .selectFrom('report_missing')
      .selectAll()
      .where('network_id', '=', arg('networkId'))
      .where('day', '=', arg('day'))
      .where('order_id', '>', arg('after'))
      .orderBy('order_id')
      .limit(arg('limit')),
)

/** Days on which payments were missing that a report tells of, however far away these are. */
export const daysFoundBy = statement<{ fileId: string }>()('reconciliation.daysFound', ({ db }, arg) =>
  db
    .selectFrom('report_lines')
    .innerJoin('report_missing', 'report_missing.order_id', 'report_lines.order_id')
    .select('report_missing.day')
    .distinct()
    .where('file_id', '=', arg('fileId'))
    .orderBy('report_missing.day'),
)

/** Days of payments that reports told of as another day's, and that these reports do not count any more. */
export const daysLostWith = statement<{ networkId: string; day: string }>()(
  'reconciliation.daysLost',
  ({ db }, arg) =>
    db
      .selectFrom('report_files')
      .innerJoin('report_lines', 'report_lines.file_id', 'report_files.id')
      .select('ours_day as day')
      .distinct()
      .where('network_id', '=', arg('networkId'))
      .where('day', '=', arg('day'))
      .where('state', '=', sql.lit('replaced'))
      .where('outcome', '=', sql.lit('day'))
      .orderBy('ours_day'),
)
