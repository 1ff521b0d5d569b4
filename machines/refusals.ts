/** Why an order refuses an event: a closed list, decided from facts of the order alone. */
import type { OrderContext, OrderEvent } from './order.ts'
import { isOpen, type OrderStatus } from './statuses.ts'

export type RefusalReason =
  /** No such event in this status. */
  | 'wrong_status'
  /** A start at or after `expiry`, while the order could not be expired yet. */
  | 'past_expiry'
  | 'locked_by_caller'
  | 'locked_by_other'
  /** Confirm or cancel by a provider while another one holds the order. */
  | 'not_holder'
  /** Confirm by the provider that held the order when it expired or was cancelled. */
  | 'ended_while_locked'
  /** The operator's cancel of a locked order, without force. */
  | 'needs_force'
  | 'not_due'
  /** A start by a provider that the operator has frozen. */
  | 'provider_frozen'
  /** A start of an order whose merchant the operator has frozen: it may be an attacker's. */
  | 'merchant_frozen'
  /** A start of an order that was open in a backup that was restored: it may have been paid since. */
  | 'order_quarantined'
  /** A start through a network that was agreed on for another currency, or for other amounts. */
  | 'network_currency'
  | 'network_limits'
  /** A start of a pay-in whose provider owes, with what it is about to, as much as it may. */
  | 'exposure_reached'
  /** A start while the operator has the node drained: nothing new is begun. */
  | 'node_drained'

/** Names the reason for an event that the chart has refused. */
export function refusalOf(status: OrderStatus, context: OrderContext, event: OrderEvent): RefusalReason {
  switch (event.type) {
    case 'payment.start':
      if (status === 'PAYMENT_STARTED') {
        return context.lock?.providerId === event.providerId ? 'locked_by_caller' : 'locked_by_other'
      }
      return status === 'READY' ? 'past_expiry' : 'wrong_status'
    case 'payment.confirm':
    case 'payment.report':
      if (status === 'PAYMENT_STARTED') return 'not_holder'
      return endedWhileLocked(status) && context.lock?.providerId === event.providerId
        ? 'ended_while_locked'
        : 'wrong_status'
    case 'payment.cancel':
      return status === 'PAYMENT_STARTED' ? 'not_holder' : 'wrong_status'
    case 'operator.cancel':
      return status === 'PAYMENT_STARTED' ? 'needs_force' : 'wrong_status'
    case 'order.expire':
      return isOpen(status) ? 'not_due' : 'wrong_status'
    case 'funds.reserve':
    case 'funds.accept':
      return status === 'CREATED' && event.at >= context.expiryAt ? 'past_expiry' : 'wrong_status'
    case 'funds.credit':
    case 'transaction.built':
      return 'wrong_status'
  }
}

function endedWhileLocked(status: OrderStatus): boolean {
  return status === 'EXPIRED' || status === 'CANCELLED'
}
