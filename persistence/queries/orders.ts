/** Reads of orders and of what decides about them. */
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Direction } from '../../machines/order.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import type { OrderTable, Tables } from '../schema.ts'
import { type Statement, statement } from '../statement.ts'

export const orderById = statement<{ id: string }>()('order.byId', ({ db }, arg) =>
  db.selectFrom('orders').selectAll().where('id', '=', arg('id')),
)

export const directionOfOrder = statement<{ id: string }>()('order.direction', ({ db }, arg) =>
  db.selectFrom('orders').select('direction').where('id', '=', arg('id')),
)

export const orderByCode = statement<{ code: string }>()('order.byCode', ({ db }, arg) =>
  db.selectFrom('orders').selectAll().where('code', '=', arg('code')),
)

export const consumerOfOrder = statement<{ orderId: string }>()('order.consumer', ({ db }, arg) =>
  db.selectFrom('consumers').selectAll().where('order_id', '=', arg('orderId')),
)

/** A page of consumers whose data are there, by order. */
export const consumersAfter = statement<{ after: string; limit: number }>()(
  'order.consumersAfter',
  ({ db }, arg) =>
    db
      .selectFrom('consumers')
      .selectAll()
      .where('order_id', '>', arg('after'))
      .orderBy('order_id')
      .limit(arg('limit')),
)

/** Consumers whose e-mail is there and whose digest is not: they are from before there were digests. */
export const consumersWithoutDigest = statement<{ limit: number }>()(
  'order.consumersWithoutDigest',
  ({ db }, arg) =>
    db
      .selectFrom('consumers')
      .select('order_id')
      .where('email_digest', 'is', null)
      // Literally, as the partial index has it.
      .where('email', '<>', sql.lit(''))
      .orderBy('order_id')
      .limit(arg('limit')),
)

/** The same of their telephone numbers. */
export const consumersWithoutPhoneDigest = statement<{ limit: number }>()(
  'order.consumersWithoutPhoneDigest',
  ({ db }, arg) =>
    db
      .selectFrom('consumers')
      .select('order_id')
      .where('phone_digest', 'is', null)
      .where('phone_number', '<>', sql.lit(''))
      .orderBy('order_id')
      .limit(arg('limit')),
)

/** The answers to the creation of an order that are kept under an Idempotency-Key: they are as old as it is. */
export const creationAnswersOf = statement<{ orderId: string; createdAt: Instant }>()(
  'order.creationAnswers',
  ({ db }, arg) =>
    db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('created_at', '=', arg('createdAt'))
      .where('order_id', '=', arg('orderId')),
)

/**
 * Orders that fall due by `now`, the longest overdue first. Without those that wait until their chain was read past
 * their expiry: there may be many of them, and nothing is to be done about them yet.
 */
export const dueOrders = statement<{ now: Instant; outageBefore: Instant; limit: number }>()(
  'order.due',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .select('orders.id')
      .where('orders.due_at', '<=', arg('now'))
      .where('orders.quarantined_at', 'is', null)
      .where((expression) => mayEnd(expression, arg('outageBefore')))
      .orderBy('orders.due_at')
      .limit(arg('limit')),
)

/** Open orders after a place, in the order in which they fall due, but those that are quarantined since a restoration. */
export const openOrdersAfter = statement<{ afterDue: Instant; afterId: string; limit: number }>()(
  'order.openAfter',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .selectAll()
      .where('quarantined_at', 'is', null)
      .where('due_at', '>=', arg('afterDue'))
      .where((eb) => eb.or([eb('due_at', '>', arg('afterDue')), eb('id', '>', arg('afterId'))]))
      .orderBy('due_at')
      .orderBy('id')
      .limit(arg('limit')),
)

/** The rule of `judgeEnding` (actors/orders/chain-expiry.ts), for many orders at once. */
function mayEnd(eb: ExpressionBuilder<Tables, 'orders'>, outageBefore: Instant) {
  return eb.or([
    eb('orders.machine', '<>', 'payOutForeign'),
    eb('orders.status', '<>', 'CREATED'),
    eb.not(
      eb.exists(
        eb
          .selectFrom('foreign_orders')
          .leftJoin('chain_cursors', 'chain_cursors.blockchain', 'foreign_orders.blockchain')
          .select('foreign_orders.order_id')
          .whereRef('foreign_orders.order_id', '=', 'orders.id')
          .where(({ eb, ref, fn }) =>
            eb.and([
              eb(fn.coalesce('chain_cursors.scanned_to_at', eb.val(0)), '<=', ref('orders.expiry_at')),
              eb(fn.coalesce('chain_cursors.read_at', ref('orders.created_at')), '>=', outageBefore),
            ]),
          ),
      ),
    ),
  ])
}

/** Available balances that at least one waiting order of theirs fits into. */
export const fundableAccounts = statement<Record<never, never>>()('funding.accounts', ({ db }) =>
  db
    .selectFrom('accounts')
    .select(['id', 'owner_id', 'currency', 'balance_minor'])
    .where('kind', '=', 'available')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('funding_requests')
          .select('order_id')
          .whereRef('funding_requests.merchant_id', '=', 'accounts.owner_id')
          .whereRef('funding_requests.currency', '=', 'accounts.currency')
          .whereRef('funding_requests.price_minor', '<=', 'accounts.balance_minor'),
      ),
    ),
)

/** An available balance that no waiting order of its owner fits into; none where one does. */
export const freeBalance = statement<{ account: string; merchantId: string; currency: string }>()(
  'funding.freeBalance',
  ({ db }, arg) =>
    db
      .selectFrom('accounts')
      .select('balance_minor')
      .where('id', '=', arg('account'))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('funding_requests')
              .select('order_id')
              .where('merchant_id', '=', arg('merchantId'))
              .where('currency', '=', arg('currency'))
              .whereRef('funding_requests.price_minor', '<=', 'accounts.balance_minor'),
          ),
        ),
      ),
)

/** Waiting orders of a merchant that fit, the oldest first. */
export const fundableOrders = statement<{
  merchantId: string
  currency: string
  balanceMinor: bigint
  limit: number
}>()('funding.orders', ({ db }, arg) =>
  db
    .selectFrom('funding_requests')
    .select('order_id')
    .where('merchant_id', '=', arg('merchantId'))
    .where('currency', '=', arg('currency'))
    .where('price_minor', '<=', arg('balanceMinor'))
    .orderBy('position')
    .limit(arg('limit')),
)

export const idempotencyKey = statement<{ partyId: string; key: string }>()('idempotencyKey', ({ db }, arg) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('party_id', '=', arg('partyId'))
    .where('key', '=', arg('key')),
)

/** An order with its consumer's fields, which may have been erased. */
export type ListedOrder = Selectable<OrderTable> & { email: string | null; phone_number: string | null }

/** Which of the optional filters a list has. Its arguments are always given; those of other filters are not read. */
export interface MerchantListShape {
  status: boolean
  merchantOrderId: boolean
}

interface MerchantListArguments {
  merchantId: string
  direction: Direction
  status: OrderStatus
  merchantOrderId: string
  /** Inclusive. */
  from: Instant
  /** Exclusive. */
  to: Instant
  /** Only what was created before this one, or at the same time with a smaller id. */
  afterAt: Instant
  afterId: string
  limit: number
}

const merchantLists = new Map<string, Statement<MerchantListArguments, ListedOrder>>()

/** A page of a merchant's orders, the newest first. One statement for each shape, so that each is compiled once. */
export function merchantOrders(shape: MerchantListShape): Statement<MerchantListArguments, ListedOrder> {
  const name = `order.ofMerchant${shape.status ? '.status' : ''}${shape.merchantOrderId ? '.merchantOrderId' : ''}`
  let known = merchantLists.get(name)
  if (known === undefined) {
    known = buildMerchantList(name, shape)
    merchantLists.set(name, known)
  }
  return known
}

function buildMerchantList(name: string, shape: MerchantListShape) {
  return statement<MerchantListArguments>()(name, ({ db }, arg) => {
    let query = db
      .selectFrom('orders')
      .leftJoin('consumers', 'consumers.order_id', 'orders.id')
      .selectAll('orders')
      .select(['consumers.email', 'consumers.phone_number'])
      .where('orders.merchant_id', '=', arg('merchantId'))
      .where('orders.direction', '=', arg('direction'))
    if (shape.status) query = query.where('orders.status', '=', arg('status'))
    if (shape.merchantOrderId) query = query.where('orders.merchant_order_id', '=', arg('merchantOrderId'))
    return query
      .where('orders.created_at', '>=', arg('from'))
      .where('orders.created_at', '<', arg('to'))
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('orders.created_at', 'orders.id'), '<', tuple(arg('afterAt'), arg('afterId'))),
      )
      .orderBy('orders.created_at', 'desc')
      .orderBy('orders.id', 'desc')
      .limit(arg('limit'))
  })
}

/** The same of a merchant. */
export const dueOrdersOfMerchant = statement<{
  merchantId: string
  direction: Direction
  now: Instant
  outageBefore: Instant
  limit: number
}>()('order.dueOfMerchant', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select('orders.id')
    .where('orders.merchant_id', '=', arg('merchantId'))
    .where('orders.direction', '=', arg('direction'))
    .where('orders.due_at', '<=', arg('now'))
    .where('orders.quarantined_at', 'is', null)
    .where((expression) => mayEnd(expression, arg('outageBefore')))
    .orderBy('orders.due_at')
    .limit(arg('limit')),
)
