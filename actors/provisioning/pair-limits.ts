/** What an order of a merchant may be in a country and currency, by what the file says and what was so before. */

import type { Row } from '../../persistence/store.ts'
import type { Problems } from '../foundation/reading.ts'
import type { PairEntry } from './file.ts'

/** `null` where they cannot be, which is noted. */
export function pairLimits(entry: PairEntry, before: Row<'pairs'> | undefined, problems: Problems) {
  const minMinor = entry.minMinor ?? before?.min_minor
  const maxMinor = entry.maxMinor ?? before?.max_minor
  if (minMinor === undefined) problems.add(`${entry.path}.min`, 'is missing')
  if (maxMinor === undefined) problems.add(`${entry.path}.max`, 'is missing')
  if (minMinor === undefined || maxMinor === undefined) return null
  if (minMinor <= maxMinor) return { minMinor, maxMinor }
  // Where both are given it is noted already.
  if (entry.minMinor === undefined) problems.add(`${entry.path}.max`, 'is less than min')
  if (entry.maxMinor === undefined) problems.add(`${entry.path}.min`, 'is more than max')
  return null
}
