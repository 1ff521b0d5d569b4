/** What is paid here and no report tells of: as it is once reports count, and as it would be with one that is looked at. */
import { accountById } from '../../persistence/queries/provisioning.ts'
import {
  currentFilesBetween,
  linesAboutOrders,
  missingAfter,
} from '../../persistence/queries/reconciliation.ts'
import { accountId, type Row, type Store } from '../../persistence/store.ts'
import { addDays, type Day } from '../terms/days.ts'
import { claimedCashOf } from './claimed-cash.ts'
import { missingExceptionId } from './differences.ts'
import type { ReportedDay } from './matching.ts'
import { type OwnPayment, ownPayments } from './own-payments.ts'

/**
 * What calls one not paid or taken back tells of it as well: its line is a difference of its own.
 * @param without a report that is about to be another one
 */
export async function unreported(
  store: Pick<Store, 'query'>,
  networkId: string,
  page: readonly OwnPayment[],
  without: string | null = null,
): Promise<OwnPayment[]> {
  const ids = page.map(({ orderId }) => orderId)
  const told = await store.query(linesAboutOrders, { orders: JSON.stringify(ids) })
  const reported = new Set(
    told
      .filter(
        ({ state, network_id, file_id }) =>
          state === 'current' && network_id === networkId && file_id !== without,
      )
      .map(({ order_id }) => order_id),
  )
  const claimed = await claimedCashOf(store, ids)
  // What a claim has taken back, no report needs to tell of.
  return page
    .filter(({ orderId }) => !reported.has(orderId) && claimed.get(orderId)?.reversed == null)
    .map(({ orderId, minor }) => ({
      orderId,
      minor: minor + (claimed.get(orderId)?.handledBeyondMinor ?? 0n),
    }))
}

/** The days whose reports may tell of what a day's own does not, and are not there yet; the oldest first. */
export function awaitedDays(day: Day, toleratedDays: number, isThere: (day: Day) => boolean): Day[] {
  const days: Day[] = []
  for (let away = 1; away <= toleratedDays; away++) {
    const later = addDays(day, away)
    if (!isThere(later)) days.push(later)
  }
  return days
}

export interface ForeseenPayment extends OwnPayment {
  day: Day
  /** The reports that may still tell of it; with none left it becomes an exception. */
  awaited: readonly Day[]
  exceptionId: string
}

/**
 * What would be missing once a report counted: of its own day, and of those that waited for it.
 * @param present the report that the day has now
 * @param isTold whether the report tells of an order
 */
export async function* foreseeMissing(
  store: Store,
  { networkId, providerId, currency, day: of, toleratedDays }: ReportedDay,
  present: Row<'report_files'> | undefined,
  isTold: (orderId: string) => boolean,
): AsyncGenerator<ForeseenPayment[]> {
  const first = addDays(of, -toleratedDays)
  const files = await store.query(currentFilesBetween, {
    networkId,
    from: first,
    to: addDays(of, toleratedDays),
  })
  const there = new Set([of, ...files.map(({ day }) => day)])
  const account = accountId({ kind: 'provider', ownerId: providerId, currency })
  const [held] = await store.query(accountById, { id: account })
  if (held === undefined) return
  for (let day = first; day <= of; day = addDays(day, 1)) {
    if (!there.has(day)) continue
    const awaited = awaitedDays(day, toleratedDays, (one) => there.has(one))
    for await (const page of ownPayments(store, { account: held, networkId, day })) {
      const missing = await unreported(store, networkId, page, present?.id ?? null)
      const left = missing.filter(({ orderId }) => !isTold(orderId))
      if (left.length === 0) continue
      yield left.map((one) => ({
        ...one,
        day,
        awaited,
        exceptionId: missingExceptionId(networkId, day, one.orderId),
      }))
    }
  }
}

/** Exceptions of what is missing already, of the days that a report of this one concerns. */
export async function missedBefore(
  store: Pick<Store, 'query'>,
  { networkId, day: of, toleratedDays }: ReportedDay,
): Promise<Set<string>> {
  const known = new Set<string>()
  for (let day = addDays(of, -toleratedDays); day <= of; day = addDays(day, 1)) {
    for (let after = ''; ; ) {
      const page = await store.query(missingAfter, { networkId, day, after, limit: 500 })
      const last = page.at(-1)
      if (last === undefined) break
      after = last.order_id
      for (const { exception_id: id } of page) if (id !== null) known.add(id)
    }
  }
  return known
}
