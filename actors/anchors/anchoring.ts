/**
 * The worker that anchors the journal: once a minute, and once more when the node stops.
 *
 * Where the database is not the one that the anchors tell of, somebody has put it back. What is open in it is set aside,
 * the anchors are kept under another name, and new ones are begun, so that it is noticed if that happens again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { journalEnd, journalHashes } from '../../persistence/queries/anchors.ts'
import { unanchoredClaims } from '../../persistence/queries/claims.ts'
import { factByName, recordFact } from '../../persistence/queries/node.ts'
import { unanchoredPayments } from '../../persistence/queries/payments.ts'
import { unanchoredStatements } from '../../persistence/queries/statements.ts'
import type { Query, Store } from '../../persistence/store.ts'
import type { Condition } from '../condition/condition.ts'
import type { PassResult } from '../foundation/worker.ts'
import {
  type Anchor,
  AnchorDigest,
  type AnchoredBeside,
  countBeside,
  formatAnchor,
  noAnchor,
  parseAnchor,
} from './anchor.ts'
import { markApprovalAnchored, recordLostApprovals, unanchoredApproval } from './approval-numbers.ts'
import { unknownBeside } from './check-beside.ts'
import { recordLostClaims } from './lost-claims.ts'
import { recordLostPayments } from './lost-payments.ts'
import { closedNumbers, recordLostStatements } from './lost-statements.ts'
import { anchoredClaim, markAnchored } from './mark-anchored.ts'
import type { RestoreWatch } from './restore-watch.ts'

/** The file the anchors are added to. */
export interface AnchorFile {
  readonly file: string
  /** The last lines, the oldest first. */
  last(count: number): Promise<string[]>
  /** All whole lines, the oldest first. */
  all(): AsyncIterable<string>
  /** Durable when it resolves. */
  append(line: string): Promise<void>
  /** Gives it another name; the next line begins a new file. */
  moveTo(name: string): Promise<void>
  close(): Promise<void>
}

export interface AnchoringOptions {
  store: Store
  clock: { now(): Instant }
  condition: Condition
  journalKey: string
  anchors: AnchorFile
  restoreWatch: RestoreWatch
  log: { info(facts: object, message: string): void }
}

export interface Anchoring {
  /** Holds the database against the last anchor; to be awaited before anything of it is served. */
  begin(): Promise<void>
  /** Anchors what was added since the last one. */
  pass(): Promise<PassResult>
  /** The last anchor, and the file is let go. */
  finish(): Promise<void>
}

/** `true` once a SQLite database has anchors. */
export const anchoredFact = 'anchored'

/** Read without keeping the node from answering. */
const pageSize = 1000
/** Statements that were closed, payments that were ordered, and claims. Of approvals the last number is enough. */
const besidePerAnchor = 200

type Last = Pick<Anchor, 'position' | 'digest'>

/** Of a file that has no line yet. */
const begun = { anchor: noAnchor, beside: null }

/** The last anchor, and the entry it ends with. */
interface Anchored {
  anchor: Last
  hash: string | null
  /** The last one that tells of closings or orderings. */
  beside: Anchor | null
}

/** As `restore` calls those of a database that is gone. */
export function keptAs(anchorsFile: string, at: Instant): string {
  return `${anchorsFile}.before-${formatInstant(at).replaceAll(/[:.]/g, '-')}`
}

/** What waits to be outside the database. */
async function readBeside(store: Store) {
  const closed = await store.query(unanchoredStatements, { limit: besidePerAnchor })
  const ordered = await store.query(unanchoredPayments, { limit: besidePerAnchor })
  const claimed = await store.query(unanchoredClaims, { limit: besidePerAnchor })
  const beside: AnchoredBeside = {
    statements: closed.map(({ party_id, currency, number }) => [party_id, currency, number]),
    payments: ordered.map(({ id, party_id, currency, amount_minor, bank, run_id }) => [
      id,
      party_id,
      currency,
      amount_minor.toString(),
      bank,
      run_id,
    ]),
    claims: claimed.map(anchoredClaim),
    approval: (await unanchoredApproval(store)) ?? 0,
  }
  return { closed, ordered, claimed, beside }
}

/** Looked for from the end, where it mostly is; a backup that has it has all before it. */
async function lastBeside(anchors: AnchorFile): Promise<Anchor | null> {
  for (let count = 100; ; count *= 10) {
    const lines = await anchors.last(count)
    const found = lines.map(parseAnchor).findLast((anchor) => anchor !== null && countBeside(anchor) > 0)
    if (found !== undefined || lines.length < count) return found ?? null
  }
}

/** Whether what an anchor tells of is in the database, or is recorded as lost. */
async function knows(store: Store, told: Anchor): Promise<boolean> {
  const query: Query = (asked, args) => store.query(asked, args)
  return (await unknownBeside(query, told)).length === 0
}

/** One after the other: whoever orders a payment asks for a pass, too, and each goes on from the line before. */
function inTurn(look: () => Promise<PassResult>): () => Promise<PassResult> {
  let running: Promise<unknown> = Promise.resolve()
  return () => {
    const next = running.then(look, look)
    running = next
    return next
  }
}

async function digestOf(
  { store, journalKey }: Pick<AnchoringOptions, 'store' | 'journalKey'>,
  before: Last,
  until: number,
): Promise<AnchorDigest> {
  const digest = new AnchorDigest(journalKey, before)
  for (;;) {
    const page = await store.query(journalHashes, { after: digest.position, until, limit: pageSize })
    for (const entry of page) digest.add(entry)
    if (page.length < pageSize) return digest
    await nextTurn()
  }
}

/** Whatever the anchors know and the database does not. */
async function recordLost({ store, anchors, clock }: AnchoringOptions): Promise<void> {
  await recordLostStatements(store, await closedNumbers(anchors.all()), clock.now())
  await recordLostPayments(store, anchors.all(), clock.now())
  await recordLostClaims(store, anchors.all(), clock.now())
  await recordLostApprovals(store, anchors.all(), clock.now())
}

export function createAnchoring(options: AnchoringOptions): Anchoring {
  const { store, clock, condition, anchors, restoreWatch, log } = options
  let last: Anchored | null = null

  /** The last anchor of the file; none, once everything is set aside, where the journal is not what it says. */
  async function lastOfFile(end: number): Promise<Omit<Anchored, 'hash'>> {
    const lines = await anchors.last(2)
    const [anchor, before = noAnchor] = lines.map(parseAnchor).reverse()
    if (anchor === undefined) {
      return (await wasAnchored()) ? putBack('The anchors of the database are gone.', null) : begun
    }
    if (anchor === null || before === null)
      return putBack('The last lines of the anchors cannot be read.', lines)
    if (anchor.position > end) {
      const problem =
        `The database is older than its anchors: they end at ${formatInstant(anchor.at)} with entry ` +
        `${anchor.position} of the journal, which has ${end}.`
      return putBack(problem, lines, anchor.at)
    }
    const digest = await digestOf(options, before, anchor.position)
    if (digest.finish(anchor.at, anchor).digest !== anchor.digest) {
      return putBack(`The journal is not what was anchored at ${formatInstant(anchor.at)}.`, lines, anchor.at)
    }
    const told = await lastBeside(anchors)
    if (told === null || (await knows(store, told))) {
      await recordAnchored(true)
      return { anchor, beside: told }
    }
    // At night days close and nobody speaks to an order: the journal alone would not tell that the database is an older one.
    const problem = `The database does not know what was closed and ordered by its anchor of ${formatInstant(told.at)}.`
    return putBack(problem, lines, anchor.at)
  }

  /** Each part may be done twice: a node that is killed in between finds the same at its next start. */
  async function putBack(
    problem: string,
    lines: string[] | null,
    anchoredAt?: Instant,
  ): Promise<typeof begun> {
    const kept = lines === null ? null : keptAs(anchors.file, clock.now())
    if (anchoredAt === undefined || !(await restoreWatch.isKnown(anchoredAt))) {
      await restoreWatch.setAside({ problem, anchors: kept })
    }
    if (kept !== null) await recordLost(options)
    await recordAnchored(false)
    if (kept !== null) await anchors.moveTo(kept)
    return begun
  }

  /** Each node over a server has a file of its own, and a new one has none; a SQLite database has one. */
  async function wasAnchored(): Promise<boolean> {
    if (store.engine !== 'sqlite') return false
    const [fact] = await store.query(factByName, { name: anchoredFact })
    return fact?.value === 'true'
  }

  async function recordAnchored(isSo: boolean): Promise<void> {
    if (store.engine !== 'sqlite' || isSo === (await wasAnchored())) return
    await store.execute(recordFact, { name: anchoredFact, value: String(isSo) })
  }

  async function hashAt(position: number): Promise<string | null> {
    const where = { after: position - 1, until: position, limit: 1 }
    const [entry] = await store.query(journalHashes, where)
    return entry?.hash ?? null
  }

  /** Held against the database each time: behind the same address another server may have taken its place. */
  async function lastAnchored(end: number): Promise<Anchored> {
    if (last !== null && (await hashAt(last.anchor.position)) === last.hash) {
      if (last.beside === null || (await knows(store, last.beside))) return last
    }
    const found = await lastOfFile(end)
    return { ...found, hash: await hashAt(found.anchor.position) }
  }

  async function journalEndNow(): Promise<number> {
    const [newest] = await store.query(journalEnd, {})
    return newest?.position ?? 0
  }

  async function look(): Promise<PassResult> {
    const end = await journalEndNow()
    last = await lastAnchored(end)
    const { closed, ordered, claimed, beside } = await readBeside(store)
    if (end <= last.anchor.position && countBeside(beside) === 0) return { more: false }
    const anchor = (await digestOf(options, last.anchor, end)).finish(clock.now(), beside)
    try {
      await anchors.append(formatAnchor(anchor))
    } catch (error) {
      const reason = `${anchors.file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`
      condition.send({ type: 'degrade', part: 'anchors:file', reason })
      throw error
    }
    condition.send({ type: 'recover', part: 'anchors:file' })
    // Behind the line: cut off between the two, the file would pass for one that is gone.
    await recordAnchored(true)
    last = {
      anchor,
      hash: await hashAt(anchor.position),
      beside: countBeside(anchor) > 0 ? anchor : last.beside,
    }
    await markAnchored(store, { closed, ordered, claimed })
    if (beside.approval > 0) await markApprovalAnchored(store, beside.approval)
    // Where the log is kept elsewhere, so are the anchors.
    log.info({ anchor }, 'journal anchored')
    return { more: [closed, ordered, claimed].some(({ length }) => length === besidePerAnchor) }
  }

  const pass = inTurn(look)
  return {
    async begin() {
      last = await lastAnchored(await journalEndNow())
    },
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
