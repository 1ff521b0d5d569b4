/**
 * Storing a report: its lines with what each came to, some hundred a step, so that a report of any length holds nobody up. Killed in
 * between it is gone on with where it stopped, once the same report comes again; until all of it is there it counts for nothing.
 *
 * Only a quarantined order is moved by a report, in the very step that stores its line: what happened to its cash since the
 * backup nobody else can say.
 */
import { filesOfDay, lastLineOf, reportFileById } from '../../persistence/queries/reconciliation.ts'
import {
  type Decision,
  type Row,
  row,
  rows,
  type Store,
  type Topic,
  type Write,
} from '../../persistence/store.ts'
import { exceptionId } from '../exceptions/exception-id.ts'
import { OperationError } from '../foundation/operation.ts'
import type { Actor } from '../orders/journal.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import { exceptionIdOf } from './differences.ts'
import { readFacts, type SeenPayments } from './facts.ts'
import { type Judged, judgeLine, type ReportedDay } from './matching.ts'
import { addToSums, type ReportLine } from './report-lines.ts'
import { type Books, booksOf, idOf, tell } from './telling-quarantined.ts'

export interface LoadingContext {
  store: Store
  orders: Pick<OrderRegistry, 'context' | 'tryExpire'>
}

export interface Loading {
  context: LoadingContext
  reported: ReportedDay
  actor: Actor
  fileId: string
  seen: SeenPayments
  /** Lines up to this one are there. */
  lastLine: number
}

export interface ReportSource {
  source: 'file' | 'api'
  /** SHA-256 in hex. */
  digest: string
  /** Of the terms that it is judged by. */
  rules: string
  by: string
}

/** What a line came to, beside what it says. */
export interface StoredLine {
  line: ReportLine
  judged: Judged
  orderId: string | null
}

/** Begins a report, or goes on with one whose storing was cut off. */
export async function beginLoading(
  context: LoadingContext,
  reported: ReportedDay,
  { source, digest, rules, by }: ReportSource,
  actor: Actor,
): Promise<Loading> {
  const { networkId, day, currency } = reported
  const before = await context.store.query(filesOfDay, { networkId, day })
  const begun = before.find(
    (file) =>
      file.state === 'loading' && file.source === source && file.digest === digest && file.rules === rules,
  )
  const id = begun?.id ?? exceptionId('report_file', networkId, day, source, digest, `${before.length}`)
  const loading = { context, reported, actor, fileId: id, seen: new Map(), lastLine: 0 }
  if (begun !== undefined) {
    const [last] = await context.store.query(lastLineOf, { fileId: id })
    return { ...loading, lastLine: last?.line ?? 0 }
  }
  await context.store.step({
    rows: { file: row('report_files', { id }) },
    isEssential: false,
    decide: ({ file }, at): Decision<null> => {
      if (file !== null) return { answer: null, writes: [] }
      const counts = { line_count: 0, paid_count: 0, paid_minor: 0n }
      const values = {
        ...{ id, network_id: networkId, day, source, digest, rules, currency, ...counts },
        ...{ state: 'loading' as const, began_at: at, began_by: by, applied_at: null, finished_at: null },
      }
      return { answer: null, writes: [{ insert: 'report_files', values }] }
    },
  })
  return loading
}

/** Judges lines, and stores them in one step. @throws OperationError where somebody else stores the same report. */
export async function loadLines(loading: Loading, lines: readonly ReportLine[]): Promise<StoredLine[]> {
  const { context, reported, actor, fileId, seen } = loading
  const known = await readFacts(context.store, reported, lines, { fileId, seen })
  const stored = known.map(({ line, facts }): StoredLine => {
    const judged = judgeLine(reported, line, facts)
    return { line, judged, orderId: idOf(facts.order) }
  })
  const fresh = stored.filter(({ line }) => line.line > loading.lastLine)
  if (fresh.length === 0) return stored
  const quarantined = known.filter((_, index) => stored[index]?.judged.books !== null)
  const books = await booksOf(context, reported, actor, quarantined)
  const cleared = await storeLines(loading, fresh, books)
  loading.lastLine = lines.at(-1)?.line ?? loading.lastLine
  for (const id of cleared) await context.orders.tryExpire(id)
  return stored
}

/** @returns orders that are cleared, and may have expired long ago. */
async function storeLines(
  { context, reported, fileId, lastLine }: Loading,
  lines: readonly StoredLine[],
  books: Books | null,
): Promise<string[]> {
  const ids = [...new Set(books?.lines.values() ?? [])]
  const beside = ids.map((order_id) => ({ order_id }))
  const result = await context.store.step({
    rows: {
      file: row('report_files', { id: fileId }),
      orders: rows(
        'orders',
        ids.map((id) => ({ id })),
      ),
      consumers: rows('consumers', beside),
      foreign: rows('foreign_orders', beside),
    },
    isEssential: false,
    decide: (held, at): Decision<string[]> => {
      const { file } = held
      if (file?.state !== 'loading') throw elsewhere(reported)
      if (lines.some(({ line }) => line.line <= lastLine)) throw elsewhere(reported)
      const writes: Write[] = []
      const wake = new Set<Topic>()
      const cleared: string[] = []
      // What two lines say of one order, the first of them says.
      const spoken = new Set<string>()
      let sums = { lineCount: file.line_count, paidCount: file.paid_count, paidMinor: file.paid_minor }
      for (const one of lines) {
        const place = ids.indexOf(books?.lines.get(one.line.line) ?? '')
        const order = held.orders[place] ?? null
        let { judged } = one
        if (books !== null && order !== null && !spoken.has(order.id)) {
          spoken.add(order.id)
          const about = { consumer: held.consumers[place] ?? null, foreign: held.foreign[place] ?? null }
          const told = tell(books.booking, reported, one, order, about, at)
          judged = told.judged
          writes.push(...told.writes)
          for (const topic of told.wake) wake.add(topic)
          if (told.isCleared) cleared.push(order.id)
        }
        sums = addToSums(sums, one.line)
        writes.push({ insert: 'report_lines', values: lineRow(reported, fileId, { ...one, judged }) })
      }
      const set = { line_count: sums.lineCount, paid_count: sums.paidCount, paid_minor: sums.paidMinor }
      writes.push({ update: 'report_files', key: { id: fileId }, set })
      return { answer: cleared, writes, wake: [...wake] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`The report of ${reported.networkId} violated ${result.constraint}.`)
}

function elsewhere({ networkId, day }: ReportedDay): OperationError {
  return new OperationError('conflict', `Somebody else is storing this report of ${networkId} of ${day}.`, {
    hint: 'Look at the day, and send the report again if it is not there.',
  })
}

function lineRow(
  reported: ReportedDay,
  fileId: string,
  { line, judged, orderId }: StoredLine,
): Row<'report_lines'> {
  return {
    file_id: fileId,
    line: line.line,
    kind: line.kind,
    named: line.named,
    reference: line.reference,
    amount_minor: line.amountMinor,
    paid_at: line.paidAt,
    order_id: orderId,
    ours_minor: judged.oursMinor,
    ours_day: judged.oursDay,
    outcome: judged.outcome,
    reason: judged.reason === null ? null : JSON.stringify(judged.reason),
    exception_id: exceptionIdOf(reported, line, judged, orderId),
  }
}

/** All its lines are there: from now on it is brought to its end by itself. */
export async function endLoading({ context, fileId, reported }: Loading): Promise<void> {
  await context.store.step({
    rows: { file: row('report_files', { id: fileId }) },
    decide: ({ file }): Decision<null> => {
      if (file?.state !== 'loading') throw elsewhere(reported)
      return {
        answer: null,
        writes: [{ update: 'report_files', key: { id: fileId }, set: { state: 'loaded' } }],
      }
    },
  })
}

export async function findFile(store: Store, id: string): Promise<Row<'report_files'> | null> {
  const [file] = await store.query(reportFileById, { id })
  return file ?? null
}
