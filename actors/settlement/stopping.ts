/** After a restore nothing is ordered: what was paid since the backup is not in the books. */
import { type Row, sharedRow } from '../../persistence/store.ts'
import { settlementStoppedFact } from '../anchors/restore-watch.ts'
import { OperationError } from '../foundation/operation.ts'

export const stopRow = sharedRow('facts', { name: settlementStoppedFact })

/** @throws OperationError while they are. */
export function assertRunning(stop: Row<'facts'> | null): void {
  if (stop === null) return
  throw new OperationError(
    'refused',
    'Settlement is stopped since a backup was restored: what the banks have paid since is not booked yet.',
    { hint: 'Book the banks’ entries since the backup, then: settlement resume' },
  )
}
