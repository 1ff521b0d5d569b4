/** Reads of conversions, and of what they are worked out of. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { PageRequest } from './operations.ts'
import { postingsOfRecords } from './record-postings.ts'

type Nothing = Record<never, never>

export const conversionById = statement<{ id: string }>()('conversion.byId', ({ db }, arg) =>
  db.selectFrom('conversions').selectAll().where('id', '=', arg('id')),
)

export const conversionOfOutflow = statement<{ outflowId: string }>()('conversion.ofOutflow', ({ db }, arg) =>
  db.selectFrom('conversions').selectAll().where('outflow_id', '=', arg('outflowId')),
)

/** The newest first. */
export function conversionsPage({ after, limit }: PageRequest) {
  return statement<Nothing>()('conversion.page', ({ db }) => {
    let query = db
      .selectFrom('conversions')
      .innerJoin('treasury_outflows', 'treasury_outflows.id', 'conversions.outflow_id')
      .selectAll('conversions')
      .select(['treasury_outflows.blockchain', 'treasury_outflows.transaction_id'])
    if (after !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('recorded_at', 'conversions.id'), '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('recorded_at', 'desc').orderBy('conversions.id', 'desc').limit(limit)
  })
}

/** What *exchange* holds by asset and money. */
export const exchangePairs = statement<Nothing>()('conversion.exchangePairs', ({ db }) =>
  db.selectFrom('exchange_pairs').selectAll().orderBy('asset').orderBy('money'),
)

/** The same as the postings have it that are not in the archive; of what no order and no conversion explains, the pair is null. */
export const exchangePostings = statement<Nothing>()('verify.exchangePostings', ({ db }) =>
  db
    .selectFrom(sql<ExchangePosting>`exchange_postings`.as('sides'))
    .select(({ fn }) => [
      'asset',
      'money',
      fn.sum<bigint>('asset_minor').as('asset_minor'),
      fn.sum<bigint>('money_minor').as('money_minor'),
    ])
    .groupBy(['asset', 'money'])
    .orderBy('asset')
    .orderBy('money'),
)

type ExchangePosting = {
  asset: string | null
  money: string | null
  asset_minor: bigint
  money_minor: bigint
}

/** Of assets above zero, of money below it. */
export const exchangeAccounts = statement<Nothing>()('verify.exchangeAccounts', ({ db }) =>
  db
    .selectFrom('accounts')
    .select(['currency', 'balance_minor'])
    .where('kind', '=', 'exchange')
    .orderBy('currency'),
)

export const conversionsAfter = statement<{ after: string; limit: number }>()(
  'verify.conversions',
  ({ db }, arg) =>
    db.selectFrom('conversions').selectAll().where('id', '>', arg('after')).orderBy('id').limit(arg('limit')),
)

const kinds = ['conversion_sent', 'conversion', 'conversion_fee', 'conversion_result']

export const conversionPostings = postingsOfRecords('verify.conversionPostings', kinds)

/** Postings of conversions that are not there, at most a hundred. */
export const strayConversionPostings = statement<Nothing>()('verify.strayConversions', ({ db }) =>
  db
    .selectFrom('postings')
    .leftJoin('conversions', 'conversions.id', 'postings.reference')
    .select(['postings.id', 'postings.reference'])
    .where('postings.kind', 'in', kinds)
    .where('conversions.id', 'is', null)
    .orderBy('postings.id')
    .limit(100),
)

/** What has left the treasuries and is not sold yet. */
export const convertedInTransit = statement<Nothing>()('verify.convertedInTransit', ({ db }) =>
  db
    .selectFrom('conversions')
    .select(({ fn }) => ['currency', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .where('sold_at', 'is', null)
    .groupBy('currency'),
)
