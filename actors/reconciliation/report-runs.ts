/**
 * Files that are looked at: first as a preview, which changes nothing, then applied by whoever agrees. What is known of one is kept in
 * memory only, as the file is: whoever comes too late sends it again.
 */
import { randomBytes } from 'node:crypto'
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { currentFile, differingLinesAfter } from '../../persistence/queries/reconciliation.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { inEnglish } from '../exceptions/report-reasons.ts'
import { OperationError } from '../foundation/operation.ts'
import type { Upload, Uploads } from '../foundation/uploads.ts'
import type { Day } from '../terms/days.ts'
import type { ReportMapping } from '../terms/report-mapping.ts'
import { bookedElsewhere } from './day-sums.ts'
import { exceptionIdOf } from './differences.ts'
import { readFacts } from './facts.ts'
import { finishReport } from './finishing.ts'
import { beginLoading, endLoading, findFile, type LoadingContext, loadLines } from './loading.ts'
import { type Judged, judgeLine } from './matching.ts'
import { foreseeMissing, missedBefore } from './missing.ts'
import type { FoundDay } from './report-day.ts'
import { addToSums, maxDifferences, noSums, type ReportBatch } from './report-lines.ts'
import {
  differingLines,
  maxShown,
  newDocument,
  noteFaults,
  noteMissing,
  paidOf,
  type RunDocument,
  type RunState,
} from './run-document.ts'
import { foretell, idOf } from './telling-quarantined.ts'

/** Reads a file elsewhere, so that whoever is served does not wait for it. */
export type ReadReport = (
  path: string,
  rules: { mapping: ReportMapping; currency: string },
) => AsyncIterable<ReportBatch>

export interface ReportRunsOptions extends LoadingContext {
  uploads: Uploads
  clock: { now(): Instant }
  read: ReadReport
  onError(error: unknown): void
}

/** Of one process. */
const maxRuns = 20

interface Run {
  id: string
  found: FoundDay
  upload: Upload
  by: string
  document: RunDocument
  done: Promise<void>
}

export interface ReportRuns {
  /** Begins to read. @throws OperationError where there is no such file. */
  begin(found: FoundDay, upload: string, by: string): Promise<RunDocument>
  /** @throws OperationError unless it is ready. */
  apply(run: string, by: string): Promise<RunDocument>
  /** @throws OperationError when there is none. */
  show(run: string): RunDocument
  /** SHA-256 of its file, in hex. @throws OperationError when there is none. */
  digestOf(run: string): string
  /** Until it is at rest. */
  settled(run: string): Promise<void>
  /** Nothing more is begun, and what is stored is stored. */
  finish(): Promise<void>
}

export function createReportRuns(options: ReportRunsOptions): ReportRuns {
  const { uploads } = options
  const runs = new Map<string, Run>()

  function find(id: string): Run {
    const run = runs.get(id)
    if (run !== undefined) return run
    throw new OperationError('not_found', `There is no such file: ${id}.`, {
      hint: 'It was looked at some time ago, or before the node was started: send it again.',
    })
  }

  function work(run: Run, task: () => Promise<void>): void {
    run.done = task().catch((error) => {
      options.onError(error)
      run.document.state = 'failed'
      run.document.problem = error instanceof OperationError ? error.message : 'It failed; the log says why.'
    })
  }

  return {
    async begin(found, file, by) {
      const upload = uploads.find(file)
      if (upload === null) {
        throw new OperationError('not_found', 'The file is not there any more: send it again.')
      }
      const oldest = [...runs.values()].find(
        ({ document }) => document.state !== 'applying' && document.state !== 'reading',
      )
      if (runs.size >= maxRuns && oldest !== undefined) {
        runs.delete(oldest.id)
        await uploads.drop(oldest.upload.id)
      }
      const id = randomBytes(12).toString('base64url')
      const run: Run = { id, found, upload, by, document: newDocument(id, found), done: Promise.resolve() }
      runs.set(id, run)
      work(run, () => preview(options, run))
      return run.document
    },
    async apply(id, by) {
      const run = find(id)
      const { document } = run
      if (document.state !== 'ready') {
        const [message, hint] = refusals[document.state]
        const details = document.problem === null ? [] : [document.problem]
        throw new OperationError('conflict', message, { details, hint })
      }
      const differing = differingLines(document)
      if (differing > maxDifferences) {
        throw new OperationError(
          'refused',
          `${differing} lines differ: it is hardly this network’s report of ${document.day}.`,
          {
            hint: `Look at the network, the day and the mapping of its columns. At most ${maxDifferences} differences are applied.`,
          },
        )
      }
      if (document.unchanged) {
        document.state = 'applied'
        await uploads.drop(run.upload.id)
        return document
      }
      document.state = 'applying'
      run.by = by
      work(run, () => applyRun(options, run))
      return document
    },
    show: (id) => find(id).document,
    digestOf: (id) => find(id).upload.sha256,
    settled: (id) => find(id).done,
    async finish() {
      await Promise.all([...runs.values()].map(({ done }) => done))
      for (const { upload } of runs.values()) await uploads.drop(upload.id)
      runs.clear()
    },
  }
}

async function preview({ read, store, orders, uploads, clock }: ReportRunsOptions, run: Run): Promise<void> {
  const { found, upload, document } = run
  const { reported, mapping } = found
  const [present] = await store.query(currentFile, { networkId: reported.networkId, day: reported.day })
  const isSame = present?.digest === upload.sha256 && present.source === 'file'
  document.unchanged = isSame && present.rules === found.rules
  document.judgedAnew = isSame && !document.unchanged
  document.replaces = present !== undefined && !document.unchanged
  const before = await differingIds(store, present)
  const now = new Set<string>()
  const seen = new Map<string, number>()
  const spoken = new Set<string>()
  const told = new Set<string>()
  const here = { count: 0, minor: 0n }
  const booked = new Set<string>()
  let sums = noSums
  for await (const { lines, faults } of read(upload.path, { mapping, currency: reported.currency })) {
    noteFaults(document, faults)
    document.read += lines.length + faults.length
    if (document.faultCount > 0) continue
    const known = await readFacts(store, reported, lines, { fileId: '', seen })
    const teller = { actor: { kind: 'operator', name: run.by }, at: clock.now() } as const
    const foretold = await foretell({ store, orders }, reported, teller, known, spoken)
    for (const [index, { line, facts }] of known.entries()) {
      const judged = foretold[index] ?? judgeLine(reported, line, facts)
      sums = addToSums(sums, line)
      const order = idOf(facts.order)
      if (order !== null) told.add(order)
      if (isBookedOf(reported.day, judged, order, booked)) {
        here.count += 1
        here.minor += judged.oursMinor ?? 0n
      }
      document.outcomes[judged.outcome] = (document.outcomes[judged.outcome] ?? 0) + 1
      if (judged.books !== null) document.quarantined += 1
      const id = exceptionIdOf(reported, line, judged, order)
      if (id !== null) now.add(id)
      if (judged.reason === null || document.differences.length >= maxShown) continue
      const amount = (minor: bigint | null) => (minor === null ? null : formatPrice(minor, reported.currency))
      document.differences.push({
        line: line.line,
        outcome: judged.outcome,
        order,
        named: line.named,
        reference: line.reference,
        theirs: amount(line.amountMinor),
        ours: amount(judged.oursMinor),
        reason: inEnglish(judged.reason),
        why: judged.reason,
      })
    }
  }
  document.paid = paidOf(sums, reported.currency)
  if (document.faultCount === 0) {
    for (const id of await missedBefore(store, reported)) before.add(id)
    for await (const page of foreseeMissing(store, reported, present, (id) => told.has(id))) {
      noteMissing(document, page, { now, here })
    }
    const { count, minor } = await bookedElsewhere(store, reported, ({ order_id }) => !booked.has(order_id))
    here.count += count
    here.minor += minor
  }
  document.here = { count: here.count, amount: formatPrice(here.minor, reported.currency) }
  document.appeared = [...now].filter((id) => !before.has(id)).length
  document.gone = document.faultCount > 0 ? 0 : [...before].filter((id) => !now.has(id)).length
  document.state = document.faultCount > 0 ? 'refused' : 'ready'
  if (document.state === 'refused') await uploads.drop(upload.id)
}

/** Why a file is not applied, and what to do about it. */
const refusals: Readonly<Record<Exclude<RunState, 'ready'>, readonly [message: string, hint: string]>> = {
  reading: ['The file is still being read.', 'Wait until it is read, and look at what it comes to.'],
  refused: ['The file was refused.', 'Mend the lines that are wrong, and send it again.'],
  applying: ['The file is being applied already.', 'Wait until it is applied, and look at its day.'],
  applied: ['The file was applied already.', 'Look at its day.'],
  failed: ['The file could not be worked on.', 'Send it again: what was stored of it is gone on with.'],
}

/** Each payment of the day once, as the day's page counts it. */
function isBookedOf(
  day: Day,
  { outcome, oursMinor, oursDay }: Judged,
  order: string | null,
  booked: Set<string>,
) {
  if (oursMinor === null || oursDay !== day || order === null || booked.has(order)) return false
  if (outcome === 'twice' || outcome === 'only_theirs') return false
  booked.add(order)
  return true
}

async function applyRun({ read, store, orders, uploads }: ReportRunsOptions, run: Run): Promise<void> {
  const { found, upload, document, by } = run
  const { reported, mapping, rules } = found
  const loading = await beginLoading(
    { store, orders },
    reported,
    { source: 'file', digest: upload.sha256, rules, by },
    { kind: 'operator', name: by },
  )
  for await (const { lines, faults } of read(upload.path, { mapping, currency: reported.currency })) {
    if (faults.length > 0) throw new Error('The file is not what it was when it was looked at.')
    if (lines.length > 0) await loadLines(loading, lines)
    document.stored += lines.length
  }
  await endLoading(loading)
  const file = await findFile(store, loading.fileId)
  if (file !== null) await finishReport(store, file)
  document.state = 'applied'
  await uploads.drop(upload.id)
}

async function differingIds(store: Store, file: Row<'report_files'> | undefined): Promise<Set<string>> {
  const ids = new Set<string>()
  if (file === undefined) return ids
  for (let after = 0; ; ) {
    const lines = await store.query(differingLinesAfter, { fileId: file.id, after, limit: 500 })
    const last = lines.at(-1)
    if (last === undefined) return ids
    for (const { exception_id: id } of lines) if (id !== null) ids.add(id)
    after = last.line
  }
}
