/** What people have in hand, each looked up in an index of its own: however many orders there are, a few rows are read. */
import { sql } from 'kysely'
import { statement } from '../statement.ts'

/** Ids from `from` on, up to `until`, which is none of them. */
interface Range {
  from: string
  until: string
  limit: number
}

interface Ending {
  /** The last six digits. */
  ending: string
  limit: number
}

const lastDigits = (column: 'orders.id' | 'archived_orders.id' | 'payments.id' | 'exceptions.id') =>
  sql<string>`substr(${sql.ref(column)}, 31)`

const orderColumns = [
  'orders.id',
  'orders.merchant_id',
  'orders.merchant_order_id',
  'orders.status',
  'orders.price_minor',
  'orders.currency',
  'orders.created_at',
  'orders.due_at',
] as const

export const ordersByPrefix = statement<Range>()('search.ordersByPrefix', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(orderColumns)
    .where('id', '>=', arg('from'))
    .where('id', '<', arg('until'))
    .orderBy('id')
    .limit(arg('limit')),
)

export const ordersByEnding = statement<Ending>()('search.ordersByEnding', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(orderColumns)
    .where(lastDigits('orders.id'), '=', arg('ending'))
    .limit(arg('limit')),
)

export const ordersByCode = statement<{ code: string }>()('search.ordersByCode', ({ db }, arg) =>
  db.selectFrom('orders').select(orderColumns).where('code', '=', arg('code')),
)

/** The newest first. */
export const ordersByAmount = statement<{ minor: bigint; currency: string; limit: number }>()(
  'search.ordersByAmount',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .select(orderColumns)
      .where('price_minor', '=', arg('minor'))
      .where('currency', '=', arg('currency'))
      .orderBy('created_at', 'desc')
      .limit(arg('limit')),
)

interface Spellings {
  written: string
  lower: string
  upper: string
  limit: number
}

/** Only together with their merchant are these ids in an index. */
export const ordersByMerchantOrderId = statement<Spellings>()(
  'search.ordersByMerchantOrderId',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .select(orderColumns)
      .where('merchant_id', 'in', db.selectFrom('parties').select('id').where('kind', '=', 'merchant'))
      .where('merchant_order_id', 'in', [arg('written'), arg('lower'), arg('upper')])
      .limit(arg('limit')),
)

/** What any network calls the payment of an order. */
export const ordersByNetworkReference = statement<Spellings>()(
  'search.ordersByNetworkReference',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .select(orderColumns)
      .where('id', 'in', (from) =>
        from
          .selectFrom('network_references')
          .select('network_references.order_id')
          .where('network_id', 'in', db.selectFrom('networks').select('networks.network_id'))
          .where('reference', 'in', [arg('written'), arg('lower'), arg('upper')]),
      )
      .limit(arg('limit')),
)

/** With the address, which says whether it is the one that is meant: a digest is only its beginning. */
export const ordersByEmail = statement<{ digest: string; limit: number }>()(
  'search.ordersByEmail',
  ({ db }, arg) =>
    db
      .selectFrom('consumers')
      .innerJoin('orders', 'orders.id', 'consumers.order_id')
      .select([...orderColumns, 'consumers.email'])
      .where('email_digest', '=', arg('digest'))
      .orderBy('consumers.order_id', 'desc')
      .limit(arg('limit')),
)

/** With the number: a digest is of its last digits alone. */
export const ordersByPhone = statement<{ digest: string; limit: number }>()(
  'search.ordersByPhone',
  ({ db }, arg) =>
    db
      .selectFrom('consumers')
      .innerJoin('orders', 'orders.id', 'consumers.order_id')
      .select([...orderColumns, 'consumers.phone_number'])
      .where('phone_digest', '=', arg('digest'))
      .orderBy('consumers.order_id', 'desc')
      .limit(arg('limit')),
)

const archivedColumns = ['id', 'merchant_id', 'merchant_order_id', 'status', 'created_at', 'file'] as const

export const archivedByPrefix = statement<Range>()('search.archivedByPrefix', ({ db }, arg) =>
  db
    .selectFrom('archived_orders')
    .select(archivedColumns)
    .where('id', '>=', arg('from'))
    .where('id', '<', arg('until'))
    .orderBy('id')
    .limit(arg('limit')),
)

export const archivedByEnding = statement<Ending>()('search.archivedByEnding', ({ db }, arg) =>
  db
    .selectFrom('archived_orders')
    .select(archivedColumns)
    .where(lastDigits('archived_orders.id'), '=', arg('ending'))
    .limit(arg('limit')),
)

export const archivedByCode = statement<{ code: string }>()('search.archivedByCode', ({ db }, arg) =>
  db.selectFrom('archived_orders').select(archivedColumns).where('code', '=', arg('code')),
)

export const archivedByMerchantOrderId = statement<Spellings>()(
  'search.archivedByMerchantOrderId',
  ({ db }, arg) =>
    db
      .selectFrom('archived_orders')
      .select(archivedColumns)
      .where('merchant_id', 'in', db.selectFrom('parties').select('id').where('kind', '=', 'merchant'))
      .where('merchant_order_id', 'in', [arg('written'), arg('lower'), arg('upper')])
      .limit(arg('limit')),
)

export const archivedByEmail = statement<{ digest: string; limit: number }>()(
  'search.archivedByEmail',
  ({ db }, arg) =>
    db
      .selectFrom('archived_orders')
      .select(archivedColumns)
      .where('email_digest', '=', arg('digest'))
      .limit(arg('limit')),
)

/** By the digests of the ways in which it may have been written: archived orders have one of the whole number. */
export const archivedByPhone = statement<{ written: string; digits: string; whole: string; limit: number }>()(
  'search.archivedByPhone',
  ({ db }, arg) =>
    db
      .selectFrom('archived_orders')
      .select(archivedColumns)
      .where('phone_digest', 'in', [arg('written'), arg('digits'), arg('whole')])
      .limit(arg('limit')),
)

const webhookColumns = ['id', 'order_id', 'merchant_id', 'order_status', 'state', 'created_at'] as const

export const webhooksByPrefix = statement<Range>()('search.webhooksByPrefix', ({ db }, arg) =>
  db
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('id', '>=', arg('from'))
    .where('id', '<', arg('until'))
    .orderBy('id')
    .limit(arg('limit')),
)

const exceptionColumns = ['id', 'kind', 'state', 'order_id', 'amount', 'asset', 'opened_at'] as const

export const exceptionsByPrefix = statement<Range>()('search.exceptionsByPrefix', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .select(exceptionColumns)
    .where('id', '>=', arg('from'))
    .where('id', '<', arg('until'))
    .orderBy('id')
    .limit(arg('limit')),
)

export const exceptionsByEnding = statement<Ending>()('search.exceptionsByEnding', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .select(exceptionColumns)
    .where(lastDigits('exceptions.id'), '=', arg('ending'))
    .limit(arg('limit')),
)

const paymentColumns = [
  ...(['id', 'party_id', 'direction', 'state'] as const),
  ...(['amount_minor', 'currency', 'ordered_at'] as const),
]

export const paymentsByPrefix = statement<Range>()('search.paymentsByPrefix', ({ db }, arg) =>
  db
    .selectFrom('payments')
    .select(paymentColumns)
    .where('id', '>=', arg('from'))
    .where('id', '<', arg('until'))
    .orderBy('id')
    .limit(arg('limit')),
)

export const paymentsByEnding = statement<Ending>()('search.paymentsByEnding', ({ db }, arg) =>
  db
    .selectFrom('payments')
    .select(paymentColumns)
    .where(lastDigits('payments.id'), '=', arg('ending'))
    .limit(arg('limit')),
)

export const paymentsByReference = statement<Spellings>()('search.paymentsByReference', ({ db }, arg) =>
  db
    .selectFrom('payments')
    .select(paymentColumns)
    .where('bank_reference', 'in', [arg('written'), arg('lower'), arg('upper')])
    .limit(arg('limit')),
)

/** Of any bank, either way: together these are the key. */
export const bankLinesByReference = statement<Spellings>()('search.bankLinesByReference', ({ db }, arg) =>
  db
    .selectFrom('bank_entries')
    .select(['bank', 'direction', 'reference', 'kind', 'subject_id', 'amount_minor', 'currency', 'booked_at'])
    .where('bank', 'in', db.selectFrom('banks').select('name'))
    .where('direction', 'in', ['out', 'in'])
    .where('reference', 'in', [arg('written'), arg('lower'), arg('upper')])
    .limit(arg('limit')),
)

/** Of any merchant. */
export const depositsByReference = statement<Spellings>()('search.depositsByReference', ({ db }, arg) =>
  db
    .selectFrom('account_deposits')
    .select(['merchant_id', 'reference', 'amount_minor', 'currency', 'deposited_at', 'reversed_at'])
    .where('merchant_id', 'in', db.selectFrom('parties').select('id').where('kind', '=', 'merchant'))
    .where('reference', 'in', [arg('written'), arg('lower'), arg('upper')])
    .limit(arg('limit')),
)

/** Of any party. */
export const correctionsByReference = statement<Spellings>()('search.correctionsByReference', ({ db }, arg) =>
  db
    .selectFrom('adjustments')
    .select(['id', 'party_id', 'reference', 'amount_minor', 'currency', 'booked_at'])
    .where('party_id', 'in', db.selectFrom('parties').select('id'))
    .where('reference', 'in', [arg('written'), arg('lower'), arg('upper')])
    .limit(arg('limit')),
)

/** The newest first. */
export const statementsByNumber = statement<{ number: number; limit: number }>()(
  'search.statementsByNumber',
  ({ db }, arg) =>
    db
      .selectFrom('statements')
      .select(['party_id', 'party_kind', 'currency', 'number', 'to_day', 'due_minor', 'closed_at'])
      .where('number', '=', arg('number'))
      .limit(arg('limit')),
)

interface Transaction {
  written: string
  /** Of networks whose ids are hexadecimal, with and without the sign of it. */
  plain: string
  marked: string
  limit: number
}

export const ordersByTransaction = statement<Transaction>()('search.ordersByTransaction', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(orderColumns)
    .where('id', 'in', (from) =>
      from
        .selectFrom('deposits')
        .select('deposits.order_id')
        .where('transaction_id', 'in', [arg('written'), arg('plain'), arg('marked')])
        .where('deposits.order_id', 'is not', null)
        .$castTo<{ order_id: string }>(),
    )
    .limit(arg('limit')),
)

export const exceptionsByTransaction = statement<Transaction>()(
  'search.exceptionsByTransaction',
  ({ db }, arg) =>
    db
      .selectFrom('exceptions')
      .select(exceptionColumns)
      .where('transaction_id', 'in', [arg('written'), arg('plain'), arg('marked')])
      .limit(arg('limit')),
)

/** Of what went out of a treasury. */
export const exceptionsByOutflow = statement<Transaction>()('search.exceptionsByOutflow', ({ db }, arg) =>
  db
    .selectFrom('exceptions')
    .select(exceptionColumns)
    .where('id', 'in', (from) =>
      from
        .selectFrom('treasury_outflows')
        .select('treasury_outflows.exception_id')
        .where('transaction_id', 'in', [arg('written'), arg('plain'), arg('marked')])
        .where('treasury_outflows.exception_id', 'is not', null)
        .$castTo<{ exception_id: string }>(),
    )
    .limit(arg('limit')),
)
