/**
 * Whether a database is what its anchors say, or newer. Never older: then it was put back, or single orders in it
 * were.
 */
import { formatInstant } from '../../machines/time.ts'
import { journalEnd, journalHashes } from '../../persistence/queries/anchors.ts'
import type { Reader } from '../../persistence/store.ts'
import { type Anchor, AnchorDigest, leastEntries, noAnchor, parseAnchor } from './anchor.ts'
import { besideProblems } from './check-beside.ts'

export interface AnchorCheck {
  /** What is wrong, one sentence each; empty when all of them hold. */
  problems: string[]
  anchors: number
  /** So many entries of the journal they cover. */
  entries: number
}

const pageSize = 1000
/** After these there is nothing new to learn. */
const maxProblems = 20

/**
 * @param lines of the anchors' file, the oldest first; entries they cover were committed before they were written,
 *   so each look at the database comes after its line, and a node may go on serving.
 */
export async function checkAnchors(
  { reader, journalKey }: { reader: Reader; journalKey: string },
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<AnchorCheck> {
  const check: AnchorCheck = { problems: [], anchors: 0, entries: 0 }
  let before: Pick<Anchor, 'position' | 'digest'> & { at?: number } = noAnchor
  for await (const line of lines) {
    check.anchors += 1
    const anchor = parseAnchor(line)
    if (anchor === null) {
      check.problems.push(`line ${check.anchors} of the anchors is damaged: it cannot be read as one`)
    } else if (anchor.position < before.position + leastEntries(anchor)) {
      check.problems.push(`line ${check.anchors} of the anchors does not follow from the line before it`)
    } else {
      const problem = await problemOf(reader, journalKey, before, anchor)
      if (problem !== null) check.problems.push(problem)
      check.problems.push(...(await besideProblems(reader, anchor)))
      before = anchor
      check.entries += anchor.entries
    }
    if (check.problems.length >= maxProblems) break
  }
  return check
}

async function problemOf(
  reader: Reader,
  journalKey: string,
  before: Pick<Anchor, 'position' | 'digest'> & { at?: number },
  anchor: Anchor,
): Promise<string | null> {
  const digest = new AnchorDigest(journalKey, before)
  for (;;) {
    const { position: after } = digest
    const page = await reader.snapshot((query) =>
      query(journalHashes, { after, until: anchor.position, limit: pageSize }),
    )
    for (const entry of page) digest.add(entry)
    if (page.length < pageSize) break
  }
  if (digest.finish(anchor.at, anchor).digest === anchor.digest) return null
  const [newest] = await reader.snapshot((query) => query(journalEnd, {}))
  const end = newest?.position ?? 0
  const until = formatInstant(anchor.at)
  if (end < anchor.position) {
    return (
      `the database is older than its anchor of ${until}: that ends with entry ${anchor.position} of the ` +
      `journal, which has ${end}`
    )
  }
  const from = before.at === undefined ? 'the beginning' : formatInstant(before.at)
  return (
    `entries ${before.position + 1} to ${anchor.position} of the journal, from ${from} to ${until}, differ ` +
    'from those that were anchored'
  )
}
