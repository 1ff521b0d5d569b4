/** What is answered about reports: protocol 16.7. */
import type { OwnReport } from '../../actors/reconciliation/own-reports.ts'
import type { ReceivedPart, ToldVerdict } from '../../actors/reconciliation/sent-reports.ts'

/** Neither the order nor its code: whoever sent the line knows what it named. */
export interface VerdictView {
  line: number
  outcome: string
  reason: string | null
  reference: string | null
}

export interface ReportPartView {
  network_id: string
  day: string
  report: string
  part: number
  parts: number
  next_part: number | null
  lines: VerdictView[]
}

export interface ReportDayView {
  network_id: string
  day: string
  state: string
  report: string | null
  line_count: number
  paid_count: number
  paid_amount: string
  open_differences: number
  sending: string | null
  next_part: number | null
  lines: VerdictView[]
  next: string | null
}

function viewOfVerdict({ line, outcome, reason, reference }: ToldVerdict): VerdictView {
  return { line, outcome, reason, reference }
}

export function viewOfPart({
  networkId,
  day,
  name,
  part,
  parts,
  isComplete,
  verdicts,
}: ReceivedPart): ReportPartView {
  return {
    network_id: networkId,
    day,
    report: name,
    part,
    parts,
    next_part: isComplete ? null : part + 1,
    lines: verdicts.map(viewOfVerdict),
  }
}

export function viewOfReport(report: OwnReport): ReportDayView {
  return {
    network_id: report.networkId,
    day: report.day,
    state: report.state,
    report: report.name,
    line_count: report.lineCount,
    paid_count: report.paidCount,
    paid_amount: report.paidAmount,
    open_differences: report.open,
    sending: report.sending,
    next_part: report.nextPart,
    lines: report.verdicts.map(viewOfVerdict),
    next: report.next,
  }
}
