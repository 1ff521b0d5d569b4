/** What a network's report says, whatever form it came in. */
import type { Instant } from '../../machines/time.ts'
import type { LineKind } from '../../persistence/schema-reconciliation.ts'

/** One line as it was understood. */
export interface ReportLine {
  /** Of the file, from 1; where a value has line breaks, its last. */
  line: number
  kind: LineKind
  /** Id or code of the order, as it was written. */
  named: string | null
  reference: string | null
  /** In minor units of the network's currency; null where the cash was not handled and no amount is said. */
  amountMinor: bigint | null
  /** Null where a report says no times; of one that says days alone, the day's first instant. */
  paidAt: Instant | null
}

/** A line that is wrong, or why the report is wrong as a whole. */
export interface ReportFault {
  line: number
  problem: string
}

/** What is read at once. */
export interface ReportBatch {
  lines: ReportLine[]
  faults: ReportFault[]
}

/** What a report comes to: its payments, without those that it takes back. */
export interface ReportSums {
  lineCount: number
  paidCount: number
  paidMinor: bigint
}

export const noSums: ReportSums = { lineCount: 0, paidCount: 0, paidMinor: 0n }

export function addToSums(sums: ReportSums, { kind, amountMinor }: ReportLine): ReportSums {
  const isPaid = kind === 'paid'
  return {
    lineCount: sums.lineCount + 1,
    paidCount: sums.paidCount + (isPaid ? 1 : 0),
    paidMinor: sums.paidMinor + (isPaid ? (amountMinor ?? 0n) : 0n),
  }
}

export const batchLines = 300
/** More are another day's, or not this network's. */
export const maxReportLines = 200_000
export const maxReportBytes = 32 * 1024 * 1024
/** Each becomes an exception that a person looks at; whoever takes another day's file must not open a hundred thousand. */
export const maxDifferences = 2_000
/** Whoever mends a file reads no more at once. */
export const maxFaults = 200
/** The longest text of a cell that is kept. */
export const maxNameLength = 100
