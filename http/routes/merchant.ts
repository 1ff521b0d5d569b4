/** Merchant endpoints: part 4.3 of the specification. */
import type { OrderWithConsumer } from '../../actors/orders/creation.ts'
import type { Created, OrderRegistry } from '../../actors/orders/registry.ts'
import { representOrder } from '../../actors/orders/representation.ts'
import type { Directory, Pair } from '../../actors/parties.ts'
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import { fieldError, type HttpAnswer, type HttpRefusal } from '../errors.ts'
import { parseUuid } from '../formats.ts'
import { type LocalOrderRequest, readPayInCreation, readPayOutCreation } from '../requests.ts'
import {
  type Endpoint,
  guardOf,
  jsonAnswer,
  type Route,
  refuse,
  type SignedRequest,
  speaker,
  storedAnswer,
} from './route.ts'

export interface MerchantRoutesOptions {
  directory: Directory
  orders: OrderRegistry
  clock: { now(): Instant }
  checkoutUrl: string
  /** Why webhooks may not go to a URL of this merchant, as a sentence; `null` when they may. */
  judgeNotifyUrl: (url: string, merchant: string) => string | null
}

export function merchantRoutes(options: MerchantRoutesOptions): Route[] {
  return [
    {
      path: '/merchants/orders/pay-out/',
      party: 'merchant',
      methods: { POST: createPayOut(options) },
    },
    {
      path: '/merchants/orders/pay-out/:id/',
      party: 'merchant',
      methods: { GET: show(options, 'PAY_OUT') },
    },
    {
      path: '/merchants/orders/pay-in/',
      party: 'merchant',
      methods: { POST: createPayIn(options) },
    },
    {
      path: '/merchants/orders/pay-in/:id/',
      party: 'merchant',
      methods: { GET: show(options, 'PAY_IN') },
    },
  ]
}

function createPayOut(options: MerchantRoutesOptions): Endpoint {
  return recalling(options, async (request) => {
    const read = readPayOutCreation(request.document, creationRules(options, request))
    if (!read.ok) return refuse(read.refusal)
    // No quote was ever given out: an id of one names nothing.
    if (read.value.orderType === 'ForeignCurrencyOrder') {
      const { quote } = read.value
      return refuse({ name: 'fields', errors: [fieldError('quote', 'quote_unknown', { quote })] })
    }
    return createLocal(options, request, 'PAY_OUT', read.value)
  })
}

function createPayIn(options: MerchantRoutesOptions): Endpoint {
  return recalling(options, async (request) => {
    const read = readPayInCreation(request.document, creationRules(options, request))
    return read.ok ? createLocal(options, request, 'PAY_IN', read.value) : refuse(read.refusal)
  })
}

/** An answer kept under an Idempotency-Key comes before all rules: the first request passed them in its day. */
function recalling(options: MerchantRoutesOptions, endpoint: Endpoint): Endpoint {
  return async (request) => {
    const guard = guardOf(request, { isRepeatable: false })
    const known = guard === undefined ? null : await options.orders.recall(guard)
    if (known !== null) return creationAnswer(known)
    if (request.identity.isFrozen) return refuse({ name: 'permission_denied' })
    return endpoint(request)
  }
}

function creationRules(options: MerchantRoutesOptions, request: SignedRequest) {
  return {
    now: options.clock.now(),
    judgeNotifyUrl: (url: string) => options.judgeNotifyUrl(url, request.identity.name),
  }
}

async function createLocal(
  options: MerchantRoutesOptions,
  request: SignedRequest,
  direction: Direction,
  order: LocalOrderRequest,
): Promise<HttpAnswer> {
  const pair = await options.directory.pair(request.identity.partyId, order.country, order.currency)
  const refusal = judgePrice(pair, direction, order.priceMinor)
  if (refusal !== null) return refuse(refusal)
  const created = await options.orders.create(
    { ...order, direction, merchant: speaker(request.identity) },
    (made) => ({ status: 201, body: JSON.stringify(representForMerchant(made, options.checkoutUrl)) }),
    guardOf(request, { isRepeatable: false }),
  )
  if (created.outcome === 'created') request.note({ order: created.order.id })
  return creationAnswer(created)
}

/** Part 4.3, rule 1; the limits are inclusive. */
function judgePrice(pair: Pair | null, direction: Direction, priceMinor: bigint): HttpRefusal | null {
  const isEnabled = direction === 'PAY_OUT' ? pair?.pay_out : pair?.pay_in
  if (pair === null || isEnabled !== 1) return { name: 'pair_not_configured' }
  if (priceMinor < pair.min_minor) return { name: 'fields', errors: [fieldError('price', 'price_too_low')] }
  if (priceMinor > pair.max_minor) return { name: 'fields', errors: [fieldError('price', 'price_too_high')] }
  return null
}

function creationAnswer(created: Created): HttpAnswer {
  switch (created.outcome) {
    case 'created':
    case 'repeated':
      return storedAnswer(created.answer)
    case 'duplicate_merchant_order_id':
      return refuse({ name: 'fields', errors: [fieldError('merchant_order_id', 'not_unique')] })
    case 'other_payload':
      return refuse({ name: 'idempotency_key_reused' })
    case 'in_flight':
      return refuse({ name: 'idempotency_in_flight' })
    case 'stale_repetition':
      throw new Error('A creation is not bound to a revision.')
  }
}

function show(options: MerchantRoutesOptions, direction: Direction): Endpoint {
  return async (request) => {
    const id = parseUuid(request.params.id ?? '')
    const found = id === null ? null : await options.orders.find(id)
    // Another merchant's order is answered like an unknown one, byte for byte.
    const isOwn = found?.order.merchant_id === request.identity.partyId && found.order.direction === direction
    if (found === null || !isOwn) return refuse({ name: 'not_found' })
    request.note({ order: found.order.id })
    return jsonAnswer(200, representForMerchant(found, options.checkoutUrl))
  }
}

/** The order object, and for a pay-in the code, which the merchant shows to its customer. */
function representForMerchant({ order, consumer }: OrderWithConsumer, checkoutUrl: string): object {
  const represented = representOrder(order, consumer, checkoutUrl)
  return order.direction === 'PAY_IN' ? { ...represented, code: order.code } : represented
}
