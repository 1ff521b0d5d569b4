/** Reads of the reports that networks' software sends in parts. */
import { statement } from '../statement.ts'

export const sentReportNamed = statement<{ networkId: string; day: string; name: string }>()(
  'sentReports.named',
  ({ db }, arg) =>
    db
      .selectFrom('sent_reports')
      .selectAll()
      .where('network_id', '=', arg('networkId'))
      .where('day', '=', arg('day'))
      .where('name', '=', arg('name')),
)

/** The latest first. */
export const sentReportsOfDay = statement<{ networkId: string; day: string }>()(
  'sentReports.ofDay',
  ({ db }, arg) =>
    db
      .selectFrom('sent_reports')
      .selectAll()
      .where('network_id', '=', arg('networkId'))
      .where('day', '=', arg('day'))
      .orderBy('began_at', 'desc')
      .orderBy('id', 'desc')
      .limit(100),
)

/** All of which is there, and which no day has yet: the oldest first. */
export const sentReportsWaiting = statement<Record<never, never>>()('sentReports.waiting', ({ db }) =>
  db
    .selectFrom('sent_reports')
    .selectAll()
    .where('completed_at', 'is not', null)
    .where('applied_at', 'is', null)
    .orderBy('completed_at')
    .orderBy('id')
    .limit(20),
)

export const sentPartsAfter = statement<{ reportId: string; after: number }>()(
  'sentReports.parts',
  ({ db }, arg) =>
    db
      .selectFrom('sent_report_parts')
      .selectAll()
      .where('report_id', '=', arg('reportId'))
      .where('part', '>', arg('after'))
      .orderBy('part')
      .limit(1),
)

/** Parts whose lines are kept although nobody needs them any more. */
export const spentPartsOf = statement<{ reportId: string }>()('sentReports.spent', ({ db }, arg) =>
  db
    .selectFrom('sent_report_parts')
    .select(['report_id', 'part'])
    .where('report_id', '=', arg('reportId'))
    .where('lines_json', 'is not', null)
    .limit(50),
)

/** Of a report, with who holds or held the order of each: what its sender may be told. */
export const toldLinesAfter = statement<{ fileId: string; after: number; limit: number }>()(
  'sentReports.told',
  ({ db }, arg) =>
    db
      .selectFrom('report_lines')
      .leftJoin('orders', 'orders.id', 'report_lines.order_id')
      .select([
        'report_lines.line',
        'report_lines.outcome',
        'report_lines.reason',
        'report_lines.reference',
        'report_lines.ours_minor',
        'report_lines.order_id',
        'orders.lock_provider_id',
      ])
      .where('file_id', '=', arg('fileId'))
      .where('line', '>', arg('after'))
      .orderBy('line')
      .limit(arg('limit')),
)
