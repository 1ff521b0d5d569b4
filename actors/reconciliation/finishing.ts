/**
 * Bringing a stored report to its end: an exception for each difference, then it counts for its day, then what is missing of the days
 * around it is judged anew, and what it corrects is settled. Each part is made of steps that can be taken again.
 */
import { exceptionById } from '../../persistence/queries/operations.ts'
import { accountById } from '../../persistence/queries/provisioning.ts'
import {
  currentFile,
  currentFilesBetween,
  currentLineOf,
  daysFoundBy,
  daysLostWith,
  differingLinesAfter,
  filesOfDay,
  linesAfter,
  missingAfter,
  networkById,
  unfinishedFiles,
} from '../../persistence/queries/reconciliation.ts'
import {
  accountId,
  type Decision,
  type Row,
  row,
  rows,
  type Store,
  type Write,
} from '../../persistence/store.ts'
import { endedWhileLockedId } from '../exceptions/exception-id.ts'
import type { PassResult } from '../foundation/worker.ts'
import { addDays, type Day } from '../terms/days.ts'
import { mappingOf } from '../terms/report-mapping.ts'
import { correctedBy, missingExceptionId, openedBy, openedMissing } from './differences.ts'
import { unreported } from './missing.ts'
import { type OwnPayment, ownPayments } from './own-payments.ts'

const pageSize = 100

type File = Row<'report_files'>

/** The worker's: what was cut off is gone on with. */
export async function finishReports(store: Store): Promise<PassResult> {
  const files = await store.query(unfinishedFiles, {})
  for (const file of files) await finishReport(store, file)
  return { more: files.length > 0, seen: { finished: files.length } }
}

export async function finishReport(store: Store, file: File): Promise<void> {
  if (file.state === 'loaded') {
    await openDifferences(store, file)
    await makeCurrent(store, file)
  }
  const [network] = await store.query(networkById, { networkId: file.network_id })
  if (network === undefined) throw new Error(`There is no network ${file.network_id}.`)
  const { toleratedDays } = mappingOf(network.report_json)
  for (const day of await daysAround(store, file, toleratedDays)) {
    await judgeMissing(store, { network, day, currency: file.currency, toleratedDays })
  }
  await settleCorrected(store, file)
  await dropUnfinished(store, file)
  await store.step({
    rows: { held: row('report_files', { id: file.id }) },
    decide: ({ held }, at): Decision<null> => ({
      answer: null,
      writes:
        held === null || held.finished_at !== null
          ? []
          : [{ update: 'report_files', key: { id: file.id }, set: { finished_at: at } }],
      wake: ['exceptions'],
    }),
  })
}

/** On which days something may be missing now, or may not be any more. */
async function daysAround(store: Store, file: File, toleratedDays: number): Promise<Set<Day>> {
  const days = new Set<Day>()
  for (let away = -toleratedDays; away <= toleratedDays; away++) days.add(addDays(file.day, away))
  for (const { day } of await store.query(daysFoundBy, { fileId: file.id })) days.add(day)
  const { network_id: networkId, day: of } = file
  for (const { day } of await store.query(daysLostWith, { networkId, day: of }))
    if (day !== null) days.add(day)
  return days
}

async function openDifferences(store: Store, file: File): Promise<void> {
  for (let after = 0; ; ) {
    const lines = await store.query(differingLinesAfter, { fileId: file.id, after, limit: pageSize })
    const last = lines.at(-1)
    if (last === undefined) return
    after = last.line
    const ids = [...new Set(lines.flatMap(({ exception_id: id }) => (id === null ? [] : [id])))]
    const ended = [
      ...new Set(lines.flatMap(({ order_id: id }) => (id === null ? [] : [endedWhileLockedId(id)]))),
    ]
    const all = [...new Set([...ids, ...ended])]
    await store.step({
      rows: {
        exceptions: rows(
          'exceptions',
          all.map((id) => ({ id })),
        ),
      },
      decide: ({ exceptions }, at): Decision<null> => {
        const held = new Map(exceptions.flatMap((one) => (one === null ? [] : [[one.id, one] as const])))
        const told = new Set<string>()
        const writes = lines.flatMap((line): Write[] => {
          const id = line.exception_id
          // Of two lines about one thing, one is enough.
          if (id === null || told.has(id)) return []
          told.add(id)
          const before = line.order_id === null ? null : (held.get(endedWhileLockedId(line.order_id)) ?? null)
          return openedBy(file, line, held.get(id) ?? null, before, at)
        })
        return { answer: null, writes, wake: ['exceptions'] }
      },
    })
  }
}

async function makeCurrent(store: Store, { id, network_id: networkId, day }: File): Promise<void> {
  const [before] = await store.query(currentFile, { networkId, day })
  await store.step({
    rows: {
      file: row('report_files', { id }),
      before: before && before.id !== id ? row('report_files', { id: before.id }) : undefined,
    },
    decide: (held, at): Decision<null> => {
      if (held.file?.state !== 'loaded') return { answer: null, writes: [] }
      const writes: Write[] = []
      if (held.before?.state === 'current') {
        writes.push({ update: 'report_files', key: { id: held.before.id }, set: { state: 'replaced' } })
      }
      writes.push({ update: 'report_files', key: { id }, set: { state: 'current', applied_at: at } })
      return { answer: null, writes }
    },
  })
}

interface OfDay {
  network: Row<'networks'>
  day: Day
  currency: string
  toleratedDays: number
}

/** What is paid here on a day that has a report, and that no report tells of. */
async function judgeMissing(store: Store, of: OfDay): Promise<void> {
  const { network, day, currency, toleratedDays } = of
  const { network_id: networkId, provider_id: providerId } = network
  const around = await store.query(currentFilesBetween, {
    networkId,
    from: day,
    to: addDays(day, toleratedDays),
  })
  if (!around.some((file) => file.day === day)) return
  // Whether a payment is told of by a later day's report is known once that is there.
  const isFinal = around.length === toleratedDays + 1
  const account = accountId({ kind: 'provider', ownerId: providerId, currency })
  const [held] = await store.query(accountById, { id: account })
  if (held !== undefined) {
    for await (const page of ownPayments(store, { account: held, networkId, day })) {
      await noteMissing(store, of, await unreported(store, networkId, page), isFinal)
    }
  }
  await forgetFound(store, of)
}

async function noteMissing(
  store: Store,
  { network: { network_id }, day, currency }: OfDay,
  missing: readonly OwnPayment[],
  isFinal: boolean,
): Promise<void> {
  if (missing.length === 0) return
  const keys = missing.map(({ orderId: order_id }) => ({ network_id, day, order_id }))
  const ids = missing.map(({ orderId }) => missingExceptionId(network_id, day, orderId))
  await store.step({
    rows: {
      missing: rows('report_missing', keys),
      exceptions: rows(
        'exceptions',
        ids.map((id) => ({ id })),
      ),
    },
    decide: (held, at): Decision<null> => {
      const writes = missing.flatMap(({ orderId: order_id, minor: ours_minor }, index): Write[] => {
        const [before, exception] = [held.missing[index] ?? null, held.exceptions[index] ?? null]
        const exception_id = isFinal ? (ids[index] ?? null) : (before?.exception_id ?? null)
        const values = { network_id, day, order_id, ours_minor, exception_id }
        const key = { network_id, day, order_id }
        const kept: Write[] =
          before === null
            ? [{ insert: 'report_missing', values }]
            : before.exception_id === exception_id
              ? []
              : [{ update: 'report_missing', key, set: { exception_id } }]
        return [...kept, ...(isFinal ? openedMissing(values, currency, exception, at) : [])]
      })
      return { answer: null, writes, wake: ['exceptions'] }
    },
  })
}

/** What a report tells of by now is not missing any more. */
async function forgetFound(store: Store, { network: { network_id: networkId }, day }: OfDay): Promise<void> {
  for (let after = ''; ; ) {
    const page = await store.query(missingAfter, { networkId, day, after, limit: pageSize })
    const last = page.at(-1)
    if (last === undefined) return
    after = last.order_id
    const open = await unreported(
      store,
      networkId,
      page.map(({ order_id: orderId, ours_minor: minor }) => ({ orderId, minor })),
    )
    const stay = new Set(open.map(({ orderId }) => orderId))
    const found = page.filter(({ order_id }) => !stay.has(order_id))
    if (found.length === 0) continue
    await store.step({
      rows: {
        exceptions: rows(
          'exceptions',
          found.flatMap(({ exception_id: id }) => (id === null ? [] : [{ id }])),
        ),
        missing: rows(
          'report_missing',
          found.map(({ network_id, order_id }) => ({ network_id, day, order_id })),
        ),
      },
      decide: (held, at): Decision<null> => ({
        answer: null,
        writes: [
          ...held.missing.flatMap((one): Write[] =>
            one === null
              ? []
              : [
                  {
                    delete: 'report_missing',
                    key: { network_id: one.network_id, day, order_id: one.order_id },
                  },
                ],
          ),
          ...held.exceptions.flatMap((one) => (one === null ? [] : correctedBy(one, day, at))),
        ],
        wake: ['exceptions'],
      }),
    })
  }
}

/** Differences of reports that this one has taken the place of, and that it does not repeat. */
async function settleCorrected(store: Store, { network_id: networkId, day }: File): Promise<void> {
  const files = await store.query(filesOfDay, { networkId, day })
  for (const { id: fileId, state } of files) {
    if (state !== 'replaced') continue
    for (let after = 0; ; ) {
      const lines = await store.query(differingLinesAfter, { fileId, after, limit: pageSize })
      const last = lines.at(-1)
      if (last === undefined) break
      after = last.line
      for (const { exception_id: exceptionId } of lines) {
        if (exceptionId === null) continue
        const [still] = await store.query(currentLineOf, { exceptionId })
        const [exception] = still === undefined ? await store.query(exceptionById, { id: exceptionId }) : []
        if (exception?.state === 'open' && exception.kind === 'report_difference')
          await settle(store, exceptionId, day)
      }
    }
  }
}

async function settle(store: Store, id: string, day: Day): Promise<void> {
  await store.step({
    rows: { exception: row('exceptions', { id }) },
    decide: ({ exception }, at): Decision<null> => ({
      answer: null,
      writes: exception === null ? [] : correctedBy(exception, day, at),
      wake: ['exceptions'],
    }),
  })
}

/** Reports of the day whose storing was cut off, and that nobody has sent again. */
async function dropUnfinished(store: Store, { id, network_id: networkId, day, source }: File): Promise<void> {
  for (const file of await store.query(filesOfDay, { networkId, day })) {
    if (file.state !== 'loading' || file.source !== source || file.id === id) continue
    for (;;) {
      const lines = await store.query(linesAfter, { fileId: file.id, after: 0, limit: pageSize })
      if (lines.length === 0) break
      await store.step({
        rows: {},
        decide: () => ({
          answer: null,
          writes: lines.map(
            ({ file_id, line }): Write => ({ delete: 'report_lines', key: { file_id, line } }),
          ),
        }),
      })
    }
    await store.step({
      rows: {},
      decide: () => ({ answer: null, writes: [{ delete: 'report_files', key: { id: file.id } }] }),
    })
  }
}
