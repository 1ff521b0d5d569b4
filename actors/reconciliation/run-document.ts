/** What is known of a network's file that is looked at: what it says, and what it would do or has done. */
import { formatPrice } from '../../machines/money.ts'
import type { Reason } from '../exceptions/report-reasons.ts'
import type { ForeseenPayment } from './missing.ts'
import type { FoundDay } from './report-day.ts'
import { maxFaults, noSums, type ReportFault, type ReportSums } from './report-lines.ts'

export type RunState = 'reading' | 'refused' | 'ready' | 'applying' | 'applied' | 'failed'

/** As many as are shown at once; the day's page has all of them. */
export const maxShown = 200

export interface RunLine {
  line: number
  outcome: string
  order: string | null
  named: string | null
  reference: string | null
  theirs: string | null
  ours: string | null
  /** In English. */
  reason: string
  why: Reason
}

/** A payment of ours that the file does not tell of. */
export interface RunMissing {
  order: string
  /** On which it was paid here: the file's, or one that waits for it. */
  day: string
  ours: string
  /** Whose reports may still tell of it; with none left it becomes an exception. */
  awaited: readonly string[]
}

/** What a file says, and what it would do or has done. */
export interface RunDocument {
  run: string
  provider: string
  network: string
  day: string
  currency: string
  state: RunState
  /** Lines that were read, and lines that were stored. */
  read: number
  stored: number
  /** The same file is the day's already: there is nothing to do. */
  unchanged: boolean
  /** The same file is the day's already, judged by terms that have changed since. */
  judgedAnew: boolean
  /** The day has another report, which this one takes the place of. */
  replaces: boolean
  /** Of its payments, without those that it takes back. */
  paid: { count: number; amount: string }
  /** What is booked here of its day, whichever report tells of it: as the day's page has it once it is applied. */
  here: { count: number; amount: string }
  /** Payments of ours that it does not tell of: those that become exceptions, and those that a later report may tell of. */
  missing: { count: number; awaited: number; shown: RunMissing[] }
  outcomes: Record<string, number>
  /** Quarantined orders that it speaks of. */
  quarantined: number
  /** Beside the day's present report: differences that are new, and those that are gone. */
  appeared: number
  gone: number
  differences: RunLine[]
  faults: ReportFault[]
  /** Where there are more than are shown. */
  faultCount: number
  /** What went wrong with the node itself. */
  problem: string | null
}

export function newDocument(run: string, { reported, provider }: FoundDay): RunDocument {
  const { networkId, day, currency } = reported
  return {
    ...{ run, provider, network: networkId, day, currency, state: 'reading', read: 0, stored: 0 },
    ...{
      unchanged: false,
      judgedAnew: false,
      replaces: false,
      paid: paidOf(noSums, currency),
      outcomes: {},
      quarantined: 0,
    },
    here: paidOf(noSums, currency),
    missing: { count: 0, awaited: 0, shown: [] },
    ...{ appeared: 0, gone: 0, differences: [], faults: [], faultCount: 0, problem: null },
  }
}

/** Exceptions that it would have. */
export function differingLines({ outcomes, missing }: RunDocument): number {
  return Object.entries(outcomes).reduce(
    (sum, [outcome, count]) => sum + (outcome === 'matched' ? 0 : count),
    missing.count,
  )
}

export function noteMissing(
  document: RunDocument,
  page: readonly ForeseenPayment[],
  { now, here }: { now: Set<string>; here: { count: number; minor: bigint } },
): void {
  const { missing, currency } = document
  for (const { orderId: order, day, minor, awaited, exceptionId } of page) {
    if (awaited.length > 0) missing.awaited += 1
    else {
      missing.count += 1
      now.add(exceptionId)
    }
    if (day === document.day) {
      here.count += 1
      here.minor += minor
    }
    if (missing.shown.length < maxShown)
      missing.shown.push({ order, day, ours: formatPrice(minor, currency), awaited })
  }
}

export function paidOf({ paidCount: count, paidMinor }: ReportSums, currency: string): RunDocument['paid'] {
  return { count, amount: formatPrice(paidMinor, currency) }
}

export function noteFaults(document: RunDocument, faults: readonly ReportFault[]): void {
  document.faultCount += faults.length
  document.faults.push(...faults.slice(0, maxFaults - document.faults.length))
}
