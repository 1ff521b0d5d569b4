/** Reads of payments and what they settle, for `verify`. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { OrderRange } from './verification.ts'

type Nothing = Record<never, never>

export const paymentsAfter = statement<{ after: string; limit: number }>()('verify.payments', ({ db }, arg) =>
  db.selectFrom('payments').selectAll().where('id', '>', arg('after')).orderBy('id').limit(arg('limit')),
)

const kinds = [
  'payment_order',
  'payment_restore',
  'payment_book',
  'payment_bounce',
  'payment_receive',
  'payment_withdraw',
]

/** What payments of a range of ids have moved, by kind. */
export const paymentPostingSums = statement<OrderRange>()('verify.paymentPostings', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(({ fn }) => ['reference', 'kind', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .where('kind', 'in', kinds)
    .where('reference', '>', arg('after'))
    .where('reference', '<=', arg('last'))
    .groupBy(['reference', 'kind']),
)

export const allocationSums = statement<OrderRange>()('verify.paymentAllocations', ({ db }, arg) =>
  db
    .selectFrom('allocations')
    .select(({ fn }) => ['source_id', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .where('source', '=', sql.lit('payment'))
    .where('source_id', '>', arg('after'))
    .where('source_id', '<=', arg('last'))
    .groupBy('source_id'),
)

/** Statements whose allocations are not what they say, at most a hundred. */
export const statementAllocationSums = statement<Nothing>()('verify.statementAllocations', ({ db }) =>
  db
    .selectFrom('statements')
    .leftJoin('allocations', (join) =>
      join
        .onRef('allocations.party_id', '=', 'statements.party_id')
        .onRef('allocations.currency', '=', 'statements.currency')
        .onRef('allocations.number', '=', 'statements.number'),
    )
    .select([
      'statements.party_id',
      'statements.currency',
      'statements.number',
      'statements.allocated_minor',
      sql<bigint>`coalesce(sum(allocations.amount_minor), 0)`.as('sum_minor'),
    ])
    .groupBy([
      'statements.party_id',
      'statements.currency',
      'statements.number',
      'statements.allocated_minor',
    ])
    .having(sql<boolean>`coalesce(sum(allocations.amount_minor), 0) <> statements.allocated_minor`)
    .limit(100),
)

/** What payments have taken out and no bank has booked yet. */
export const inTransitSums = statement<Nothing>()('verify.inTransit', ({ db }) =>
  db
    .selectFrom('payments')
    .select(({ fn }) => ['party_id', 'currency', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .where('state', 'in', ['ordered', 'sent'])
    .groupBy(['party_id', 'currency']),
)
