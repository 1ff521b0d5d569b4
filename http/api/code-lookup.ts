/**
 * An order by the code a provider names, within what the provider may ask for in vain (protocol 8.3;
 * Codes).
 */
import { hasCheckDigit } from '../../actors/orders/code.ts'
import type { OrderRegistry } from '../../actors/orders/registry.ts'
import type { Order } from '../../actors/orders/representation.ts'
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import type { HttpAnswer } from '../foundation/errors.ts'
import type { CodeMisses } from '../limits/code-misses.ts'
import { throttledAnswer } from '../limits/limits.ts'
import type { PaymentAction } from './refusals.ts'
import { refuse, type SignedRequest } from './route.ts'

export interface CodeLookupOptions {
  orders: OrderRegistry
  misses: CodeMisses
  clock: { now(): Instant }
}

export type Found = { order: Order } | { refusal: HttpAnswer }

/**
 * Finds the order, or says 404 or 429. Past the budget a GET and a start are not looked up at all. A confirm or
 * cancel goes on for the provider that holds the order or held it last; any other is answered as if the code
 * were unknown, or confirmations would tell which codes there are.
 */
export async function findByCode(
  { orders, misses, clock }: CodeLookupOptions,
  { identity, params }: Pick<SignedRequest, 'identity' | 'params'>,
  direction: Direction,
  action: 'check' | PaymentAction,
): Promise<Found> {
  const code = params.code ?? ''
  // What no code looks like is unknown without a look.
  if (!hasCheckDigit(code)) return { refusal: refuse({ name: 'not_found' }) }
  const { partyId } = identity
  const now = clock.now()
  const budget = misses.budget(partyId, now)
  const mayGoOn = action === 'confirm' || action === 'cancel'
  if (budget.isOver && !mayGoOn) return { refusal: throttledAnswer(budget) }

  const order = await orders.findByCode(code)
  if (order === null) misses.missed(partyId, now)
  else misses.found(partyId, order.id, now)
  if (budget.isOver && order?.lock_provider_id !== partyId) return { refusal: throttledAnswer(budget) }
  // A code of the other direction is unknown here, but was not guessed: tills may try both.
  return order?.direction === direction ? { order } : { refusal: refuse({ name: 'not_found' }) }
}

/** Whether the provider holds the order of this code at the moment. */
export async function holdsOrder(
  { orders }: CodeLookupOptions,
  { identity, params }: Pick<SignedRequest, 'identity' | 'params'>,
  direction: Direction,
): Promise<boolean> {
  const code = params.code ?? ''
  const order = hasCheckDigit(code) ? await orders.findByCode(code, direction) : null
  return order?.status === 'PAYMENT_STARTED' && order.lock_provider_id === identity.partyId
}
