/** Reserving the price of one waiting order, where its merchant's balance holds it (protocol 3.1). */
import { accountId, type Decision, row, type Store } from '../../persistence/store.ts'
import { type AdvanceContext, advance, updateOrder } from './advance.ts'
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
  const available = { kind: 'available', ownerId: waiting.merchantId, currency: waiting.currency } as const
  const result = await store.step({
    rows: {
      order: row('orders', { id: waiting.orderId }),
      account: row('accounts', { id: accountId(available) }),
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
