/**
 * What a provider has paid before it was asked for, or beyond what it owed, settles what its later statements ask for: the oldest first
 * (protocol 15.8).
 */
import { paymentsWithRest } from '../../persistence/queries/payments.ts'
import { openStatementsOf } from '../../persistence/queries/statements.ts'
import { row, rows, type Store } from '../../persistence/store.ts'
import { type Allocation, allocate, allocationWrites, type Statement } from './dues.ts'

const paymentsLookedAt = 100
const statementsPerStep = 100

interface Book {
  partyId: string
  currency: string
}

export async function settleFromRests(store: Store, book: Book): Promise<void> {
  const payments = await store.query(paymentsWithRest, { ...book, limit: paymentsLookedAt })
  for (const payment of payments) {
    const open = await store.query(openStatementsOf, { ...book, limit: statementsPerStep })
    if (partsOf(payment, open).length === 0) return
    await settleFrom(store, payment.id, open)
  }
}

async function settleFrom(store: Store, paymentId: string, open: readonly Statement[]): Promise<void> {
  const keys = open.map(({ party_id, currency, number }) => ({ party_id, currency, number }))
  const key = { id: paymentId }
  const result = await store.step({
    rows: { payment: row('payments', key), statements: rows('statements', keys) },
    decide: (held, at) => {
      if (held.payment === null) throw new Error(`Payment ${paymentId} is gone.`)
      const statements = held.statements.filter((one) => one !== null)
      const parts = partsOf(held.payment, statements)
      if (parts.length === 0) return { answer: null, writes: [] }
      const rest_minor = parts.reduce((rest, { amountMinor }) => rest + amountMinor, held.payment.rest_minor)
      return {
        answer: null,
        writes: [
          { update: 'payments', key, set: { rest_minor } },
          ...allocationWrites(statements, parts, { paymentId, occasion: `rest ${at}`, at }),
        ],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A payment's rest violated ${result.constraint}.`)
}

/** What the provider owes is below zero, as is what settles it. */
function partsOf({ rest_minor }: { rest_minor: bigint }, statements: readonly Statement[]): Allocation[] {
  return allocate(statements, -rest_minor)
}
