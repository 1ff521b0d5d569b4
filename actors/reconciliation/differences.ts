/** The exceptions that differences are: their ids follow from what they are about, so that a report that is sent again opens none twice. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { confirmedAfterReturnId, endedWhileLockedId, exceptionId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { inEnglish, type Reason, type ReportedDifference, reasonOf } from '../exceptions/report-reasons.ts'
import type { Day } from '../terms/days.ts'
import type { Judged, ReportedDay } from './matching.ts'
import type { ReportLine } from './report-lines.ts'

/** `null` of a match. */
export function exceptionIdOf(
  { networkId, day }: Pick<ReportedDay, 'networkId' | 'day'>,
  { named, reference, amountMinor, kind }: ReportLine,
  { outcome, joins }: Judged,
  orderId: string | null,
): string | null {
  if (outcome === 'matched') return null
  if (orderId !== null && joins === 'ended') return endedWhileLockedId(orderId)
  if (orderId !== null && joins === 'disputed') return confirmedAfterReturnId(orderId)
  const about = orderId ?? `${named ?? ''}/${reference ?? ''}`
  return exceptionId('report_difference', networkId, day, outcome, kind, about, `${amountMinor}`)
}

export function missingExceptionId(networkId: string, day: Day, orderId: string): string {
  return exceptionId('report_difference', networkId, day, 'only_ours', orderId)
}

type Line = Row<'report_lines'>

function saidBy({ network_id, day, currency }: Row<'report_files'>, line: Line): ReportedDifference {
  const amount = (minor: bigint | null) => (minor === null ? null : formatPrice(minor, currency))
  return {
    network: network_id,
    day,
    outcome: line.outcome,
    why: whyOf(line),
    line: line.line,
    named: line.named,
    reference: line.reference,
    theirs: amount(line.amount_minor),
    ours: amount(line.ours_minor),
  }
}

function whyOf({ line, file_id, reason }: Line): Reason {
  const why = reasonOf(reason)
  if (why === null) throw new Error(`Line ${line} of ${file_id} differs, and says not why.`)
  return why
}

/**
 * What a line that differs does to its exception: it is opened, or the line is evidence of one that is open already.
 * @param exception of the id that the line has
 */
export function openedBy(
  file: Row<'report_files'>,
  line: Line,
  exception: Row<'exceptions'> | null,
  ended: Row<'exceptions'> | null,
  at: Instant,
): Write[] {
  const said = saidBy(file, line)
  if (exception === null) return [{ insert: 'exceptions', values: opened(file, line, said, ended, at) }]
  if (exception.kind === 'report_difference')
    return exception.resolution === 'corrected' ? [reopened(exception)] : []
  if (exception.state !== 'open') return []
  const evidence: { report?: ReportedDifference } = JSON.parse(exception.evidence_json)
  if (JSON.stringify(evidence.report) === JSON.stringify(said)) return []
  // Who looked before the network had said it has seen other evidence.
  const set = {
    evidence_json: JSON.stringify({ ...evidence, report: said }),
    revision: exception.revision + 1,
  }
  return [{ update: 'exceptions', key: { id: exception.id }, set }]
}

function opened(
  file: Row<'report_files'>,
  line: Line,
  said: ReportedDifference,
  ended: Row<'exceptions'> | null,
  at: Instant,
): Row<'exceptions'> {
  const { exception_id: id, order_id } = line
  if (id === null) throw new Error(`Line ${line.line} of ${file.id} differs, and has no exception.`)
  const isDispute = order_id !== null && id === confirmedAfterReturnId(order_id)
  const where = `${file.network_id} reports of ${file.day}, line ${line.line}`
  return newException({
    id,
    kind: isDispute ? 'confirmed_after_return' : 'report_difference',
    order_id,
    reason: `${where}: ${inEnglish(said.why)}`,
    evidence: isDispute ? { exception: ended?.id, report: said } : { report: said },
    opened_at: at,
    amount: said.theirs ?? said.ours ?? null,
    asset: file.currency,
  })
}

export function openedMissing(
  { network_id, day, order_id, ours_minor }: Row<'report_missing'>,
  currency: string,
  exception: Row<'exceptions'> | null,
  at: Instant,
): Write[] {
  if (exception !== null) return exception.resolution === 'corrected' ? [reopened(exception)] : []
  const ours = formatPrice(ours_minor, currency)
  const said: ReportedDifference = {
    network: network_id,
    day,
    outcome: 'only_ours',
    why: { code: 'unreported' },
    ours,
  }
  const values = newException({
    id: missingExceptionId(network_id, day, order_id),
    kind: 'report_difference',
    order_id,
    reason: `${network_id} does not report it of ${day}; here it was paid then.`,
    evidence: { report: said },
    opened_at: at,
    amount: ours,
    asset: currency,
  })
  return [{ insert: 'exceptions', values }]
}

/** It was settled by a report that another one has taken the place of since. */
function reopened({ id, revision }: Row<'exceptions'>): Write {
  const nobody = { resolved_at: null, resolution: null, resolved_by: null, resolution_reason: null }
  return { update: 'exceptions', key: { id }, set: { state: 'open', ...nobody, revision: revision + 1 } }
}

/** What no report says any more is settled by that; nobody has to look. */
export function correctedBy(exception: Row<'exceptions'>, day: Day, at: Instant): Write[] {
  if (exception.state !== 'open' || exception.kind !== 'report_difference') return []
  const set = {
    state: 'resolved',
    resolved_at: at,
    resolution: 'corrected',
    resolved_by: null,
    resolution_reason: `A later report of ${day} no longer says so (${formatInstant(at)}).`,
    resolution_evidence: null,
    revision: exception.revision + 1,
  } as const
  return [{ update: 'exceptions', key: { id: exception.id }, set }]
}
