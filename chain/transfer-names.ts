/**
 * Names of the transfers of one transaction, by what they moved. An endpoint may number logs and calls as it likes,
 * leave some out or list them in another order: what a transfer says of itself is the same in each answer. Transfers
 * that are alike in everything are counted, and it does not matter which of them is which.
 */
import { createHash } from 'node:crypto'

/** Enough that nobody finds two transfers with one name. */
const nameDigits = 32

/** A name each, in their order: `x`, a digest of what it moved, and how many like it came before. */
export function transferNames(contents: readonly (readonly string[])[]): readonly string[] {
  const counts = new Map<string, number>()
  return contents.map((content) => {
    const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, nameDigits)
    const count = counts.get(digest) ?? 0
    counts.set(digest, count + 1)
    return `x${digest}.${count}`
  })
}
