/** Reserving the price of an order, where its merchant's balance holds it (protocol 3.1). */
import type { Instant } from '../../machines/time.ts'
import { freeBalance } from '../../persistence/queries/orders.ts'
import { accountId, type Decision, row, type Store, type Write } from '../../persistence/store.ts'
import { type AdvanceContext, advance, updateOrder } from './advance.ts'
import type { Creation } from './creation.ts'
import { costOf } from './fees.ts'

export interface WaitingOrder {
  orderId: string
  merchantId: string
  currency: string
}

/** A local order tells nobody that it is READY. */
const nothingBeside = { consumer: null, foreign: null }

export async function reserve(
  store: Store,
  context: AdvanceContext,
  waiting: WaitingOrder,
): Promise<'funded' | 'not_funded'> {
  const result = await store.step({
    rows: {
      order: row('orders', { id: waiting.orderId }),
      account: row('accounts', { id: availableOf(waiting) }),
    },
    decide: ({ order, account }, at): Decision<'funded' | 'not_funded'> => {
      const balance = account?.balance_minor ?? 0n
      if (order === null || order.status !== 'CREATED' || balance < costOf(order)) {
        return { answer: 'not_funded', writes: [] }
      }
      // Past its expiry the chart refuses; the sweep will expire it, and that is no one's mistake to journal.
      const next = advance(context, order, nothingBeside, { type: 'funds.reserve', at }, { kind: 'funding' })
      if (next.refusal !== null) return { answer: 'not_funded', writes: [] }
      return {
        answer: 'funded',
        writes: [...next.writes, updateOrder(order, next.order)],
        wake: next.wake,
      }
    },
  })
  return result.outcome === 'committed' ? result.answer : 'not_funded'
}

/** What of a merchant's balance is for a new order: all of it, unless one that waits already fits into it. */
export async function freeBalanceOf(
  store: Pick<Store, 'query'>,
  owner: Pick<WaitingOrder, 'merchantId' | 'currency'>,
): Promise<bigint> {
  const [free] = await store.query(freeBalance, { ...owner, account: availableOf(owner) })
  return free?.balance_minor ?? 0n
}

/**
 * Reserves the price of an order in the step that makes it, so that it never waits.
 * @param freeMinor as it was looked at before the step; the database refuses to reserve what has gone since
 */
export function reserveAtOnce(
  context: AdvanceContext,
  creation: Creation,
  freeMinor: bigint,
  at: Instant,
): Pick<Creation, 'order' | 'writes' | 'wake'> {
  const { order } = creation
  if (freeMinor < costOf(order)) return creation
  const next = advance(context, order, nothingBeside, { type: 'funds.reserve', at }, { kind: 'funding' })
  if (next.refusal !== null) return creation
  const writes = [...creation.writes, ...next.writes].filter((write) => !isOfWaiting(write))
  return { order: next.order, writes, wake: next.wake }
}

/** That an order waits for funds, and that it does no longer. */
function isOfWaiting(write: Write): boolean {
  const table = 'insert' in write ? write.insert : 'delete' in write ? write.delete : null
  return table === 'funding_requests'
}

function availableOf({ merchantId, currency }: Pick<WaitingOrder, 'merchantId' | 'currency'>): string {
  return accountId({ kind: 'available', ownerId: merchantId, currency })
}
