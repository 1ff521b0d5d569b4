/** An exception as operators see it in lists. */
import { formatInstant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import type { ReportedDifference } from './report-reasons.ts'

export interface ExceptionSummary {
  id: string
  kind: string
  order: string | null
  chain: string | null
  /** Where it is about one transaction of its chain. */
  transactionId: string | null
  /** Every transaction of its chain that it is about. */
  transactionIds: readonly string[]
  amount: string | null
  asset: string | null
  sender: string | null
  /** In English. */
  reason: string
  /** What a network's report says otherwise, where it is about that: the reason as a code. */
  report: ReportedDifference | null
  openedAt: string
  state: string
  /** Say it when resolving: another operator may have been faster, or the evidence may have changed. */
  revision: number
}

export function exceptionSummary(exception: Row<'exceptions'>): ExceptionSummary {
  return {
    id: exception.id,
    kind: exception.kind,
    order: exception.order_id,
    chain: exception.chain,
    transactionId: exception.transaction_id,
    transactionIds: transactionIdsOf(exception),
    amount: exception.amount,
    asset: exception.asset,
    sender: exception.sender,
    reason: exception.reason,
    report: reportOf(exception),
    openedAt: formatInstant(exception.opened_at),
    state: exception.state,
    revision: exception.revision,
  }
}

function reportOf({ evidence_json }: Row<'exceptions'>): ReportedDifference | null {
  const { report = null }: { report?: ReportedDifference | null } = JSON.parse(evidence_json)
  return report
}

function transactionIdsOf({ transaction_id, evidence_json }: Row<'exceptions'>): string[] {
  const { deposits = [] }: { deposits?: { transactionId: string }[] } = JSON.parse(evidence_json)
  const named = deposits.map(({ transactionId }) => transactionId)
  return [...new Set([...(transaction_id === null ? [] : [transaction_id]), ...named])]
}
