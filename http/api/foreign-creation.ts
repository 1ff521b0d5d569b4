/** The creation of a foreign-currency order: protocol 2.3 and 4.3. */
import type { ForeignCreated, ForeignOrders, QuoteLook } from '../../actors/orders/foreign-creation.ts'
import { representOrder } from '../../actors/orders/representation.ts'
import type { Directory } from '../../actors/parties/party-limits.ts'
import { fieldError, type HttpAnswer } from '../foundation/errors.ts'
import { parseUuid } from '../foundation/formats.ts'
import { type Json, member } from '../foundation/json.ts'
import { keyAnswer } from './creation-answers.ts'
import type { ForeignOrderRequest } from './requests.ts'
import { guardOf, refuse, type SignedRequest, speaker, storedAnswer } from './route.ts'

export interface ForeignCreationOptions {
  directory: Directory
  foreignOrders: ForeignOrders
  checkoutUrl: string
}

/** The quote that a creation names, before anything is judged; `null` for any other creation. */
export async function namedQuote(
  { foreignOrders }: ForeignCreationOptions,
  { document, identity }: SignedRequest,
): Promise<QuoteLook | null> {
  const id = quoteIdOf(document)
  return id === null ? null : foreignOrders.look(identity.partyId, id)
}

function quoteIdOf(body: Json): string | null {
  if (member(body, 'order_type') !== 'ForeignCurrencyOrder') return null
  const quote = member(body, 'quote')
  return typeof quote === 'string' ? parseUuid(quote) : null
}

/** @param look what was seen of its quote, which is without fault */
export async function createForeign(
  options: ForeignCreationOptions,
  request: SignedRequest,
  { quote: quoteId, ...order }: ForeignOrderRequest,
  look: QuoteLook | null,
): Promise<HttpAnswer> {
  if (look?.quote) {
    const { target_country, target_currency } = look.quote
    const pair = await options.directory.pair(request.identity.partyId, target_country, target_currency)
    // It may have been taken away since the quote; its limits were judged then.
    if (pair?.pay_out !== 1) return refuse({ name: 'pair_not_configured' })
  }
  const created = await options.foreignOrders.create(
    { ...order, quoteId, merchant: speaker(request.identity) },
    (made) => ({
      status: 201,
      body: JSON.stringify({
        ...representOrder(made.order, made, options.checkoutUrl),
        direction: made.order.direction,
      }),
    }),
    guardOf(request),
  )
  if (created.outcome === 'created') request.note({ order: created.order.id })
  return answerOf(created, quoteId)
}

function answerOf(created: ForeignCreated, quote: string): HttpAnswer {
  switch (created.outcome) {
    case 'created':
      return storedAnswer(created.answer)
    case 'duplicate_merchant_order_id':
      return refuse({ name: 'fields', errors: [fieldError('merchant_order_id', 'not_unique')] })
    // Between the look and the step another order took it, or its time came.
    case 'quote_refused':
      return refuse({ name: 'fields', errors: [fieldError('quote', created.problem, { quote })] })
    case 'wallet_invalid':
      return refuse({ name: 'fields', errors: [fieldError('wallet', 'wallet_invalid')] })
    case 'stale_repetition':
      throw new Error('A creation is not bound to a revision.')
    default:
      return keyAnswer(created)
  }
}
