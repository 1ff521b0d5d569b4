/**
 * Payments that the anchors know and the database does not: they were ordered in a database that an older one is in the place of now, and
 * the bank may have paid them. Each is an exception, and nothing is ordered for its party until somebody has said what became of it.
 */
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { row, type Store } from '../../persistence/store.ts'
import { exceptionId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { type OrderedAmount, parseAnchor } from './anchor.ts'

/** Of a payment that a restore has lost. */
export function paymentLostId(paymentId: string): string {
  return exceptionId('payment_lost', paymentId)
}

/** Done twice it changes nothing, nor does it where somebody has said already what became of one. */
export async function recordLostPayments(
  store: Store,
  lines: AsyncIterable<string>,
  at: Instant,
): Promise<void> {
  for await (const line of lines) {
    for (const payment of parseAnchor(line)?.payments ?? []) await recordLost(store, payment, at)
  }
}

async function recordLost(store: Store, ordered: OrderedAmount, at: Instant): Promise<void> {
  const [id, partyId, currency, amount, bank, runId] = ordered
  const exception = paymentLostId(id)
  const result = await store.step({
    rows: {
      party: row('parties', { id: partyId }),
      payment: row('payments', { id }),
      lost: row('lost_payments', { id }),
    },
    decide: ({ party, payment, lost }) => {
      if (payment !== null || lost !== null) return { answer: null, writes: [] }
      const name = party?.name ?? `a party that the database does not know (${partyId})`
      const shown = formatPrice(BigInt(amount), currency)
      const values = {
        id,
        party_id: partyId,
        currency,
        amount_minor: BigInt(amount),
        bank,
        run_id: runId,
        exception_id: exception,
        recorded_at: at,
      }
      const opened = newException({
        id: exception,
        kind: 'payment_lost',
        order_id: null,
        reason:
          `${shown} ${currency} to ${name} were ordered from the bank account ${bank} after the backup that was restored ` +
          `(payment ${id}): the bank may have paid them.`,
        evidence: { payment: id, party: name, amount: shown, currency, bank, run: runId },
        opened_at: at,
        amount: shown,
        asset: currency,
      })
      return {
        answer: null,
        writes: [
          { insert: 'exceptions', values: opened },
          { insert: 'lost_payments', values },
        ],
        wake: ['exceptions'],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`Lost payments violated ${result.constraint}.`)
}
