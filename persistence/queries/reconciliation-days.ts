/** Reads of the days of networks, as operators look at them. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import { isOneOf } from './reconciliation.ts'

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

/**
 * Of one day's report: its lines by outcome, and what they come to. A payment is booked of the day once, though lines of several
 * kinds may be about it: the one that calls it paid counts.
 */
export const outcomeSums = statement<{ fileId: string; day: string }>()(
  'reconciliation.sums',
  ({ db }, arg) =>
    db
      .selectFrom('report_lines')
      .select(({ fn, ref }) => {
        const isBooked = sql<boolean>`ours_minor IS NOT NULL AND ours_day = ${arg('day')}
        AND outcome NOT IN ('twice', 'only_theirs') AND (kind = 'paid' OR NOT EXISTS (
          SELECT 1 FROM report_lines other
          WHERE other.file_id = ${ref('report_lines.file_id')} AND other.order_id = ${ref('report_lines.order_id')}
            AND other.line <> ${ref('report_lines.line')} AND (other.kind = 'paid' OR other.line < ${ref('report_lines.line')})))`
        return [
          'outcome',
          fn.countAll<number>().as('count'),
          fn.sum<bigint>('amount_minor').as('theirs_minor'),
          fn.sum<bigint>('ours_minor').as('ours_minor'),
          sql<bigint | null>`SUM(CASE WHEN kind = 'paid' THEN amount_minor END)`.as('paid_minor'),
          sql<number>`COUNT(CASE WHEN ${isBooked} THEN 1 END)`.as('booked_count'),
          sql<bigint | null>`SUM(CASE WHEN ${isBooked} THEN ours_minor END)`.as('booked_minor'),
        ]
      })
      .where('file_id', '=', arg('fileId'))
      .groupBy('outcome')
      .orderBy('outcome'),
)

interface AroundDay {
  networkId: string
  day: string
  from: string
  to: string
}

/** Payments of a day that reports of days around it tell of; `also_in` is the day's own report, where that has counted it. */
export const toldByMatches = toldElsewhere('reconciliation.toldByMatches', sql.lit('matched'))
export const toldByDifferences = toldElsewhere('reconciliation.toldByDifferences', null)

function toldElsewhere(name: string, matched: ReturnType<typeof sql.lit<'matched'>> | null) {
  return statement<AroundDay>()(name, ({ db }, arg) => {
    const query = db
      .selectFrom('report_files')
      .innerJoin('report_lines', 'report_lines.file_id', 'report_files.id')
      .select(({ selectFrom }) => [
        'order_id',
        'ours_minor',
        selectFrom('report_lines as own')
          .innerJoin('report_files as day_file', 'day_file.id', 'own.file_id')
          .select('own.file_id')
          .whereRef('own.order_id', '=', 'report_lines.order_id')
          .whereRef('day_file.network_id', '=', 'report_files.network_id')
          .where('day_file.day', '=', arg('day'))
          .where('day_file.state', '=', sql.lit('current'))
          .where('own.ours_day', '=', arg('day'))
          .where(sql<boolean>`own.outcome NOT IN ('twice', 'only_theirs')`)
          .limit(1)
          .as('also_in'),
      ])
      .where('report_files.network_id', '=', arg('networkId'))
      .where('report_files.state', '=', sql.lit('current'))
      .where('report_files.day', '>=', arg('from'))
      .where('report_files.day', '<=', arg('to'))
      .where('report_files.day', '<>', arg('day'))
      .where('ours_day', '=', arg('day'))
    return matched === null
      ? query
          .where('outcome', '<>', sql.lit('matched'))
          .where(sql<boolean>`report_lines.outcome NOT IN ('twice', 'only_theirs')`)
      : query.where('outcome', '=', matched)
  })
}

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

/** What became of the differences of a day's report, with what claims about them came to. */
export const decisionsOnLines = statement<{ fileId: string }>()('reconciliation.decided', ({ db }, arg) =>
  db
    .selectFrom('report_lines')
    .innerJoin('exceptions', 'exceptions.id', 'report_lines.exception_id')
    .leftJoin('claims', (join) =>
      join
        .onRef('claims.exception_id', '=', 'exceptions.id')
        .on(sql<boolean>`claims.state IN ('accepted', 'upheld')`),
    )
    .select(({ fn }) => [
      'report_lines.outcome',
      'exceptions.state',
      'exceptions.resolution',
      fn.countAll<number>().as('count'),
      sql<bigint | null>`SUM(COALESCE(claims.amount_minor, claims.price_minor))`.as('claimed_minor'),
    ])
    .where('report_lines.file_id', '=', arg('fileId'))
    .where('outcome', '<>', sql.lit('matched'))
    .groupBy('report_lines.outcome')
    .groupBy('exceptions.state')
    .groupBy('exceptions.resolution'),
)

/** The same of what is missing in it. */
export const decisionsOnMissing = statement<{ networkId: string; day: string }>()(
  'reconciliation.decidedMissing',
  ({ db }, arg) =>
    db
      .selectFrom('report_missing')
      .innerJoin('exceptions', 'exceptions.id', 'report_missing.exception_id')
      .leftJoin('claims', (join) =>
        join
          .onRef('claims.exception_id', '=', 'exceptions.id')
          .on(sql<boolean>`claims.state IN ('accepted', 'upheld')`),
      )
      .select(({ fn }) => [
        'exceptions.state',
        'exceptions.resolution',
        fn.countAll<number>().as('count'),
        sql<bigint | null>`SUM(COALESCE(claims.amount_minor, claims.price_minor))`.as('claimed_minor'),
      ])
      .where('network_id', '=', arg('networkId'))
      .where('day', '=', arg('day'))
      .groupBy('exceptions.state')
      .groupBy('exceptions.resolution'),
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
    .where(isOneOf(engine, 'id', arg('ids'))),
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
