/** Judging the reports that are all there, by the steps of a file; the worker takes up what a kill has cut off. */
import { currentFile } from '../../persistence/queries/reconciliation.ts'
import { sentPartsAfter, sentReportsWaiting, spentPartsOf } from '../../persistence/queries/sent-reports.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { Actor } from '../orders/journal.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import { finishReport, finishReports } from './finishing.ts'
import { beginLoading, endLoading, findFile, loadLines } from './loading.ts'
import { reportedDayOf } from './report-day.ts'
import { linesOf } from './sent-reports.ts'

type Orders = Pick<OrderRegistry, 'context' | 'tryExpire'>

/** The worker's pass: reports that networks' software has sent, and whatever was stored and not finished. */
export function createReportWork(orders: Orders): (store: Store) => Promise<PassResult> {
  return async (store) => {
    const waiting = await store.query(sentReportsWaiting, {})
    for (const report of waiting) await applySent(store, orders, report)
    const { more, seen } = await finishReports(store)
    return { more: more || waiting.length > 0, seen: { ...seen, sent: waiting.length } }
  }
}

async function applySent(store: Store, orders: Orders, report: Row<'sent_reports'>): Promise<void> {
  const { id, network_id: networkId, day, digest } = report
  const [present] = await store.query(currentFile, { networkId, day })
  const isKnown = present?.source === 'api' && present.digest === digest
  const fileId = isKnown ? present.id : await loadSent(store, orders, report)
  if (fileId !== null) {
    const file = await findFile(store, fileId)
    if (file !== null) await finishReport(store, file)
  }
  await store.step({
    rows: { held: row('sent_reports', { id }) },
    decide: ({ held }, at): Decision<null> => ({
      answer: null,
      writes:
        held === null || held.applied_at !== null
          ? []
          : [{ update: 'sent_reports', key: { id }, set: { applied_at: at, file_id: fileId } }],
    }),
  })
  await forgetLines(store, id)
}

async function loadSent(store: Store, orders: Orders, report: Row<'sent_reports'>): Promise<string> {
  const { network_id: networkId, day, digest, said_by: by, credential } = report
  const { reported, rules } = await reportedDayOf(store, networkId, day)
  const actor: Actor = { kind: 'provider', id: reported.providerId, name: by, credential }
  const loading = await beginLoading({ store, orders }, reported, { source: 'api', digest, rules, by }, actor)
  for (let after = 0; ; ) {
    const [part] = await store.query(sentPartsAfter, { reportId: report.id, after })
    if (part === undefined) break
    after = part.part
    const lines = linesOf(part)
    if (lines.length > 0) await loadLines(loading, lines)
  }
  await endLoading(loading)
  return loading.fileId
}

/** What is stored line by line need not be kept twice. */
async function forgetLines(store: Store, reportId: string): Promise<void> {
  for (;;) {
    const spent = await store.query(spentPartsOf, { reportId })
    if (spent.length === 0) return
    await store.step({
      rows: {},
      decide: () => ({
        answer: null,
        writes: spent.map((key): Write => ({ update: 'sent_report_parts', key, set: { lines_json: null } })),
      }),
    })
  }
}
