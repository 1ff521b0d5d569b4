/** A claim by its number, and what is said to whoever was not the first. */
import { formatInstant } from '../../machines/time.ts'
import { claimByNumber } from '../../persistence/queries/claims.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'

/** @throws OperationError when there is none. */
export async function findClaim(store: Pick<Store, 'query'>, number: number): Promise<Row<'claims'>> {
  const [claim] = await store.query(claimByNumber, { number })
  if (claim !== undefined) return claim
  throw new OperationError('not_found', `There is no claim ${number}.`, {
    hint: 'claim list shows their numbers.',
  })
}

/** Of one that has ended. */
export function endedBefore({ number, state, ended_by, ended_at }: Row<'claims'>): OperationError {
  return new OperationError(
    'conflict',
    `Claim ${number} was ${state} already, by ${ended_by} at ${formatInstant(ended_at ?? 0)}.`,
    { hint: `Look at it: claim show ${number}` },
  )
}

export function changed({ number, revision }: Row<'claims'>): OperationError {
  return new OperationError(
    'conflict',
    `Claim ${number} has changed since you looked (revision ${revision} now).`,
    { hint: `Look at it again: claim show ${number}` },
  )
}
