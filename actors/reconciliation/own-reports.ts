/** A day of a network as its provider may look at it: how far its report is, and what each line came to (protocol 16.7). */
import { formatPrice } from '../../machines/money.ts'
import { currentFile } from '../../persistence/queries/reconciliation.ts'
import { sentReportsOfDay, toldLinesAfter } from '../../persistence/queries/sent-reports.ts'
import type { Store } from '../../persistence/store.ts'
import { reasonOf } from '../exceptions/report-reasons.ts'
import { type DayState, dayState } from './day-states.ts'
import { heldOf } from './facts.ts'
import { reportedDayOf } from './report-day.ts'
import { holdingOf, type ToldVerdict, toldVerdict } from './sent-reports.ts'

export interface OwnReport {
  networkId: string
  day: string
  state: DayState
  /** The report that the day has: of a file, without a name. */
  name: string | null
  lineCount: number
  paidCount: number
  paidAmount: string
  /** What waits for a person here. */
  open: number
  /** The latest one that has not all its parts, or is not applied yet; and the part that it waits for. */
  sending: string | null
  nextPart: number | null
  verdicts: ToldVerdict[]
  next: string | null
}

/** `null` for a cursor that is none. The network is the provider's own. */
export async function ownReport(
  store: Pick<Store, 'query'>,
  { providerId, networkId, day }: { providerId: string; networkId: string; day: string },
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<OwnReport | null> {
  if (cursor !== null && !/^[1-9]\d{0,8}$/.test(cursor)) return null
  const { reported } = await reportedDayOf(store, networkId, day)
  const [file] = await store.query(currentFile, { networkId, day })
  const sent = await store.query(sentReportsOfDay, { networkId, day })
  const sending = sent.find(({ applied_at }) => applied_at === null)
  const { state, open } = await dayState(store, networkId, day, file)
  const after = Number(cursor ?? 0)
  const lines =
    file === undefined ? [] : await store.query(toldLinesAfter, { fileId: file.id, after, limit: limit + 1 })
  const page = lines.slice(0, limit)
  return {
    networkId,
    day,
    state,
    name: sent.find(({ file_id }) => file_id !== null && file_id === file?.id)?.name ?? null,
    lineCount: file?.line_count ?? 0,
    paidCount: file?.paid_count ?? 0,
    paidAmount: formatPrice(file?.paid_minor ?? 0n, reported.currency),
    open,
    sending: sending?.name ?? null,
    nextPart: sending === undefined || sending.completed_at !== null ? null : sending.received + 1,
    verdicts: await toldOf(store, providerId, page),
    next: lines.length > limit ? `${page.at(-1)?.line ?? 0}` : null,
  }
}

/** Orders that are in the archive by now are nobody's. */
async function toldOf(
  store: Pick<Store, 'query'>,
  providerId: string,
  lines: readonly (Omit<Parameters<typeof toldVerdict>[0], 'reason'> & {
    reason: string | null
    order_id: string | null
    lock_provider_id: string | null
  })[],
): Promise<ToldVerdict[]> {
  const orders = lines.map(({ order_id: id, lock_provider_id }) =>
    id === null ? null : { id, lock_provider_id },
  )
  const held = await heldOf(
    store,
    providerId,
    orders.filter((order) => order !== null),
  )
  return lines.map((line, index) => {
    const order = orders[index] ?? null
    const wasHeld = held.has(order?.id ?? '') || (order !== null && line.ours_minor !== null)
    return toldVerdict({ ...line, reason: reasonOf(line.reason) }, holdingOf(providerId, order, wasHeld))
  })
}
