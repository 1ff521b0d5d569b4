/** Lines of banks' statements: each is booked once, whatever it is about. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { bankByName } from '../../persistence/queries/payments.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import { stakeOf } from '../exceptions/stake.ts'
import { OperationError } from '../foundation/operation.ts'

export function bookedBefore(entry: Row<'bank_entries'>): OperationError {
  const { bank, direction, reference, kind, amount_minor, currency, booked_at } = entry
  const what = `${kind.replaceAll('_', ' ')} of ${formatPrice(amount_minor, currency)} ${currency}`
  return new OperationError(
    'conflict',
    `The line ${reference} (${direction}) of ${bank} was booked already: ${what} at ${formatInstant(booked_at)}.`,
    { hint: 'Each line of a bank’s statement has a reference of its own.' },
  )
}

/** @throws OperationError when there is none of that name. */
export async function findBank(store: Store, name: string): Promise<Row<'banks'>> {
  const [bank] = await store.query(bankByName, { name })
  if (bank !== undefined) return bank
  throw new OperationError('not_found', `There is no bank account ${name}.`, {
    hint: 'Bank accounts are set by apply: "banks".',
  })
}

/** What it holds. @throws OperationError where somebody has settled it. */
export function openStake(
  exception: Row<'exceptions'> | null,
  id: string,
): { currency: string; minor: bigint } {
  const stake = exception === null ? null : stakeOf(exception.evidence_json)
  if (exception?.state === 'open' && stake !== null) return stake
  // An order's exceptions are archived with it, perhaps since this one was looked up.
  const end = exception === null ? ', and is archived' : `: ${exception.resolution}`
  throw new OperationError('conflict', `The exception ${id} was resolved already${end}.`, {
    hint: `Look at it: exception show ${id}`,
  })
}

export function settledException(
  exception: Row<'exceptions'> | null,
  { operator, reason: why }: { operator: string; reason: string },
  resolution: string,
  at: number,
): Write {
  if (exception === null) throw new Error('There is no exception to settle.')
  return {
    update: 'exceptions',
    key: { id: exception.id },
    set: {
      state: 'resolved',
      resolved_at: at,
      resolution,
      resolved_by: operator,
      resolution_reason: why,
      revision: exception.revision + 1,
    },
  }
}
