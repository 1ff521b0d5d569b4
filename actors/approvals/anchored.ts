/** What has become of an approval is outside the database before anybody is told: a restore would let it be approved again. */
import { OperationError } from '../foundation/operation.ts'

export interface Anchors {
  /** Writes what is not there yet to the anchors. @throws where they cannot be written */
  anchorNow(): Promise<void>
}

/** @throws OperationError where the anchors cannot be written: it is done. */
export async function anchorApproval({ anchorNow }: Anchors, number: number): Promise<void> {
  try {
    await anchorNow()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperationError(
      'refused',
      `What was said of approval ${number} is done and could not be written to the anchors: ${why}.`,
      { hint: `doctor says what is wrong with their file. Do not do it again: approval show ${number}` },
    )
  }
}
