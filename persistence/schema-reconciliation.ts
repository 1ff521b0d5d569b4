/** The tables of reconciliation; what columns hold is said in `schema.ts`. Days are texts such as `2026-12-01`. */
import type { Instant } from '../machines/time.ts'

/** What a network calls the payment of an order, as its tills have said. */
export interface NetworkReferenceTable {
  order_id: string
  network_id: string
  reference: string
}

/**
 * `loading`: its lines are being stored. `loaded`: all are there. `current`: what its network says of the day, with an exception for
 * each difference. `replaced`: a later one says it now.
 */
export type ReportFileState = 'loading' | 'loaded' | 'current' | 'replaced'

/** A network's report of a day: a file, or what its software has sent. */
export interface ReportFileTable {
  id: string
  network_id: string
  day: string
  source: 'file' | 'api'
  /** SHA-256 in hex, of the file's bytes or of its lines. */
  digest: string
  /** SHA-256 in hex over the terms that it was judged by; '' of those from before this was kept. */
  rules: string
  state: ReportFileState
  currency: string
  line_count: number
  paid_count: number
  paid_minor: bigint
  began_at: Instant
  began_by: string
  /** Since then it is the day's. */
  applied_at: Instant | null
  /** Since then what is missing of the day is judged by it, too, and what it has corrected is settled. */
  finished_at: Instant | null
}

export type LineKind = 'paid' | 'reversed' | 'not_paid'
export type LineOutcome = 'matched' | 'only_theirs' | 'amount' | 'day' | 'status' | 'twice' | 'reversed'

/** A line of a report, and what it came to. */
export interface ReportLineTable {
  file_id: string
  /** Of the file, from 1. */
  line: number
  kind: LineKind
  /** Id or code of the order, as it was written. */
  named: string | null
  reference: string | null
  amount_minor: bigint | null
  paid_at: Instant | null
  order_id: string | null
  /** The order's price, where it is paid here. */
  ours_minor: bigint | null
  ours_day: string | null
  outcome: LineOutcome
  /** Why it is no match, as JSON: a code with what is known of the case. */
  reason: string | null
  exception_id: string | null
}

/** An order that is paid here on a day, and that no report tells of. */
export interface ReportMissingTable {
  network_id: string
  day: string
  order_id: string
  ours_minor: bigint
  /** Null as long as a report that is tolerated may still come. */
  exception_id: string | null
}

/** A report that a network's software sends in parts, one after the other. */
export interface SentReportTable {
  id: string
  network_id: string
  day: string
  /** What its sender calls it: a corrected one of the day has another. */
  name: string
  currency: string
  parts: number
  /** How many have come. */
  received: number
  line_count: number
  paid_count: number
  paid_minor: bigint
  /** Lines that differed when their part came. */
  differing: number
  /** SHA-256 in hex over what has come. */
  digest: string
  began_at: Instant
  /** The provider's name, and the key that signed its first part. */
  said_by: string
  credential: string
  /** Since then all of it is there. */
  completed_at: Instant | null
  /** Since then it is what its day has, or it says what the day had already. */
  applied_at: Instant | null
  file_id: string | null
}

export interface SentReportPartTable {
  report_id: string
  /** From 1. */
  part: number
  digest: string
  /** Of the whole report, from 1. */
  first_line: number
  line_count: number
  /** Null once the report is applied. */
  lines_json: string | null
}

export interface ReconciliationTables {
  network_references: NetworkReferenceTable
  report_files: ReportFileTable
  report_lines: ReportLineTable
  report_missing: ReportMissingTable
  sent_reports: SentReportTable
  sent_report_parts: SentReportPartTable
}
