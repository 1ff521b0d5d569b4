/** What operators look at: pages of orders, webhooks and exceptions, and all that belongs to one order. */
import { expressionBuilder, sql } from 'kysely'
import type { Direction } from '../../machines/order.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import type { ExceptionTable, Tables } from '../schema.ts'
import type { WebhookState } from '../schema-webhooks.ts'
import { statement } from '../statement.ts'

/** Where a page ended: the next one begins with what is older. */
export interface PageEnd {
  at: Instant
  id: string
}

export interface PageRequest {
  after: PageEnd | null
  limit: number
  /** Instead of the newest. */
  oldestFirst?: boolean
}

export interface OrderFilter {
  status?: OrderStatus | undefined
  merchantId?: string | undefined
  direction?: Direction | undefined
  merchantOrderId?: string | undefined
  /** Who holds the order, or held it when it ended. */
  providerId?: string | undefined
  /** Made then or later. */
  from?: Instant | undefined
  /** Made before. */
  to?: Instant | undefined
}

/**
 * Orders with their merchant's name, the newest first. The indexes need some filters together, except with
 * `merchantOrderId`, which goes with any: `direction` with `merchantId`, but `status` and no direction with
 * `providerId`.
 */
export function ordersPage(filter: OrderFilter, { after, limit, oldestFirst = false }: PageRequest) {
  const { status, merchantId, direction, merchantOrderId, providerId } = filter
  // One upper end alone: given two, SQLite may begin to read at the later one. After the page before begins with it.
  const isAfter = after !== null && !isBeyond(filter, after, oldestFirst)
  const from = isAfter && oldestFirst ? undefined : filter.from
  const to = isAfter && !oldestFirst ? undefined : filter.to
  // By the merchant's own id there are few: no other index may be taken, or it would be read to its end.
  const isNamed = merchantOrderId !== undefined
  return statement<Record<never, never>>()('order.page', ({ db }) => {
    const { ref, fn } = expressionBuilder<Tables, 'orders'>()
    const text = (name: TextColumn) => (isNamed ? fn.coalesce(ref(name), sql.lit('')) : ref(name))
    const made = isNamed ? fn.coalesce(ref('orders.created_at'), sql.lit(0)) : ref('orders.created_at')
    let query = db
      .selectFrom('orders')
      .innerJoin('parties', 'parties.id', 'orders.merchant_id')
      .selectAll('orders')
      .select('parties.name as merchant_name')
    if (merchantOrderId !== undefined) {
      // Only together with their merchant are these ids in an index.
      const merchants = db.selectFrom('parties').select('id').where('kind', '=', 'merchant')
      query = query.where('orders.merchant_order_id', '=', merchantOrderId)
      if (merchantId === undefined) query = query.where('orders.merchant_id', 'in', merchants)
    }
    if (providerId !== undefined && !isNamed) {
      // Literally, as the partial indexes have it: of the locked ones, and of those that ended.
      query =
        status === 'PAYMENT_STARTED'
          ? query.where('orders.status', '=', sql.lit('PAYMENT_STARTED' as const))
          : query.where('orders.due_at', 'is', null)
    }
    if (status !== undefined) query = query.where(text('orders.status'), '=', status)
    if (merchantId !== undefined) query = query.where('orders.merchant_id', '=', merchantId)
    if (direction !== undefined) query = query.where(text('orders.direction'), '=', direction)
    if (providerId !== undefined) query = query.where(text('orders.lock_provider_id'), '=', providerId)
    if (from !== undefined) query = query.where(made, '>=', from)
    if (to !== undefined) query = query.where(made, '<', to)
    if (isAfter) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('orders.created_at', 'orders.id'), oldestFirst ? '>' : '<', tuple(after.at, after.id)),
      )
    }
    const way = wayOf(oldestFirst)
    return query.orderBy('orders.created_at', way).orderBy('orders.id', way).limit(limit)
  })
}

/** The end that is asked for comes before the page that was read. */
function isBeyond({ from, to }: OrderFilter, after: PageEnd, oldestFirst: boolean): boolean {
  return oldestFirst ? from !== undefined && from > after.at : to !== undefined && to <= after.at
}

const wayOf = (oldestFirst: boolean | undefined) => (oldestFirst ? 'asc' : 'desc')

type TextColumn = 'orders.status' | 'orders.direction' | 'orders.lock_provider_id'

export interface WebhookFilter {
  state?: WebhookState | undefined
  orderId?: string | undefined
  merchantId?: string | undefined
}

/**
 * Webhooks without their bodies, the newest first. Give a state, an order or a merchant: each has its index. Of a
 * merchant's delivered ones it is the merchant's, for nearly all are delivered; any other state is rarer than that.
 */
export function webhooksPage(
  { state, orderId, merchantId }: WebhookFilter,
  { after, limit, oldestFirst }: PageRequest,
) {
  return statement<Record<never, never>>()('webhook.page', ({ db }) => {
    let query = db
      .selectFrom('webhooks')
      .select([
        ...(['id', 'order_id', 'merchant_id', 'url', 'sequence', 'order_status', 'state'] as const),
        ...(['attempts', 'last_answer', 'created_at', 'due_at', 'settled_at'] as const),
      ])
    if (state === 'delivered' && merchantId !== undefined)
      query = query.where(({ fn }) => fn.coalesce('state', sql.lit('')), '=', state)
    else if (state !== undefined) query = query.where('state', '=', state)
    if (orderId !== undefined) query = query.where('order_id', '=', orderId)
    if (merchantId !== undefined) query = query.where('merchant_id', '=', merchantId)
    if (after !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), oldestFirst ? '>' : '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('created_at', wayOf(oldestFirst)).orderBy('id', wayOf(oldestFirst)).limit(limit)
  })
}

export interface ExceptionFilter {
  state?: ExceptionTable['state'] | undefined
  orderId?: string | undefined
}

/** Exceptions, the newest first. Give one of the filters: each has its index. */
export function exceptionsPage(filter: ExceptionFilter, { after, limit, oldestFirst }: PageRequest) {
  return statement<Record<never, never>>()('exception.page', ({ db }) => {
    let query = db.selectFrom('exceptions').selectAll()
    if (filter.state !== undefined) query = query.where('state', '=', filter.state)
    if (filter.orderId !== undefined) query = query.where('order_id', '=', filter.orderId)
    if (after !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('opened_at', 'id'), oldestFirst ? '>' : '<', tuple(after.at, after.id)),
      )
    }
    return query.orderBy('opened_at', wayOf(oldestFirst)).orderBy('id', wayOf(oldestFirst)).limit(limit)
  })
}

export const exceptionById = statement<{ id: string }>()('exception.byId', ({ db }, arg) =>
  db.selectFrom('exceptions').selectAll().where('id', '=', arg('id')),
)

export const webhookById = statement<{ id: string }>()('webhook.byId', ({ db }, arg) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', arg('id')),
)

export const attemptsOfWebhook = statement<{ id: string }>()('webhook.attempts', ({ db }, arg) =>
  db.selectFrom('webhook_attempts').selectAll().where('webhook_id', '=', arg('id')).orderBy('attempt'),
)

export const journalOfOrder = statement<{ orderId: string }>()('journal.ofOrder', ({ db }, arg) =>
  db.selectFrom('journal').selectAll().where('order_id', '=', arg('orderId')).orderBy('sequence'),
)

/** Postings of an order, each with its two accounts and whose they are. */
export const postingsOfOrder = statement<{ orderId: string }>()('posting.ofOrder', ({ db }, arg) =>
  db
    .selectFrom('postings')
    .innerJoin('accounts as debit', 'debit.id', 'postings.debit_account')
    .innerJoin('accounts as credit', 'credit.id', 'postings.credit_account')
    .leftJoin('parties as debited', 'debited.id', 'debit.owner_id')
    .leftJoin('parties as credited', 'credited.id', 'credit.owner_id')
    .select([
      'postings.kind',
      'postings.amount_minor',
      'postings.currency',
      'postings.posted_at',
      'debit.kind as debit_kind',
      'debited.name as debit_name',
      'credit.kind as credit_kind',
      'credited.name as credit_name',
    ])
    .where('postings.order_id', '=', arg('orderId'))
    .orderBy('postings.id'),
)

export const partiesByName = statement<{ name: string }>()('party.named', ({ db }, arg) =>
  db
    .selectFrom('parties')
    .selectAll()
    .where('kind', 'in', ['merchant', 'provider'])
    .where('name', '=', arg('name'))
    .orderBy('kind'),
)

export const balancesOfKind = statement<{ kind: 'merchant' | 'provider' }>()(
  'account.ofKind',
  ({ db }, arg) =>
    db
      .selectFrom('accounts')
      .innerJoin('parties', 'parties.id', 'accounts.owner_id')
      .select(['accounts.kind', 'accounts.owner_id', 'accounts.currency', 'accounts.balance_minor'])
      .where('parties.kind', '=', arg('kind'))
      .orderBy('accounts.currency'),
)

/** How much a merchant's orders wait for, by currency. */
export const waitingOfMerchant = statement<{ merchantId: string }>()('funding.waiting', ({ db }, arg) =>
  db
    .selectFrom('funding_requests')
    .select(({ fn }) => ['currency', fn.sum<bigint>('price_minor').as('waiting_minor')])
    .where('merchant_id', '=', arg('merchantId'))
    .groupBy('currency'),
)

/** Orders that a provider holds, the longest held first. */
export const ordersHeldBy = statement<{ providerId: string; limit: number }>()(
  'order.heldBy',
  ({ db }, arg) =>
    db
      .selectFrom('orders')
      .select(['id', 'locked_at'])
      .where('lock_provider_id', '=', arg('providerId'))
      // Literally, as its partial index has it.
      .where('status', '=', sql.lit('PAYMENT_STARTED' as const))
      .orderBy('locked_at')
      .limit(arg('limit')),
)

/** Orders of a merchant's key with one status, from the oldest on. Its index is by merchant. */
export const ordersOfCredential = statement<{
  merchantId: string
  direction: Direction
  status: OrderStatus
  credentialKey: string
  /** Inclusive. */
  from: Instant
  afterAt: Instant
  afterId: string
  limit: number
}>()('order.ofCredential', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(['id', 'merchant_id', 'machine', 'currency', 'direction', 'refund_of', 'created_at'])
    .where('merchant_id', '=', arg('merchantId'))
    .where('direction', '=', arg('direction'))
    .where('status', '=', arg('status'))
    .where('created_at', '>=', arg('from'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '>', tuple(arg('afterAt'), arg('afterId'))),
    )
    .where('credential_key', '=', arg('credentialKey'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(arg('limit')),
)

export interface AuditFilter {
  operator?: string | undefined
  operation?: string | undefined
  /** Done then or later. */
  from?: Instant | undefined
  /** Done before. */
  to?: Instant | undefined
}

/** Entries of the audit log, those written last first; only those with an id below `before`. */
export function auditPage(
  { operator, operation }: Pick<AuditFilter, 'operator' | 'operation'>,
  { before, limit }: { before?: number | undefined; limit: number },
) {
  return statement<Record<never, never>>()('audit.page', ({ db }) => {
    let query = db.selectFrom('audit').selectAll()
    if (operator !== undefined) query = query.where('operator', '=', operator)
    if (operation !== undefined) query = query.where('operation', '=', operation)
    if (before !== undefined) query = query.where('id', '<', before)
    return query.orderBy('id', 'desc').limit(limit)
  })
}

/** Entries of some days, the newest first: by their times, which indexes have, and not as they were written. */
export function auditOfDays({ operator, operation, from, to }: AuditFilter, { after, limit }: PageRequest) {
  // One upper end alone: given two, SQLite may begin to read at the later one.
  const isAfter = after !== null && (to === undefined || after.at < to)
  const end = isAfter ? { at: after.at, id: Number(after.id) } : to === undefined ? null : { at: to, id: 0 }
  return statement<Record<never, never>>()('audit.ofDays', ({ db }) => {
    let query = db.selectFrom('audit').selectAll()
    if (operator !== undefined) query = query.where('operator', '=', operator)
    if (operation !== undefined) query = query.where('operation', '=', operation)
    if (from !== undefined) query = query.where('done_at', '>=', from)
    if (end !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('done_at', 'id'), '<', tuple(end.at, end.id)),
      )
    }
    return query.orderBy('done_at', 'desc').orderBy('id', 'desc').limit(limit)
  })
}

export const beginAudit = statement<{
  at: Instant
  operator: string
  operation: string
  inputJson: string
  outcome: string
}>()('audit.begin', ({ db }, arg) =>
  db
    .insertInto('audit')
    .values({
      done_at: arg('at'),
      operator: arg('operator'),
      operation: arg('operation'),
      input_json: arg('inputJson'),
      outcome: arg('outcome'),
    })
    .returning('id'),
)

export const settleAudit = statement<{ id: number; outcome: string }>()('audit.settle', ({ db }, arg) =>
  db
    .updateTable('audit')
    .set({ outcome: arg('outcome') })
    .where('id', '=', arg('id'))
    .returning('id'),
)

export const openExceptionCount = statement<Record<never, never>>()('exception.openCount', ({ db }) =>
  db
    .selectFrom('exceptions')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('state', '=', 'open'),
)

/** What is delivered is not counted: there is much of it, and nothing to do about it. */
export const webhookCounts = statement<Record<never, never>>()('webhook.counts', ({ db }) =>
  db
    .selectFrom('webhooks')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', 'in', ['pending', 'dead'])
    .groupBy('state'),
)
