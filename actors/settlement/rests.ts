/**
 * What a provider has paid before it was asked for, or beyond what it owed, settles what its later statements ask for: the oldest first
 * (protocol 15.8).
 */
import { paymentsWithRest } from '../../persistence/queries/payments.ts'
import { openStatementsOf } from '../../persistence/queries/statements.ts'
import { type Row, rows, type Store, type Write } from '../../persistence/store.ts'
import { type Allocation, allocate, type Statement } from './dues.ts'

const paymentsPerStep = 100
const statementsPerStep = 100

type Payment = Pick<Row<'payments'>, 'id' | 'rest_minor'>

interface Book {
  partyId: string
  currency: string
}

/** Part of a payment that settles part of a statement. */
interface Settled extends Allocation {
  paymentId: string
}

export async function settleFromRests(store: Store, book: Book): Promise<void> {
  while ((await settleSome(store, book)) > 0);
}

/** @returns how many parts were settled. */
async function settleSome(store: Store, { partyId, currency }: Book): Promise<number> {
  const waiting = await store.query(paymentsWithRest, { partyId, currency, limit: paymentsPerStep })
  if (waiting.length === 0) return 0
  const open = await store.query(openStatementsOf, { partyId, currency, limit: statementsPerStep })
  if (partsOf(waiting, open).length === 0) return 0
  const result = await store.step({
    rows: {
      payments: rows(
        'payments',
        waiting.map(({ id }) => ({ id })),
      ),
      statements: rows(
        'statements',
        open.map(({ number }) => ({ party_id: partyId, currency, number })),
      ),
    },
    decide: ({ payments, statements }, at) => {
      const held = {
        payments: payments.filter((one) => one !== null),
        statements: statements.filter((one) => one !== null),
      }
      const parts = partsOf(held.payments, held.statements)
      const insertions = parts.map(
        ({ paymentId, number, amountMinor }): Write => ({
          insert: 'allocations',
          values: {
            id: `rest/${paymentId}/${number}/${at}`,
            party_id: partyId,
            currency,
            number,
            source: 'payment',
            source_id: paymentId,
            amount_minor: amountMinor,
            allocated_at: at,
          },
        }),
      )
      const sumOf = (which: (part: Settled) => boolean) =>
        parts.filter(which).reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
      const used = held.payments.flatMap(({ id, rest_minor }): Write[] => {
        const settled = sumOf(({ paymentId }) => paymentId === id)
        if (settled === 0n) return []
        return [{ update: 'payments', key: { id }, set: { rest_minor: rest_minor + settled } }]
      })
      const asked = held.statements.flatMap(({ number, allocated_minor }): Write[] => {
        const settled = sumOf((part) => part.number === number)
        if (settled === 0n) return []
        const key = { party_id: partyId, currency, number }
        return [{ update: 'statements', key, set: { allocated_minor: allocated_minor + settled } }]
      })
      return { answer: parts.length, writes: [...insertions, ...used, ...asked] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A payment's rest violated ${result.constraint}.`)
  return result.answer
}

/** Each payment's rest over what the provider owes, both in their order. */
function partsOf(payments: readonly Payment[], statements: readonly Statement[]): Settled[] {
  const left = [...statements]
  return payments.flatMap(({ id, rest_minor }) => {
    const parts = allocate(left, -rest_minor)
    for (const { number, amountMinor } of parts) {
      const index = left.findIndex((one) => one.number === number)
      const one = left[index]
      if (one !== undefined) left[index] = { ...one, allocated_minor: one.allocated_minor + amountMinor }
    }
    return parts.map((part) => ({ ...part, paymentId: id }))
  })
}
