/** What creations have in common: their Idempotency-Key, and that a frozen merchant or a drained node makes nothing new. */
import type { Answer } from '../../actors/orders/answers.ts'
import type { OrderRegistry } from '../../actors/orders/registry.ts'
import type { HttpAnswer } from '../foundation/errors.ts'
import { type Endpoint, guardOf, refuse, storedAnswer } from './route.ts'

/** How a creation ends that made nothing because of its Idempotency-Key. */
export type KeyOutcome =
  | { outcome: 'repeated'; answer: Answer }
  | { outcome: 'other_payload' }
  | { outcome: 'in_flight' }

export function keyAnswer(known: KeyOutcome): HttpAnswer {
  switch (known.outcome) {
    case 'repeated':
      return storedAnswer(known.answer)
    case 'other_payload':
      return refuse({ name: 'idempotency_key_reused' })
    case 'in_flight':
      return refuse({ name: 'idempotency_in_flight' })
  }
}

export interface RecallingOptions {
  orders: Pick<OrderRegistry, 'recall'>
  /** The operator has it drained for maintenance. */
  isDrained: () => boolean
}

/** An answer kept under an Idempotency-Key comes before all rules: the first request passed them in its day. */
export function recalling({ orders, isDrained }: RecallingOptions, endpoint: Endpoint): Endpoint {
  return async (request) => {
    const guard = guardOf(request)
    const known = guard === undefined ? null : await orders.recall(guard)
    if (known?.outcome === 'stale_repetition') throw new Error('A creation is not bound to a revision.')
    if (known !== null) return keyAnswer(known)
    if (request.identity.isFrozen) return refuse({ name: 'permission_denied' })
    if (isDrained()) return refuse({ name: 'draining' })
    return endpoint(request)
  }
}
