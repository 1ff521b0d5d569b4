/** Reads of the days of networks, as operators look at them. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import { textsIn } from './reconciliation.ts'

export const allNetworks = statement<Record<never, never>>()('reconciliation.networks', ({ db }) =>
  db
    .selectFrom('networks')
    .innerJoin('parties', 'parties.id', 'networks.provider_id')
    .selectAll('networks')
    .select(['parties.name as provider_name', 'parties.created_at as since'])
    .orderBy('parties.name')
    .orderBy('network_id'),
)

/** Of the days from one to another: how many lines of each outcome, and how many of them wait for a person. */
export const dayCounts = statement<{ from: string; to: string }>()('reconciliation.counts', ({ db }, arg) =>
  db
    .selectFrom('report_files')
    .innerJoin('report_lines', 'report_lines.file_id', 'report_files.id')
    .leftJoin('exceptions', (join) =>
      join
        .onRef('exceptions.id', '=', 'report_lines.exception_id')
        .on('exceptions.state', '=', sql.lit('open')),
    )
    .select(({ fn }) => [
      'report_files.network_id',
      'report_files.day',
      fn.countAll<number>().as('differing'),
      fn.count<number>('exceptions.id').as('open'),
    ])
    .where('report_files.state', '=', sql.lit('current'))
    .where('day', '>=', arg('from'))
    .where('day', '<=', arg('to'))
    .where('outcome', '<>', sql.lit('matched'))
    .groupBy('report_files.network_id')
    .groupBy('report_files.day'),
)

export const missingCounts = statement<{ from: string; to: string }>()(
  'reconciliation.missingCounts',
  ({ db }, arg) =>
    db
      .selectFrom('report_missing')
      .leftJoin('exceptions', (join) =>
        join
          .onRef('exceptions.id', '=', 'report_missing.exception_id')
          .on('exceptions.state', '=', sql.lit('open')),
      )
      .select(({ fn }) => [
        'network_id',
        'day',
        fn.countAll<number>().as('missing'),
        fn.count<number>('exception_id').as('judged'),
        fn.count<number>('exceptions.id').as('open'),
      ])
      .where('day', '>=', arg('from'))
      .where('day', '<=', arg('to'))
      .groupBy('network_id')
      .groupBy('day'),
)

export const currentFiles = statement<{ from: string; to: string }>()('reconciliation.files', ({ db }, arg) =>
  db
    .selectFrom('report_files')
    .selectAll()
    .where('state', '=', sql.lit('current'))
    .where('day', '>=', arg('from'))
    .where('day', '<=', arg('to')),
)

/** Of one day's report: its lines by outcome, and what they come to. */
export const outcomeSums = statement<{ fileId: string }>()('reconciliation.sums', ({ db }, arg) =>
  db
    .selectFrom('report_lines')
    .select(({ fn }) => [
      'outcome',
      fn.countAll<number>().as('count'),
      fn.count<number>('ours_minor').as('ours_count'),
      fn.sum<bigint>('amount_minor').as('theirs_minor'),
      fn.sum<bigint>('ours_minor').as('ours_minor'),
    ])
    .where('file_id', '=', arg('fileId'))
    .groupBy('outcome')
    .orderBy('outcome'),
)

/** Orders that are missing in a day's report. @param isJudged 1 of those that are a difference, 0 of those that may still be reported */
export const missingSum = statement<{ networkId: string; day: string; isJudged: 0 | 1 }>()(
  'reconciliation.missingSum',
  ({ db }, arg) =>
    db
      .selectFrom('report_missing')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<bigint>('ours_minor').as('ours_minor')])
      .where('network_id', '=', arg('networkId'))
      .where('day', '=', arg('day'))
      .where(sql<boolean>`(CASE WHEN exception_id IS NULL THEN 0 ELSE 1 END) = ${arg('isJudged')}`),
)

export function dayLines({
  fileId,
  outcome,
  after,
  limit,
}: {
  fileId: string
  outcome: string | undefined
  after: number
  limit: number
}) {
  return statement<Record<never, never>>()('reconciliation.dayLines', ({ db }) => {
    let query = db
      .selectFrom('report_lines')
      .selectAll()
      .where('file_id', '=', fileId)
      .where('line', '>', after)
    if (outcome === 'differences') query = query.where('outcome', '<>', 'matched')
    else if (outcome !== undefined) query = query.where(sql<boolean>`outcome = ${outcome}`)
    return query.orderBy('line').limit(limit)
  })
}

export const exceptionStates = statement<{ ids: string }>()('reconciliation.states', ({ db, engine }, arg) =>
  db
    .selectFrom('exceptions')
    .select(['id', 'state'])
    .where('id', 'in', textsIn(engine, arg('ids'))),
)

export const statementsOfDay = statement<{ partyId: string; currency: string; day: string }>()(
  'reconciliation.statements',
  ({ db }, arg) =>
    db
      .selectFrom('statements')
      .select(['number', 'due_minor', 'allocated_minor', 'due_on', 'postponed_to'])
      .where('party_id', '=', arg('partyId'))
      .where('currency', '=', arg('currency'))
      .where('from_day', '<=', arg('day'))
      .where('to_day', '>=', arg('day'))
      .where('sealed_at', 'is not', null)
      .orderBy('number'),
)

/** What is ordered for a statement, and not booked by a bank yet. */
export const inTransitOfStatement = statement<{ partyId: string; currency: string; number: number }>()(
  'reconciliation.inTransit',
  ({ db }, arg) =>
    db
      .selectFrom('allocations')
      .innerJoin('payments', 'payments.id', 'allocations.source_id')
      .select('allocations.amount_minor')
      .where('allocations.party_id', '=', arg('partyId'))
      .where('allocations.currency', '=', arg('currency'))
      .where('allocations.number', '=', arg('number'))
      .where('allocations.source', '=', 'payment')
      .where('payments.state', 'in', ['ordered', 'sent']),
)
