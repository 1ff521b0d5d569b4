/** Creations of orders: protocol 2.2, 2.3 and 4.3. */
import { coversPayIn } from '../../actors/orders/fees.ts'
import type { QuoteLook } from '../../actors/orders/foreign-creation.ts'
import type { RefundLook } from '../../actors/orders/refunds.ts'
import type { PublicOrders } from '../../actors/orders/registry.ts'
import type { Directory, Pair } from '../../actors/parties/party-limits.ts'
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import type { HttpAnswer } from '../foundation/errors.ts'
import { parseUuid } from '../foundation/formats.ts'
import { type Json, member } from '../foundation/json.ts'
import { creationAnswer, type RecallingOptions, recalling } from './creation-answers.ts'
import {
  type CreationRules,
  type ForeignOrderRequest,
  type LocalOrderRequest,
  pairOf,
  readPayInCreation,
  readPayOutCreation,
  refundOf,
} from './requests.ts'
import { type Endpoint, guardOf, refuse, type SignedRequest, speaker } from './route.ts'

export interface CreationOptions extends RecallingOptions {
  directory: Directory
  orders: PublicOrders
  clock: { now(): Instant }
  /** Why webhooks may not go to a URL of this merchant, as a sentence; `null` when they may. */
  judgeNotifyUrl: (url: string, merchant: string) => string | null
}

export function createPayOut(options: CreationOptions): Endpoint {
  return recalling(options, async (request) => {
    const pair = await enabledPair(options, request, 'PAY_OUT')
    const quote = await namedQuote(options, request)
    const refund = await namedPayIn(options, request)
    const rules = { ...creationRules(options, request, pair), quote, refund }
    const read = readPayOutCreation(request.document, rules)
    if (!read.ok) return refuse(read.refusal)
    if (read.value.orderType === 'ForeignCurrencyOrder') {
      return createForeign(options, request, read.value, quote)
    }
    if (pair === null) return refuse({ name: 'pair_not_configured' })
    return createLocal(options, request, 'PAY_OUT', { ...read.value, feeTerms: pair.feeTerms })
  })
}

export function createPayIn(options: CreationOptions): Endpoint {
  return recalling(options, async (request) => {
    const pair = await enabledPair(options, request, 'PAY_IN')
    const read = readPayInCreation(request.document, {
      ...creationRules(options, request, pair),
      coversFee: (priceMinor) => coversFee(options, pair, priceMinor),
    })
    if (!read.ok) return refuse(read.refusal)
    if (pair === null) return refuse({ name: 'pair_not_configured' })
    return createLocal(options, request, 'PAY_IN', { ...read.value, feeTerms: pair.feeTerms })
  })
}

/** The merchant's entry for the country and currency of a creation (protocol 4.3). */
async function enabledPair(
  { directory }: CreationOptions,
  { document, identity }: SignedRequest,
  direction: Direction,
): Promise<Pair | null> {
  const named = pairOf(document)
  const pair = named && (await directory.pair(identity.partyId, named.country, named.currency))
  // Whoever takes payments may give them back.
  const givesBack = direction === 'PAY_OUT' && refundOf(document) !== null && pair?.pay_in === 1
  const isEnabled = direction === 'PAY_OUT' ? pair?.pay_out : pair?.pay_in
  return isEnabled === 1 || givesBack ? pair : null
}

/** Whether what a pay-in brings is enough for what it costs; the making judges it again. */
function coversFee({ clock }: CreationOptions, pair: Pair | null, priceMinor: bigint): boolean {
  if (pair === null) return true
  const { feeTerms, currency } = pair
  return coversPayIn(feeTerms, { currency, priceMinor }, clock.now())
}

function creationRules(options: CreationOptions, request: SignedRequest, pair: Pair | null): CreationRules {
  return {
    now: options.clock.now(),
    judgeNotifyUrl: (url) => options.judgeNotifyUrl(url, request.identity.name),
    priceLimits: pair && { minMinor: pair.min_minor, maxMinor: pair.max_minor },
  }
}

/** The quote that a creation names, before anything is judged; `null` for any other creation. */
async function namedQuote(
  { orders }: CreationOptions,
  { document, identity }: SignedRequest,
): Promise<QuoteLook | null> {
  const quoteId = quoteIdOf(document)
  if (quoteId === null) return null
  const wallet = member(document, 'wallet')
  return orders.lookAtQuote({
    merchantId: identity.partyId,
    quoteId,
    wallet: typeof wallet === 'string' ? wallet.trim() : '',
  })
}

/** What may be given back of the pay-in that a creation names, before anything is judged; `null` for any other creation. */
async function namedPayIn(
  { orders }: CreationOptions,
  { document, identity }: SignedRequest,
): Promise<RefundLook | null> {
  const payInId = refundOf(document)
  if (payInId === null) return null
  const currency = pairOf(document)?.currency ?? ''
  return orders.lookAtRefund({ payInId, merchantId: identity.partyId, currency })
}

function quoteIdOf(body: Json): string | null {
  if (member(body, 'order_type') !== 'ForeignCurrencyOrder') return null
  const quote = member(body, 'quote')
  return typeof quote === 'string' ? parseUuid(quote) : null
}

async function createLocal(
  { orders }: CreationOptions,
  request: SignedRequest,
  direction: Direction,
  order: LocalOrderRequest & Pick<Pair, 'feeTerms'>,
): Promise<HttpAnswer> {
  const merchant = speaker(request.identity)
  const { isDryRun } = request
  const created = await orders.create({ ...order, direction, merchant, isDryRun }, guardOf(request))
  if (created.outcome === 'created') request.note({ order: created.order.id })
  return creationAnswer(created, order.refundOf ?? '')
}

/** @param look what was seen of its quote, which is without fault */
async function createForeign(
  { directory, orders }: CreationOptions,
  request: SignedRequest,
  { quote: quoteId, ...order }: ForeignOrderRequest,
  look: QuoteLook | null,
): Promise<HttpAnswer> {
  if (look?.quote) {
    const { target_country, target_currency } = look.quote
    const pair = await directory.pair(request.identity.partyId, target_country, target_currency)
    // It may have been taken away since the quote; its limits were judged then.
    if (pair?.pay_out !== 1) return refuse({ name: 'pair_not_configured' })
  }
  const merchant = speaker(request.identity)
  const { isDryRun } = request
  const created = await orders.create({ ...order, quoteId, merchant, isDryRun }, guardOf(request))
  if (created.outcome === 'created') request.note({ order: created.order.id })
  return creationAnswer(created, quoteId)
}
