/** A worker's pass that one node at a time makes: on every other one it has nothing to do. */
import type { Instant } from '../../machines/time.ts'
import type { Store } from '../../persistence/store.ts'
import type { PassResult } from './worker.ts'

/** So soon a node takes over the work of one that is gone. */
const lookMs = 2_000

/**
 * @param role names the work, the same on every node.
 * @param pass gets the store of its term: what it decides there is refused once another node has taken over.
 */
export function whileLeading(
  { store, clock }: { store: Store; clock: { now(): Instant } },
  role: string,
  pass: (store: Store) => Promise<PassResult>,
): () => Promise<PassResult> {
  return async () => {
    const own = await store.lead(role)
    return own === null ? { more: false, nextAt: clock.now() + lookMs } : pass(own)
  }
}
