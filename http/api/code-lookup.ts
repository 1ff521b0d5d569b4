/**
 * An order by the code a provider names, within what the provider may ask for in vain (protocol 8.3;
 * Codes).
 */
import { hasCheckDigit } from '../../actors/orders/code.ts'
import type { PublicOrders } from '../../actors/orders/registry.ts'
import type { Order } from '../../actors/orders/representation.ts'
import type { Usage } from '../../actors/parties/code-budgets.ts'
import type { Direction } from '../../machines/order.ts'
import type { HttpAnswer } from '../foundation/errors.ts'
import type { CodeMisses } from '../limits/code-misses.ts'
import { throttledAnswer } from '../limits/limits.ts'
import type { PaymentAction } from './refusals.ts'
import { refuse, type SignedRequest } from './route.ts'

export interface CodeLookupOptions {
  orders: PublicOrders
  misses: CodeMisses
}

export type Found = { ok: true; order: Order } | { ok: false; answer: HttpAnswer }

/**
 * Finds the order, or says 404 or 429. A look is paid for before it is made; where nothing is left a GET and a start are
 * not looked up at all. A confirm or cancel goes on for the provider that holds the order or held it last, whatever is
 * left; any other is answered as if the code were unknown, or confirmations would tell which codes there are.
 */
export async function findByCode(
  options: CodeLookupOptions,
  { identity, params }: Pick<SignedRequest, 'identity' | 'params'>,
  direction: Direction,
  action: 'check' | PaymentAction,
): Promise<Found> {
  const code = params.code ?? ''
  const unknown: Found = { ok: false, answer: refuse({ name: 'not_found' }) }
  // What no code looks like is unknown without a look.
  if (!hasCheckDigit(code)) return unknown
  const mayGoOn = action === 'confirm' || action === 'cancel'
  const own = mayGoOn ? await options.orders.findByCode(code) : null
  const looked: Looked =
    own?.lock_provider_id === identity.partyId
      ? { ok: true, order: own }
      : await paidLook(options, identity.partyId, code)
  if (!looked.ok) return { ok: false, answer: throttledAnswer(looked.usage) }
  const { order } = looked
  // A code of the other direction is unknown here, but was not guessed: tills may try both.
  return order?.direction === direction ? { ok: true, order } : unknown
}

type Looked = { ok: true; order: Order | null } | { ok: false; usage: Usage }

async function paidLook(
  { orders, misses }: CodeLookupOptions,
  providerId: string,
  code: string,
): Promise<Looked> {
  const look = await misses.pay(providerId)
  if (look.isOver) return { ok: false, usage: look }
  let order: Order | null = null
  try {
    order = await orders.findByCode(code)
  } finally {
    // One that could not be made counts as missed: whoever can make it fail must not have it for nothing.
    if (order === null) look.missed()
    else look.found(order.id)
  }
  return { ok: true, order }
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
