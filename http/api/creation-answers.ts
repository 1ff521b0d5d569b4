/** What creations have in common: their Idempotency-Key, and that a frozen merchant or a drained node makes nothing new. */
import type { Answer } from '../../actors/orders/answers.ts'
import type { CreatedAnswer, CreationRefusal } from '../../actors/orders/creating.ts'
import type { PublicOrders } from '../../actors/orders/registry.ts'
import type { CreationVeto } from '../../actors/orders/vetoes.ts'
import { type FieldError, fieldError, type HttpAnswer, type HttpRefusal } from '../foundation/errors.ts'
import { refundError } from './requests.ts'
import { dryRunAnswer, type Endpoint, guardOf, refuse, replayedAnswer, storedAnswer } from './route.ts'

const vetoes: Record<CreationVeto, HttpRefusal> = {
  merchant_frozen: { name: 'permission_denied' },
  node_drained: { name: 'draining' },
}

/** How a creation ends that made nothing because of its Idempotency-Key. */
export type KeyOutcome =
  | { outcome: 'repeated'; answer: Answer }
  | { outcome: 'other_payload' }
  | { outcome: 'in_flight' }

export function keyAnswer(known: KeyOutcome): HttpAnswer {
  switch (known.outcome) {
    case 'repeated':
      return replayedAnswer(known.answer)
    case 'other_payload':
      return refuse({ name: 'idempotency_key_reused' })
    case 'in_flight':
      return refuse({ name: 'idempotency_in_flight' })
  }
}

/** @param named the id of the quote, or of the pay-in, that the creation names; `''` where it names none */
export function creationAnswer(created: CreatedAnswer, named: string): HttpAnswer {
  switch (created.outcome) {
    case 'created':
      return storedAnswer(created.answer)
    case 'creatable':
      return dryRunAnswer(created.answer)
    case 'vetoed':
      return refuse(vetoes[created.veto])
    case 'duplicate_merchant_order_id':
      return refuse({ name: 'fields', errors: [fieldError('merchant_order_id', 'not_unique')] })
    // Between the look and the step another order took it, or its time came.
    case 'refused':
      return refuse({ name: 'fields', errors: [disagreement(created.reason, named)] })
    case 'refund_refused':
      return refuse({ name: 'fields', errors: [refundError(created.problem, named)] })
    case 'stale_repetition':
      throw new Error('A creation is not bound to a revision.')
    default:
      return keyAnswer(created)
  }
}

function disagreement(reason: CreationRefusal, quote: string): FieldError {
  if (reason === 'price_below_fee') return fieldError('price', reason)
  return reason === 'wallet_invalid' ? fieldError('wallet', reason) : fieldError('quote', reason, { quote })
}

export interface RecallingOptions {
  orders: Pick<PublicOrders, 'recall'>
  /** The operator has it drained for maintenance. */
  isDrained: () => boolean
}

/**
 * An answer kept under an Idempotency-Key comes before all rules: the first request passed them in its day. A veto that is
 * known comes before what is wrong with the fields; the step judges it again, on rows that it holds.
 */
export function recalling({ orders, isDrained }: RecallingOptions, endpoint: Endpoint): Endpoint {
  return async (request) => {
    const guard = guardOf(request)
    const known = guard === undefined ? null : await orders.recall(guard)
    if (known?.outcome === 'stale_repetition') throw new Error('A creation is not bound to a revision.')
    if (known !== null) return keyAnswer(known)
    if (request.identity.isFrozen) return refuse(vetoes.merchant_frozen)
    if (isDrained()) return refuse(vetoes.node_drained)
    return endpoint(request)
  }
}
