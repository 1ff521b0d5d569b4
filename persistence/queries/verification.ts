/** Reads of whole tables for `verify`, in pages of orders and in sums, for a reader beside the store. */
import { sql } from 'kysely'
import { reservedStatuses } from '../../machines/statuses.ts'
import { statement } from '../statement.ts'

type Nothing = Record<never, never>

/** Orders whose ids come after one and not after another, both text. */
export interface OrderRange {
  after: string
  last: string
}

export const orderCount = statement<Nothing>()('verify.orderCount', ({ db }) =>
  db.selectFrom('orders').select(({ fn }) => fn.countAll<number>().as('orders')),
)

export const ordersAfter = statement<{ after: string; limit: number }>()('verify.orders', ({ db }, arg) =>
  db.selectFrom('orders').selectAll().where('id', '>', arg('after')).orderBy('id').limit(arg('limit')),
)

export const journalBetween = statement<OrderRange>()('verify.journal', ({ db }, arg) =>
  db
    .selectFrom('journal')
    .selectAll()
    .where('order_id', '>', arg('after'))
    .where('order_id', '<=', arg('last'))
    .orderBy('order_id')
    .orderBy('sequence'),
)

export const postingsBetween = statement<OrderRange>()('verify.postings', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(['order_id', 'debit_account', 'credit_account', 'amount_minor'])
    .where('order_id', '>', arg('after'))
    .where('order_id', '<=', arg('last')),
)

export const webhooksBetween = statement<OrderRange>()('verify.webhooks', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select(['order_id', 'sequence', 'order_status', 'is_final'])
    .where('order_id', '>', arg('after'))
    .where('order_id', '<=', arg('last'))
    .orderBy('order_id')
    .orderBy('sequence'),
)

export const fundingRequestsBetween = statement<OrderRange>()('verify.fundingRequests', ({ db }, arg) =>
  db
    .selectFrom('funding_requests')
    .select(['order_id', 'merchant_id', 'currency', 'price_minor'])
    .where('order_id', '>', arg('after'))
    .where('order_id', '<=', arg('last')),
)

export const exceptionsBetween = statement<OrderRange>()('verify.exceptions', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .select(['order_id', 'kind', 'state', 'resolution'])
    .where('order_id', '>', arg('after'))
    .where('order_id', '<=', arg('last')),
)

export const foreignOrdersBetween = statement<OrderRange>()('verify.foreignOrders', ({ db }, arg) =>
  db
    .selectFrom('foreign_orders')
    .selectAll()
    .where('order_id', '>', arg('after'))
    .where('order_id', '<=', arg('last')),
)

export const quotesBetween = statement<OrderRange>()('verify.quotes', ({ db }, arg) =>
  db
    .selectFrom('quotes')
    .selectAll()
    .where('order_id', '>', arg('after'))
    .where('order_id', '<=', arg('last')),
)

export const chainDepositsBetween = statement<OrderRange>()('verify.deposits', ({ db }, arg) =>
  db
    .selectFrom('deposits')
    .select(['order_id', 'asset_id', 'credited_minor'])
    .where('order_id', '>', arg('after'))
    .where('order_id', '<=', arg('last')),
)

/** The terms that orders of a range name. */
export const feeTermsBetween = statement<OrderRange>()('verify.feeTerms', ({ db }, arg) =>
  db
    .selectFrom('fee_terms')
    .selectAll()
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('orders')
          .select('orders.id')
          .where('orders.id', '>', arg('after'))
          .where('orders.id', '<=', arg('last'))
          .where(({ eb, or, ref }) =>
            or([
              eb('orders.fee_terms_id', '=', ref('fee_terms.id')),
              eb('orders.commission_terms_id', '=', ref('fee_terms.id')),
            ]),
          ),
      ),
    ),
)

/** What exceptions hold that nobody has resolved yet. */
export const openExceptionEvidence = statement<Nothing>()('verify.openExceptions', ({ db }) =>
  db.selectFrom('exceptions').select(['evidence_json']).where('state', '=', 'open'),
)

export const allAccounts = statement<Nothing>()('verify.accounts', ({ db }) =>
  db.selectFrom('accounts').selectAll().orderBy('id'),
)

export const debitSums = statement<Nothing>()('verify.debits', ({ db }) =>
  db
    .selectFrom('postings')
    .select(({ fn }) => ['debit_account as account', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .groupBy('debit_account'),
)

export const creditSums = statement<Nothing>()('verify.credits', ({ db }) =>
  db
    .selectFrom('postings')
    .select(({ fn }) => ['credit_account as account', fn.sum<bigint>('amount_minor').as('sum_minor')])
    .groupBy('credit_account'),
)

/** What funded pay-outs hold in reserve, by merchant and currency. */
export const reservedSums = statement<Nothing>()('verify.reserved', ({ db }) =>
  db
    .selectFrom('orders')
    .select(['merchant_id', 'currency'])
    .select(sql<bigint>`sum(price_minor + fee_minor + fee_tax_minor)`.as('sum_minor'))
    .where('direction', '=', 'PAY_OUT')
    .where('status', 'in', reservedStatuses)
    .groupBy(['merchant_id', 'currency']),
)

/** A range of an account's numbers, from the first to the last of them. */
export interface NumberRange {
  account: string
  first: number
  last: number
}

export const debitsNumbered = statement<NumberRange>()('verify.debitsNumbered', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(['debit_number as number', 'debit_day as day'])
    .where('debit_account', '=', arg('account'))
    .where('debit_number', '>=', arg('first'))
    .where('debit_number', '<=', arg('last'))
    .orderBy('debit_number'),
)

export const creditsNumbered = statement<NumberRange>()('verify.creditsNumbered', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select(['credit_number as number', 'credit_day as day'])
    .where('credit_account', '=', arg('account'))
    .where('credit_number', '>=', arg('first'))
    .where('credit_number', '<=', arg('last'))
    .orderBy('credit_number'),
)

interface Beyond {
  account: string
  last: number
}

/** Whether an account has debits beyond its last number, or without any. */
export const debitBeyond = statement<Beyond>()('verify.debitBeyond', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select('id')
    .where('debit_account', '=', arg('account'))
    .where(({ eb, or }) => or([eb('debit_number', '<', 1), eb('debit_number', '>', arg('last'))]))
    .limit(1),
)

export const creditBeyond = statement<Beyond>()('verify.creditBeyond', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .select('id')
    .where('credit_account', '=', arg('account'))
    .where(({ eb, or }) => or([eb('credit_number', '<', 1), eb('credit_number', '>', arg('last'))]))
    .limit(1),
)
