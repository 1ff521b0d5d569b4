/** What something would book, found out by letting it run up to where it would be written. */
import { partyNames } from '../../persistence/queries/claims.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import { movedBy } from './moved.ts'
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
    return { postings: await postingsOf(store, error.seen), answer: error.seen.answer }
  }
}

async function postingsOf(store: Pick<Store, 'query'>, seen: SeenStep): Promise<ShownPosting[]> {
  const ids = JSON.stringify([...new Set(movedBy([seen]).flatMap(({ parties }) => parties))])
  const names = new Map((await store.query(partyNames, { ids })).map(({ id, name }) => [id, name]))
  const accounts = seen.held.flatMap(({ table, row }) =>
    table === 'accounts' ? [row as Row<'accounts'>] : [],
  )
  return shownPostings(seen.writes, (owner) => names.get(owner), accounts)
}
