/** Names of parties, for what knows their ids. */
import { partyById } from '../../persistence/queries/parties.ts'
import type { Store } from '../../persistence/store.ts'

export type NameOf = (partyId: string) => Promise<string>

/** Looks each party up once. */
export function partyNames(store: Store): NameOf {
  const known = new Map<string, Promise<string>>()
  const look = async (id: string) => (await store.query(partyById, { id }))[0]?.name ?? id
  return (id) => {
    const name = known.get(id) ?? look(id)
    known.set(id, name)
    return name
  }
}
