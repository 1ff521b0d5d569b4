/**
 * Requests as the rest of the program takes them: typed, judged, and refused with all their errors at once.
 *
 * The schemas say what a field looks like; what depends on the time, the order or the party is added here.
 */

import type { QuoteProblem } from '../../actors/orders/foreign-creation.ts'
import type { RefundLook, RefundProblem } from '../../actors/orders/refunds.ts'
import { currencyDecimals, formatPrice, parseAmount } from '../../machines/money.ts'
import type { TillNote } from '../../machines/order.ts'
import { type OrderStatus, orderStatuses } from '../../machines/statuses.ts'
import { type Instant, parseInstant } from '../../machines/time.ts'
import { type FieldError, fieldError, type Outcome } from '../foundation/errors.ts'
import { amountError, isBeyondLedger, parseUuid } from '../foundation/formats.ts'
import { type Json, member } from '../foundation/json.ts'
import { maxListed } from './schemas.ts'
import { type FieldRule, type Fields, type Validated, validate } from './validation.ts'

/** What creations of both order types have. */
interface OrderRequest {
  description: string
  merchantOrderId: string
  notifyUrl: string
  returnUrl: string
  expiryAt: Instant
  /** `''` where not sent. */
  consumerEmail: string
  consumerPhoneNumber: string
}

export interface LocalOrderRequest extends OrderRequest {
  orderType: 'LocalCurrencyOrder'
  country: string
  /** Minor units of `currency`. */
  priceMinor: bigint
  currency: string
  /** Id of the pay-in that a pay-out gives back, lower case. */
  refundOf?: string
}

export interface ForeignOrderRequest extends OrderRequest {
  orderType: 'ForeignCurrencyOrder'
  /** Id of a quote, lower case; whether there is one is not known yet. */
  quote: string
  wallet: string
}

export interface CreationRules {
  now: Instant
  /** Why webhooks may not be sent to a URL, as a sentence; `null` when they may. */
  judgeNotifyUrl: (url: string) => string | null
  /** Those of the merchant for `pairOf` the body; `null` where it is not enabled for it. */
  priceLimits: PriceLimits | null
  /** Whether a price is enough for what the order costs; it is where nothing is taken from it. */
  coversFee?: (priceMinor: bigint) => boolean
  /** What is known of the quote that the body names; `null` where it names none. */
  quote?: QuoteRule | null
  /** What is known of the pay-in that the body is to give back; `null` where it names none. */
  refund?: RefundLook | null
}

export interface QuoteRule {
  problem: QuoteProblem | null
  /** False where the wallet that the body names cannot sign on the quote's chain. */
  takesWallet: boolean
}

/** Both inclusive, in minor units. */
export interface PriceLimits {
  minMinor: bigint
  maxMinor: bigint
}

/** The pay-in that a pay-out in local currency is to give back, before anything is judged; `null` where it names none. */
export function refundOf(body: Json): string | null {
  if (member(body, 'order_type') === 'ForeignCurrencyOrder') return null
  const named = member(body, 'refund_of')
  return typeof named === 'string' ? parseUuid(named) : null
}

/** The country and currency a creation names, before anything is judged: which row to look at. */
export function pairOf(body: Json): { country: string; currency: string } | null {
  const country = member(body, 'country')
  const currency = member(body, 'price_currency')
  if (typeof country !== 'string' || typeof currency !== 'string') return null
  return { country: country.trim(), currency: currency.trim() }
}

/**
 * The body of `POST /merchants/orders/pay-out/`. Another order type than the two is judged as a local order.
 */
export function readPayOutCreation(
  body: Json,
  rules: CreationRules,
): Outcome<LocalOrderRequest | ForeignOrderRequest> {
  const isForeign = member(body, 'order_type') === 'ForeignCurrencyOrder'
  return isForeign
    ? finish(validate('foreignPayOut', body, creationRules(rules)), foreignOrder)
    : finish(validate('localPayOut', body, creationRules(rules)), localOrder)
}

/** The body of `POST /merchants/orders/pay-in/`. */
export function readPayInCreation(body: Json, rules: CreationRules): Outcome<LocalOrderRequest> {
  return finish(validate('payIn', body, creationRules(rules)), localOrder)
}

function creationRules(rules: CreationRules): Record<string, FieldRule> {
  return {
    price: (text, fields) => {
      const decimals = currencyDecimals(fields.price_currency ?? '')
      const error = priceError(text, decimals, rules.priceLimits)
      if (error !== null) return error
      const minor = minorUnits(text, decimals)
      if (rules.coversFee?.(minor) === false) return fieldError('price', 'price_below_fee')
      const { refund = null } = rules
      if (refund === null || !refund.ok || minor <= refund.leftMinor) return null
      const currency = fields.price_currency ?? ''
      return refundError({ reason: 'refund_exceeds', leftMinor: refund.leftMinor, currency }, '')
    },
    price_currency: () => ofRefund(rules, 'price_currency'),
    refund_of: (text) => ofRefund(rules, 'refund_of', uuid(text)),
    notify_url: (url) => {
      const problem = rules.judgeNotifyUrl(url)
      return problem === null ? null : fieldError('notify_url', 'target_refused', { problem })
    },
    expiry: (text) => (instant(text) > rules.now ? null : fieldError('expiry', 'expiry_past')),
    quote: (text) => {
      const problem = rules.quote?.problem ?? null
      return problem === null ? null : fieldError('quote', problem, { quote: uuid(text) })
    },
    wallet: () => (rules.quote?.takesWallet === false ? fieldError('wallet', 'wallet_invalid') : null),
  }
}

/** Why a pay-in is not given back. @param payInId as it was named */
export function refundError(problem: RefundProblem, payInId: string): FieldError {
  switch (problem.reason) {
    case 'refund_unknown':
      return fieldError('refund_of', 'refund_unknown', { refund_of: payInId })
    case 'refund_unpaid':
      return fieldError('refund_of', 'refund_unpaid')
    case 'refund_currency':
      return fieldError('price_currency', 'refund_currency')
    case 'refund_exceeds': {
      const { leftMinor, currency } = problem
      return fieldError('price', 'refund_exceeds', { left: formatPrice(leftMinor, currency), currency })
    }
  }
}

/** What the look has found, where it is about the field. */
function ofRefund({ refund = null }: CreationRules, attr: string, payInId = ''): FieldError | null {
  const error = refund === null || refund.ok ? null : refundError(refund.problem, payInId)
  return error?.attr === attr ? error : null
}

/**
 * Nothing and less than nothing is too low whatever the merchant's minimum, and what the ledger cannot hold is too high
 * whatever its maximum.
 */
function priceError(text: string, decimals: number, limits: PriceLimits | null): FieldError | null {
  if (isBeyondLedger(text, decimals)) {
    return fieldError('price', text.startsWith('-') ? 'price_too_low' : 'price_too_high')
  }
  const error = amountError('price', text.replace(/^-/, ''), decimals)
  if (error !== null) return error
  const minor = minorUnits(text, decimals)
  if (minor <= 0n || (limits !== null && minor < limits.minMinor)) return fieldError('price', 'price_too_low')
  return limits !== null && minor > limits.maxMinor ? fieldError('price', 'price_too_high') : null
}

function localOrder(fields: Fields): LocalOrderRequest {
  const currency = sent(fields, 'price_currency')
  return {
    orderType: 'LocalCurrencyOrder',
    country: sent(fields, 'country'),
    priceMinor: minorUnits(sent(fields, 'price'), currencyDecimals(currency)),
    currency,
    ...(fields.refund_of === undefined ? {} : { refundOf: uuid(fields.refund_of) }),
    ...orderRequest(fields),
  }
}

function foreignOrder(fields: Fields): ForeignOrderRequest {
  return {
    orderType: 'ForeignCurrencyOrder',
    quote: uuid(sent(fields, 'quote')),
    wallet: sent(fields, 'wallet'),
    ...orderRequest(fields),
  }
}

function orderRequest(fields: Fields): OrderRequest {
  return {
    description: sent(fields, 'description'),
    merchantOrderId: sent(fields, 'merchant_order_id'),
    notifyUrl: sent(fields, 'notify_url'),
    returnUrl: sent(fields, 'return_url'),
    expiryAt: instant(sent(fields, 'expiry')),
    consumerEmail: fields.consumer_email ?? '',
    consumerPhoneNumber: fields.consumer_phone_number ?? '',
  }
}

/**
 * The network a provider's message names, before anything else is judged: which row to look at. `null` where
 * it names none, or with a text that no network can have.
 */
export function networkIdOf(body: Json): string | null {
  const { errors, fields } = validate('paymentAction', body)
  return errors.some(({ attr }) => attr === 'network_id') ? null : (fields.network_id ?? null)
}

/** What a provider's message is held against. */
export interface ActionRules {
  /** Only the start of a pay-in has to name the price: protocol 4.1. */
  isPriceRequired: boolean
  priceMinor: bigint
  currency: string
  /** Whether the network of `networkIdOf` is registered to this provider. */
  isNetworkKnown: boolean
}

/** The body of start-, confirm- and cancel-payment: all its errors, those of the order's price included. */
export function readProviderAction(
  body: Json,
  rules: ActionRules,
): Outcome<{ networkId: string; till: TillNote }> {
  const decimals = currencyDecimals(rules.currency)
  const judged = validate(rules.isPriceRequired ? 'payInStart' : 'paymentAction', body, {
    network_id: () => (rules.isNetworkKnown ? null : fieldError('network_id', 'network_unknown')),
    price: (text) => {
      const error = amountError('price', text, decimals)
      if (error) return error
      return parseAmount(text, decimals) === rules.priceMinor ? null : fieldError('price', 'price_differs')
    },
    price_currency: (currency) =>
      currency === rules.currency ? null : fieldError('price_currency', 'currency_differs'),
  })
  return finish(judged, (fields) => ({ networkId: sent(fields, 'network_id'), till: tillNoteOf(fields) }))
}

/** What is blank was not sent. */
function tillNoteOf({ reference, shop_id: shopId, till_id: tillId }: Fields): TillNote {
  return {
    ...(reference ? { reference } : {}),
    ...(shopId ? { shopId } : {}),
    ...(tillId ? { tillId } : {}),
  }
}

export interface QuoteRequest {
  blockchain: string
  /** Smallest units of the asset. */
  sendMinor: bigint
  sendCurrency: string
  targetCountry: string
  targetCurrency: string
}

/** The body of `POST /merchants/quotes/`; an asset that is not known has as many decimals as any may have. */
export function readQuoteRequest(
  body: Json,
  assetDecimals: (blockchain: string, currency: string) => number | undefined,
): Outcome<QuoteRequest> {
  const decimalsOf = (fields: Fields) =>
    assetDecimals(fields.blockchain ?? '', fields.send_currency ?? '') ?? maxAssetDecimals
  const judged = validate('quote', body, {
    send: (text, fields) => sendError(text, decimalsOf(fields)),
  })
  return finish(judged, (fields) => ({
    blockchain: sent(fields, 'blockchain'),
    sendMinor: minorUnits(sent(fields, 'send'), decimalsOf(fields)),
    sendCurrency: sent(fields, 'send_currency'),
    targetCountry: sent(fields, 'target_country'),
    targetCurrency: sent(fields, 'target_currency'),
  }))
}

/** What the ledger cannot hold of an asset comes to more than any merchant's maximum. */
function sendError(text: string, decimals: number): FieldError | null {
  const isTooMuch = isBeyondLedger(text, decimals) && !text.startsWith('-')
  return isTooMuch ? fieldError('send', 'price_too_high') : amountError('send', text, decimals)
}

/** Assets of the ledger have no more decimals. */
const maxAssetDecimals = 9

export interface OrderListRequest extends AskedPage {
  status: OrderStatus | null
  merchantOrderId: string | null
  /** Inclusive. */
  createdFrom: Instant | null
  /** Exclusive. */
  createdTo: Instant | null
}

/** The query string of the merchant's lists. An empty value counts as not sent. */
export function readOrderList(query: string): Outcome<OrderListRequest> {
  return finish(validate('orderList', parametersOf(query)), (fields) => ({
    status: orderStatuses.find((status) => status === fields.status) ?? null,
    merchantOrderId: fields.merchant_order_id ?? null,
    createdFrom: fields.created_from === undefined ? null : instant(fields.created_from),
    createdTo: fields.created_to === undefined ? null : instant(fields.created_to),
    ...pageOf(fields, maxListed),
  }))
}

export interface AskedPage {
  limit: number
  cursor: string | null
}

/** What is sent without a value is not sent. */
export function parametersOf(query: string): Json {
  return Object.fromEntries([...new URLSearchParams(query)].filter(([, value]) => value.trim() !== ''))
}

export function pageOf({ limit, cursor }: Fields, most: number): AskedPage {
  return { limit: Math.min(Number(limit ?? most), most), cursor: cursor ?? null }
}

export function finish<Value>(judged: Validated, read: (fields: Fields) => Value): Outcome<Value> {
  return judged.errors.length === 0
    ? { ok: true, value: read(judged.fields) }
    : { ok: false, refusal: { name: 'fields', errors: judged.errors } }
}

// What follows holds after a validation without errors; anything else is a fault of this program.

export function sent(fields: Fields, name: string): string {
  const value = fields[name]
  if (value === undefined) throw new Error(`${name} passed validation without a value.`)
  return value
}

function instant(text: string): Instant {
  const at = parseInstant(text)
  if (at === null) throw new Error(`A time passed validation and cannot be read: ${text}`)
  return at
}

function uuid(text: string): string {
  const id = parseUuid(text)
  if (id === null) throw new Error(`An id passed validation and cannot be read: ${text}`)
  return id
}

export function minorUnits(text: string, decimals: number): bigint {
  const minor = parseAmount(text, decimals)
  if (typeof minor !== 'bigint') throw new Error(`An amount passed validation and is ${minor}: ${text}`)
  return minor
}
