/** Names of parties, for what knows their ids. */
import { likeness } from '../../machines/written-names.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import type { Store } from '../../persistence/store.ts'
import { optional, text } from '../foundation/fields.ts'

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

/** A part of a name: whatever its case, its accents and its blanks. */
export const partOfName = optional(
  text({
    description: 'Only those whose name has this in it.',
    option: ['--name <part>', 'only those whose name has this in it'],
  }),
)

export function isNamed(part: string | undefined): (party: { name: string }) => boolean {
  const sought = likeness(part ?? '')
  return ({ name }) => likeness(name).includes(sought)
}
