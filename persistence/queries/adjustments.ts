/** Reads of corrections, and of what they correct. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'
import { postingsOfRecords } from './record-postings.ts'

type Nothing = Record<never, never>

export const statementLine = statement<{
  partyId: string
  currency: string
  number: number
  line: number
}>()('adjustment.line', ({ db }, arg) =>
  db
    .selectFrom('statement_lines')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('currency', '=', arg('currency'))
    .where('number', '=', arg('number'))
    .where('line', '=', arg('line')),
)

/** The numbers that an order's postings have in their accounts. */
export const sidesOfOrder = statement<{ orderId: string }>()('adjustment.sides', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(['debit_account', 'debit_number', 'credit_account', 'credit_number'])
    .where('order_id', '=', arg('orderId'))
    .orderBy('id'),
)

/** With whose they are, the newest first. */
export function adjustmentsPage({ partyId }: { partyId: string | undefined }, { after, limit }: PageRequest) {
  return statement<Nothing>()('adjustment.page', ({ db }) => {
    let query = db
      .selectFrom('adjustments')
      .innerJoin('parties', 'parties.id', 'adjustments.party_id')
      .selectAll('adjustments')
      .select('parties.name as party_name')
    if (partyId !== undefined) query = query.where('party_id', '=', partyId)
    if (after !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('booked_at', 'adjustments.id'), '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('booked_at', 'desc').orderBy('adjustments.id', 'desc').limit(limit)
  })
}

export const adjustmentsAfter = statement<{ after: string; limit: number }>()(
  'verify.adjustments',
  ({ db }, arg) =>
    db.selectFrom('adjustments').selectAll().where('id', '>', arg('after')).orderBy('id').limit(arg('limit')),
)

const kinds = ['adjustment', 'adjustment_tax']

export const adjustmentPostings = postingsOfRecords('verify.adjustmentPostings', kinds)

/** Postings of corrections that are not there, at most a hundred. */
export const strayAdjustmentPostings = statement<Nothing>()('verify.strayAdjustments', ({ db }) =>
  db
    .selectFrom('postings')
    .leftJoin('adjustments', 'adjustments.id', 'postings.reference')
    .select(['postings.id', 'postings.reference'])
    .where('postings.kind', 'in', kinds)
    .where('adjustments.id', 'is', null)
    .orderBy('postings.id')
    .limit(100),
)

/** Lines of which it is not what their corrections say by how much they were corrected, at most a hundred. */
export const wronglyCorrectedLines = statement<Nothing>()('verify.correctedLines', ({ db }) => {
  const sum = sql<bigint>`coalesce(sum(adjustments.amount_minor + adjustments.tax_minor), 0)`
  return db
    .selectFrom('corrected_lines')
    .leftJoin('adjustments', (join) =>
      join
        .onRef('adjustments.account_id', '=', 'corrected_lines.account_id')
        .onRef('adjustments.account_number', '=', 'corrected_lines.account_number'),
    )
    .select([
      'corrected_lines.account_id',
      'corrected_lines.account_number',
      'corrected_lines.corrected_minor',
      sum.as('sum_minor'),
    ])
    .groupBy([
      'corrected_lines.account_id',
      'corrected_lines.account_number',
      'corrected_lines.corrected_minor',
    ])
    .having(sql<boolean>`${sum} <> corrected_lines.corrected_minor`)
    .limit(100)
})
