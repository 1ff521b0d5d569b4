/** Names of parties in filters: a part of one is enough, where no other party has it in its name. */
import { OperationError } from '../../../actors/foundation/operation.ts'
import { recordFind } from '../../../actors/search/operations.ts'
import { linkTo } from '../cells.ts'
import type { PageRequest } from '../page.ts'

type Kind = 'merchant' | 'provider'

/**
 * @param fields of the filter, each with the kind of its parties; `null` for either
 * @returns the list's address with the whole names; `null` where they are whole, or not clear
 */
async function wholeNames(
  { ask, query }: PageRequest,
  path: string,
  fields: Readonly<Record<string, Kind | null>>,
): Promise<string | null> {
  const changes: Record<string, string> = {}
  for (const [field, kind] of Object.entries(fields)) {
    const written = query.get(field)?.trim() ?? ''
    if (written === '') continue
    const { hits } = await ask(recordFind, { text: written })
    const names = hits.filter((one) => one.by === 'name' && (kind === null || one.kind === kind))
    const [first] = names
    const isWhole = first?.id.localeCompare(written, undefined, { sensitivity: 'base' }) === 0
    if (first !== undefined && (isWhole || names.length === 1)) changes[field] = first.id
  }
  const isOther = Object.entries(changes).some(([field, name]) => query.get(field) !== name)
  return isOther ? linkTo(path, query, changes) : null
}

/**
 * @param render throws `not_found` where a name is nobody's
 * @returns what it returns, or the address where its list has the whole names
 * @throws what it throws
 */
export async function byWholeNames<Shown>(
  request: PageRequest,
  path: string,
  fields: Readonly<Record<string, Kind | null>>,
  render: () => Promise<Shown>,
): Promise<Shown | { title: ''; blocks: []; goTo: string }> {
  try {
    return await render()
  } catch (error) {
    const isUnknown = error instanceof OperationError && error.code === 'not_found'
    const goTo = isUnknown ? await wholeNames(request, path, fields) : null
    if (goTo === null) throw error
    return { title: '', blocks: [], goTo }
  }
}
