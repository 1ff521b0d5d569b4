/** What is known of an order beside its own rows. */
import { statement } from '../statement.ts'

/** Lines of networks' reports that are about it, those that were replaced too, the oldest first. */
export const reportLinesOfOrder = statement<{ orderId: string }>()('evidence.reports', ({ db }, arg) =>
  db
    .selectFrom('report_lines')
    .innerJoin('report_files', 'report_files.id', 'report_lines.file_id')
    .selectAll('report_lines')
    .select([
      'report_files.network_id',
      'report_files.day',
      'report_files.currency',
      'report_files.source',
      'report_files.digest',
      'report_files.state',
      'report_files.applied_at',
    ])
    .where('order_id', '=', arg('orderId'))
    .orderBy('report_files.began_at')
    .orderBy('report_files.id')
    .orderBy('line'),
)

/** Of a party's statements of some days: those lines that are about the order. */
export const statementLinesOfOrder = statement<{
  orderId: string
  partyId: string
  currency: string
  firstDay: string
  lastDay: string
}>()('evidence.statements', ({ db }, arg) =>
  db
    .selectFrom('statements')
    .innerJoin('statement_lines', (join) =>
      join
        .onRef('statement_lines.party_id', '=', 'statements.party_id')
        .onRef('statement_lines.currency', '=', 'statements.currency')
        .onRef('statement_lines.number', '=', 'statements.number'),
    )
    .selectAll('statement_lines')
    .select(['statements.party_kind', 'statements.digest', 'statements.from_day', 'statements.to_day'])
    .where('statements.party_id', '=', arg('partyId'))
    .where('statements.currency', '=', arg('currency'))
    .where('statements.to_day', '>=', arg('firstDay'))
    .where('statements.from_day', '<=', arg('lastDay'))
    .where('statements.sealed_at', 'is not', null)
    .where('order_id', '=', arg('orderId'))
    .orderBy('statement_lines.number')
    .orderBy('line'),
)
