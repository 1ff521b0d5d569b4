/**
 * Pages of a merchant's orders: the newest first, and a cursor that stays right while orders are being added.
 *
 * A page ends at a place in the order of creation, not at a number of rows, so that nothing is shown twice or
 * left out when others come in before it. What has fallen due is expired before it is shown.
 */
import { createHash } from 'node:crypto'
import type { Direction } from '../../machines/order.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import { foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import { dueOrdersOfMerchant, type ListedOrder, merchantOrders } from '../../persistence/queries/orders.ts'
import type { Store } from '../../persistence/store.ts'
import type { OrderWithConsumer } from './creation.ts'
import type { OrderRegistry } from './registry.ts'

export interface OrderListFilter {
  merchantId: string
  direction: Direction
  status: OrderStatus | null
  merchantOrderId: string | null
  /** Inclusive. */
  createdFrom: Instant | null
  /** Exclusive. */
  createdTo: Instant | null
}

export interface OrderPage {
  orders: OrderWithConsumer[]
  /** The cursor of the page after this one; `null` when there is none. */
  next: string | null
}

export interface OrderListing {
  /** At most `limit` orders. `null` when the cursor is not the `next` of an earlier page of the same list. */
  page(filter: OrderListFilter, limit: number, cursor: string | null): Promise<OrderPage | null>
}

export interface OrderListingOptions {
  store: Pick<Store, 'query'>
  orders: Pick<OrderRegistry, 'tryExpire' | 'outageBefore'>
  clock: { now(): Instant }
  /** False while the clock is in doubt: then nothing expires by itself. */
  mayExpire: () => boolean
}

/** Where a page ended: the next one begins with what is older. */
interface PageEnd {
  at: Instant
  id: string
}

/** Before every instant an order can have, and after them. */
const everBefore = -1
const everAfter = Number.MAX_SAFE_INTEGER

/** One list expires no more than this many orders; the sweep, a second later at most, does the others. */
const maxExpired = 200

export function createOrderListing({ store, orders, clock, mayExpire }: OrderListingOptions): OrderListing {
  async function expireDue({ merchantId, direction }: OrderListFilter): Promise<void> {
    if (!mayExpire()) return
    const due = await store.query(dueOrdersOfMerchant, {
      merchantId,
      direction,
      now: clock.now(),
      outageBefore: orders.outageBefore(clock.now()),
      limit: maxExpired,
    })
    await Promise.all(due.map(({ id }) => orders.tryExpire(id)))
  }

  return {
    async page(filter, limit, cursor) {
      const after = cursor === null ? { at: everAfter, id: '' } : readCursor(cursor, filter)
      if (after === null) return null
      await expireDue(filter)
      const { merchantId, direction, status, merchantOrderId, createdFrom, createdTo } = filter
      const found = await store.query(
        merchantOrders({ status: status !== null, merchantOrderId: merchantOrderId !== null }),
        {
          merchantId,
          direction,
          status: status ?? 'CREATED',
          merchantOrderId: merchantOrderId ?? '',
          from: createdFrom ?? everBefore,
          to: createdTo ?? everAfter,
          afterAt: after.at,
          afterId: after.id,
          // One more than asked for, to know whether there is a next page.
          limit: limit + 1,
        },
      )
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = found.length > limit && last !== undefined
      const next = hasMore ? writeCursor({ at: last.created_at, id: last.id }, filter) : null
      return { orders: await Promise.all(shown.map((order) => withCompanions(store, order))), next }
    },
  }
}

async function withCompanions(
  store: Pick<Store, 'query'>,
  { email, phone_number, ...order }: ListedOrder,
): Promise<OrderWithConsumer> {
  const isForeign = order.machine === 'payOutForeign'
  const [foreign] = isForeign ? await store.query(foreignOrderById, { orderId: order.id }) : []
  const consumer = { email: email ?? '', phone_number: phone_number ?? '' }
  return { order, consumer, foreign: foreign ?? null }
}

function writeCursor({ at, id }: PageEnd, filter: OrderListFilter): string {
  return Buffer.from(`${at} ${id} ${listName(filter)}`).toString('base64url')
}

function readCursor(cursor: string, filter: OrderListFilter): PageEnd | null {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const [, at, id, list] = /^(\d{1,15}) ([0-9a-f-]{36}) (\S+)$/.exec(text) ?? []
  if (at === undefined || id === undefined || list !== listName(filter)) return null
  return { at: Number(at), id }
}

/** Tells the lists apart: a cursor is of no use in another one. */
function listName(filter: OrderListFilter): string {
  const { merchantId, direction, status, merchantOrderId, createdFrom, createdTo } = filter
  const members = [merchantId, direction, status, merchantOrderId, createdFrom, createdTo]
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url').slice(0, 12)
}
