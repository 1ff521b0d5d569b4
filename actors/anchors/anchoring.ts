/**
 * The worker that anchors the journal: once a minute, and once more when the node stops.
 *
 * Where the database is not the one that the anchors tell of, it adds nothing, and the node says so: an anchor
 * that is added to them would only hide it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { journalEnd, journalHashes } from '../../persistence/queries/anchors.ts'
import type { Store } from '../../persistence/store.ts'
import type { Condition } from '../condition/condition.ts'
import type { PassResult } from '../foundation/worker.ts'
import { type Anchor, AnchorDigest, formatAnchor, noAnchor, parseAnchor } from './anchor.ts'

/** The file the anchors are added to. */
export interface AnchorFile {
  readonly file: string
  /** The last lines, the oldest first. */
  last(count: number): Promise<string[]>
  /** Durable when it resolves. */
  append(line: string): Promise<void>
  close(): Promise<void>
}

export interface AnchoringOptions {
  store: Store
  clock: { now(): Instant }
  condition: Condition
  journalKey: string
  anchors: AnchorFile
  log: { info(facts: object, message: string): void }
}

export interface Anchoring {
  /** Anchors what was added since the last one. */
  pass(): Promise<PassResult>
  /** The last anchor, and the file is let go. */
  finish(): Promise<void>
}

/** Read without keeping the node from answering. */
const pageSize = 1000

type Last = Pick<Anchor, 'position' | 'digest'>

/** The last anchor, and the entry it ends with. */
interface Anchored {
  anchor: Last
  hash: string | null
}

export function createAnchoring(options: AnchoringOptions): Anchoring {
  const { store, clock, condition, journalKey, anchors, log } = options
  let last: Anchored | null = null

  async function digestOf(before: Last, until: number): Promise<AnchorDigest> {
    const digest = new AnchorDigest(journalKey, before)
    for (;;) {
      const page = await store.query(journalHashes, { after: digest.position, until, limit: pageSize })
      for (const entry of page) digest.add(entry)
      if (page.length < pageSize) return digest
      await nextTurn()
    }
  }

  /** The last anchor of the file; `null`, and a degraded node, where the journal is not what it says. */
  async function lastOfFile(end: number): Promise<Last | null> {
    const lines = await anchors.last(2)
    const [anchor, before = noAnchor] = lines.map(parseAnchor).reverse()
    if (anchor === undefined) return noAnchor
    if (anchor === null || before === null) return distrust('Its last lines cannot be read.')
    if (anchor.position > end) {
      return distrust(
        `The database is older than its anchors: they end at ${formatInstant(anchor.at)} with entry ` +
          `${anchor.position} of the journal, which has ${end}.`,
      )
    }
    const digest = await digestOf(before, anchor.position)
    if (digest.finish(anchor.at).digest === anchor.digest) return anchor
    return distrust(`The journal is not what was anchored at ${formatInstant(anchor.at)}.`)
  }

  function distrust(problem: string): null {
    const whatToDo =
      'Find out why; `ventanilla verify` tells more. After a restore, move the file away: a new one is begun.'
    condition.send({ type: 'degrade', part: 'anchors', reason: `${anchors.file}: ${problem} ${whatToDo}` })
    return null
  }

  async function hashAt(position: number): Promise<string | null> {
    const where = { after: position - 1, until: position, limit: 1 }
    const [entry] = await store.query(journalHashes, where)
    return entry?.hash ?? null
  }

  /** Held against the database each time: behind the same address another server may have taken its place. */
  async function lastAnchored(end: number): Promise<Anchored | null> {
    if (last !== null && (await hashAt(last.anchor.position)) === last.hash) return last
    const anchor = await lastOfFile(end)
    if (anchor === null) return null
    condition.send({ type: 'recover', part: 'anchors' })
    return { anchor, hash: await hashAt(anchor.position) }
  }

  async function pass(): Promise<PassResult> {
    const [newest] = await store.query(journalEnd, {})
    const end = newest?.position ?? 0
    last = await lastAnchored(end)
    if (last === null || end <= last.anchor.position) return { more: false }
    const digest = await digestOf(last.anchor, end)
    const anchor = digest.finish(clock.now())
    try {
      await anchors.append(formatAnchor(anchor))
    } catch (error) {
      const reason = `${anchors.file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`
      condition.send({ type: 'degrade', part: 'anchors', reason })
      throw error
    }
    condition.send({ type: 'recover', part: 'anchors' })
    last = { anchor, hash: await hashAt(anchor.position) }
    // Where the log is kept elsewhere, so are the anchors.
    log.info({ anchor }, 'journal anchored')
    return { more: false }
  }

  return {
    pass,
    async finish() {
      try {
        await pass()
      } finally {
        await anchors.close()
      }
    },
  }
}
