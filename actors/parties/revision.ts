/**
 * Changes of what is provisioned, one after the other: what such a change has read must still hold in its step.
 *
 * A step names its rows, and "all keys of a party" is no row. So every change counts a revision up, and one that
 * finds another revision than it has read under begins anew.
 */
import type { Instant } from '../../machines/time.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { type Decision, type Row, type RowRef, row, type Store, type Write } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'

/** Counts what was changed: a plan holds for the database it was made for, and for no other state of it. */
const revisionFact = 'provisioning'

const maxAttempts = 10

export interface ProvisioningChange<Known, Answer> {
  /** Reads all that the decision depends on. */
  read(): Promise<Known>
  /** What payments change, too, and count nothing: held in the step where a deposit depends on it. */
  besides?(known: Known): Besides
  /** As in a step, with those lines that there are. One that writes nothing changes nothing. */
  decide(known: Known, at: Instant, lines: readonly Row<'bank_entries'>[]): Decision<Answer>
}

export interface Besides {
  parties: readonly RowRef<'parties'>[]
  lines: readonly RowRef<'bank_entries'>[]
}

/** @throws OperationError (`conflict`), or what `decide` throws. */
export async function changeProvisioning<Known, Answer>(
  store: Store,
  change: ProvisioningChange<Known, Answer>,
): Promise<Answer> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const [revision] = await store.query(factByName, { name: revisionFact })
    const known = await change.read()
    const result = await store.step({
      rows: { ...change.besides?.(known), revision: row('facts', { name: revisionFact }) },
      decide: (rows, at): Decision<{ done: Answer } | null> => {
        if (rows.revision?.value !== revision?.value) return { answer: null, writes: [] }
        const lines = (rows.lines ?? []).filter((line) => line !== null)
        const { answer, writes, wake = [] } = change.decide(known, at, lines)
        const counted = writes.length === 0 ? [] : [nextRevision(revision?.value)]
        return { answer: { done: answer }, writes: [...writes, ...counted], wake }
      },
    })
    // Somebody else changed it meanwhile: what was decided was meant for what is no more.
    if (result.outcome === 'violated' || result.answer === null) continue
    return result.answer.done
  }
  throw new OperationError('conflict', 'Others keep changing the parties; nothing was changed.', {
    hint: 'Try it again.',
  })
}

function nextRevision(present: string | undefined): Write {
  if (present === undefined) return { insert: 'facts', values: { name: revisionFact, value: '1' } }
  return { update: 'facts', key: { name: revisionFact }, set: { value: String(Number(present) + 1) } }
}
