/** Nobody is told of a claim, or of its end, before that is outside the database: a restore would give its number again (protocol 16.8). */
import { unanchoredClaims } from '../../persistence/queries/claims.ts'
import type { Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'

export interface Anchors {
  /** Writes what is not there yet to the anchors. @throws where they cannot be written */
  anchorNow(): Promise<void>
}

/** So many wait at most that are looked at; more are anchored whatever they are. */
const looked = 200

/** @throws OperationError where the anchors cannot be written: it is done, and nobody may be told yet. */
export async function anchorClaim({ anchorNow }: Anchors, number: number): Promise<void> {
  try {
    await anchorNow()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperationError(
      'refused',
      `What was said of claim ${number} is done and could not be written to the anchors: ${why}. Tell nobody before it is there.`,
      { hint: `doctor says what is wrong with their file. Do not do it again: claim show ${number}` },
    )
  }
}

/** For whoever reads claims of these numbers. @throws where the anchors cannot be written */
export async function anchorRead(
  { store, anchorNow }: Anchors & { store: Pick<Store, 'query'> },
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return
  const waiting = await store.query(unanchoredClaims, { limit: looked })
  if (waiting.length === looked || waiting.some(({ number }) => numbers.includes(number))) await anchorNow()
}
