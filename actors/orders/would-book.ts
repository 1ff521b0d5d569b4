/** What something would book, found out by letting it run up to where it would be written. */
import { partyNames } from '../../persistence/queries/claims.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { Looked, lookingStore, type SeenStep } from '../foundation/looking-store.ts'
import { type ShownPosting, shownPostings } from './postings-shown.ts'

/** What one step would book. */
export interface WouldBook {
  postings: ShownPosting[]
  /** What the step answers. */
  answer: unknown
}

/**
 * @param run is given a store that writes nothing; its first step that would write is what is looked at
 * @returns its postings and what it answers; or what `run` itself returns, where it does not come to write
 * @throws what `run` throws
 */
export async function wouldBook<Instead>(
  store: Store,
  run: (looking: Store) => Promise<Instead>,
): Promise<WouldBook | { instead: Instead }> {
  try {
    return { instead: await run(lookingStore(store)) }
  } catch (error) {
    if (!(error instanceof Looked)) throw error
    return { postings: await postingsOf(store, [error.seen]), answer: error.seen.answer }
  }
}

/**
 * What steps would book, by the names of their parties.
 * @param made names of parties that the steps themselves make, by id
 */
export async function postingsOf(
  store: Pick<Store, 'query'>,
  steps: readonly SeenStep[],
  made: ReadonlyMap<string, string> = new Map(),
): Promise<ShownPosting[]> {
  const owners = steps.flatMap(({ writes }) =>
    writes.flatMap((write) => ('post' in write ? [write.post.debit.ownerId, write.post.credit.ownerId] : [])),
  )
  const ids = JSON.stringify([...new Set(owners)])
  const known = (await store.query(partyNames, { ids })).map(({ id, name }) => [id, name] as const)
  const names = new Map([...known, ...made])
  return steps.flatMap(({ writes, held }) => {
    const accounts = held.flatMap(({ table, row }) => (table === 'accounts' ? [row as Row<'accounts'>] : []))
    return shownPostings(writes, (owner) => names.get(owner), accounts)
  })
}
