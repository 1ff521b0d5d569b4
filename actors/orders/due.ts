/** What falls due by itself: an order is looked at and spoken to as it is once that is applied. */
import type { OrderEvent } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import { type Row, row, type Store } from '../../persistence/store.ts'
import { type Advance, type AdvanceContext, advance, updateOrder } from './advance.ts'
import {
  type ChainExpiryOptions,
  type Ending,
  judgeEnding,
  outageBefore,
  waitsForChain,
} from './chain-expiry.ts'
import { refundableRow } from './refunds.ts'
import type { Companions } from './representation.ts'
import { UnreadableOrder } from './unreadable-order.ts'

export interface DueOptions extends AdvanceContext {
  store: Store
  clock: { now(): Instant }
  /** How long an order waits past its expiry for a chain that cannot be read. */
  maxOutageMs: number
  /** False while the clock is in doubt: then nothing expires by itself. */
  mayExpire: () => boolean
}

export interface Due {
  isDue(order: Row<'orders'>, at: Instant): boolean
  /** The order with its due expiry applied, and what that takes; `null` where its chain has to be asked first. */
  settled(order: Row<'orders'>, beside: Companions, at: Instant, ending: Ending | null): Advance | null
  /** What the order's chain says to its end. */
  askChain(order: Row<'orders'>): Promise<Ending>
  /** An order that is given back does not expire while nobody knows the time, nor while it is quarantined. */
  withDoubts(event: OrderEvent, order: Row<'orders'>): OrderEvent
  /** Applies the expiry of an order that is due; harmless on any other. @throws UnreadableOrder */
  expire(orderId: string): Promise<void>
  /** The same for whoever only looks: false for an order that cannot be read, which stays as it is. */
  tryExpire(orderId: string): Promise<boolean>
  /** What `dueOrders` asks for: a chain that was not read since then no longer holds back an expiry. */
  outageBefore(now: Instant): Instant
  readonly chainExpiry: ChainExpiryOptions
}

/** Who may have been paid since a backup is not expired: its stake could be given back for cash that was handed out. */
export function isDueWhile(mayExpire: () => boolean): Due['isDue'] {
  return (order, at) =>
    order.due_at !== null && order.due_at <= at && order.quarantined_at === null && mayExpire()
}

export function createDue(options: DueOptions): Due {
  const { store, clock, mayExpire } = options
  const chainExpiry = { maxOutageMs: options.maxOutageMs, startedAt: clock.now() }

  const due: Due = {
    isDue: isDueWhile(mayExpire),

    settled(order, beside, at, ending) {
      const unchanged = { refusal: null, order, writes: [], wake: [] }
      if (!due.isDue(order, at)) return unchanged
      if (waitsForChain(order)) {
        if (ending === null) return null
        if (ending === 'chain_behind') return unchanged
      }
      const outage = waitsForChain(order) && ending === 'chain_out' ? { isChainOut: true as const } : {}
      return advance(options, order, beside, { type: 'order.expire', at, ...outage }, { kind: 'clock' })
    },

    askChain: (order) => judgeEnding(store, order, chainExpiry, clock.now()),

    withDoubts: (event, { quarantined_at }) =>
      event.type === 'payment.cancel'
        ? {
            ...event,
            ...(mayExpire() ? {} : { isClockInDoubt: true as const }),
            ...(quarantined_at === null ? {} : { isQuarantined: true as const }),
          }
        : event,

    expire: (orderId) => expire(store, due, orderId),
    tryExpire: (orderId) => tryExpire(store, due, orderId),
    outageBefore: (now) => outageBefore(chainExpiry, now),
    chainExpiry,
  }
  return due
}

/** An order that cannot be read can be looked at all the same, as it was. */
async function tryExpire(store: Store, due: Due, orderId: string): Promise<boolean> {
  try {
    await expire(store, due, orderId)
    return true
  } catch (error) {
    if (error instanceof UnreadableOrder) return false
    throw error
  }
}

async function expire(store: Store, due: Due, orderId: string): Promise<void> {
  const [known] = await store.query(orderById, { id: orderId })
  const ending = known !== undefined && waitsForChain(known) ? await due.askChain(known) : null
  const result = await store.step({
    rows: {
      order: row('orders', { id: orderId }),
      consumer: row('consumers', { order_id: orderId }),
      foreign: row('foreign_orders', { order_id: orderId }),
      refundable: known && refundableRow(known),
    },
    decide: ({ order, ...beside }, at) => {
      const present = order && due.settled(order, beside, at, ending)
      if (order === null || present === null) return { answer: undefined, writes: [] }
      const changed = present.order === order ? [] : [updateOrder(order, present.order)]
      return { answer: undefined, writes: [...present.writes, ...changed], wake: present.wake }
    },
  })
  if (result.outcome === 'violated') {
    throw new Error(`The expiry of order ${orderId} violated ${result.constraint}.`)
  }
}
