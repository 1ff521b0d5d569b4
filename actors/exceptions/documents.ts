/** An exception as operators see it in lists. */
import { formatInstant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'

export interface ExceptionSummary {
  id: string
  kind: string
  order: string | null
  chain: string | null
  transactionId: string | null
  amount: string | null
  asset: string | null
  sender: string | null
  reason: string
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
    amount: exception.amount,
    asset: exception.asset,
    sender: exception.sender,
    reason: exception.reason,
    openedAt: formatInstant(exception.opened_at),
    state: exception.state,
    revision: exception.revision,
  }
}
