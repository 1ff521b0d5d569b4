/** What something would book, found out by letting it run up to where it would be written. */
import { partyNames } from '../../persistence/queries/claims.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import { movedBy } from './moved.ts'
import { newNames } from './shown-changes.ts'
import { Looked, lookingStore, type SeenStep } from './watched-store.ts'

/**
 * @param run is given a store that writes nothing; its first step that would write is what is looked at
 * @returns its postings and what it answers; or what `run` itself returns, where it does not come to write
 * @throws what `run` throws
 */
export async function wouldBook<Instead>(
  store: Store,
  run: (looking: Store) => Promise<Instead>,
): Promise<{ postings: ShownPosting[]; answer: unknown } | { instead: Instead }> {
  try {
    return { instead: await run(lookingStore(store)) }
  } catch (error) {
    if (!(error instanceof Looked)) throw error
    return { postings: await postingsOf(store, [error.seen]), answer: error.seen.answer }
  }
}

/** What steps would book, by the names of the parties that they have and of those that they make. */
export async function postingsOf(
  store: Pick<Store, 'query'>,
  steps: readonly SeenStep[],
): Promise<ShownPosting[]> {
  const ids = JSON.stringify([...new Set(movedBy(steps).flatMap(({ parties }) => parties))])
  const known = (await store.query(partyNames, { ids })).map(({ id, name }) => [id, name] as const)
  const names = new Map([...known, ...steps.flatMap((step) => [...newNames(step)])])
  return steps.flatMap(({ writes, held }) => {
    const accounts = held.flatMap(({ table, row }) => (table === 'accounts' ? [row as Row<'accounts'>] : []))
    return shownPostings(writes, (owner) => names.get(owner), accounts)
  })
}
