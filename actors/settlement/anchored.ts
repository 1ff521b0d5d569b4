/** A payment goes to no bank before its ordering is outside the database: a restore would order it again (protocol 15.8). */
import { lostPaymentsOf } from '../../persistence/queries/payments.ts'
import { type Row, rows, type Store } from '../../persistence/store.ts'
import { paymentLostId } from '../anchors/lost-payments.ts'
import { type OperationContext, OperationError } from '../foundation/operation.ts'

/** Of operations that order payments, or give them out. */
export interface PaymentContext extends OperationContext {
  /** Writes what was ordered to the anchors. @throws where they cannot be written */
  anchorNow(): Promise<void>
}

/** @throws OperationError where the anchors cannot be written: it is ordered, and nobody may pay it yet. */
export async function anchorOrdered({ anchorNow }: Pick<PaymentContext, 'anchorNow'>): Promise<void> {
  try {
    await anchorNow()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperationError(
      'refused',
      `The ordering is done and could not be written to the anchors: ${why}. Nothing is paid before it is there.`,
      {
        hint: 'doctor says what is wrong with their file. payment list shows what is ordered; do not order it again.',
      },
    )
  }
}

/** @throws OperationError as long as its ordering is in the database alone. */
export function assertAnchored({ id, anchored_at }: Pick<Row<'payments'>, 'id' | 'anchored_at'>): void {
  if (anchored_at !== null) return
  throw new OperationError(
    'refused',
    `The ordering of payment ${id} is not in the anchors yet: no bank may have it before.`,
    {
      hint: 'The node writes them within a minute. Where it does not, doctor says why.',
    },
  )
}

/** What a restore has lost of a party's payments, and what of that a step has to hold. */
export async function readLost(store: Store, partyId: string, currency: string) {
  const lost = await store.query(lostPaymentsOf, { partyId, currency })
  return {
    lost,
    exceptions: rows(
      'exceptions',
      lost.map(({ exception_id: id }) => ({ id })),
    ),
  }
}

type Lost = Row<'lost_payments'>

/**
 * @param named the payment that is ordered as what was lost
 * @returns it; null where there is none to name
 * @throws OperationError where anything is lost that is not named, or another thing is named
 */
export function lostToOrder(
  lost: readonly Lost[],
  exceptions: readonly (Row<'exceptions'> | null)[],
  { named, party }: { named: string | undefined; party: string },
): { payment: Lost; exception: Row<'exceptions'> } | null {
  const open = new Map(exceptions.flatMap((one) => (one?.state === 'open' ? [[one.id, one] as const] : [])))
  const waiting = lost.filter((one) => open.has(one.exception_id))
  if (named === undefined) {
    const [first] = waiting
    if (first === undefined) return null
    throw new OperationError(
      'refused',
      `A payment to ${party} that a restore has lost (${first.id}) may have been paid: nothing is ordered before that is said.`,
      {
        hint:
          `Did the bank pay it? Then: payment order "${party}" --lost ${first.id}, and payment book. ` +
          `If not: exception resolve ${first.exception_id} --as dismiss`,
      },
    )
  }
  const payment = waiting.find(({ id }) => id === named.toLowerCase())
  const exception = payment && open.get(payment.exception_id)
  if (payment !== undefined && exception !== undefined) return { payment, exception }
  throw new OperationError('not_found', `No payment ${named} to ${party} is lost.`, {
    hint: `exception list shows those that are; the exception of this one would be ${paymentLostId(named.toLowerCase())}.`,
  })
}
