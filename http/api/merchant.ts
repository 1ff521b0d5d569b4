/** Merchant endpoints: protocol 4.2 and 4.3. */
import { type FreshTransactions, offeredTransaction } from '../../actors/chains/transactions.ts'
import type { OrderWithConsumer } from '../../actors/orders/creation.ts'
import type { ForeignOrders } from '../../actors/orders/foreign-creation.ts'
import type { OrderListing } from '../../actors/orders/listing.ts'
import type { Created, OrderRegistry } from '../../actors/orders/registry.ts'
import { representOrder } from '../../actors/orders/representation.ts'
import type { Directory, Pair } from '../../actors/parties/party-limits.ts'
import type { Direction } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import { fieldError, type HttpAnswer } from '../foundation/errors.ts'
import { parseUuid } from '../foundation/formats.ts'
import { keyAnswer, type RecallingOptions, recalling } from './creation-answers.ts'
import { createForeign, namedQuote } from './foreign-creation.ts'
import {
  type CreationRules,
  type LocalOrderRequest,
  pairOf,
  readOrderList,
  readPayInCreation,
  readPayOutCreation,
} from './requests.ts'
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

export interface MerchantRoutesOptions extends RecallingOptions {
  directory: Directory
  orders: OrderRegistry
  foreignOrders: ForeignOrders
  /** What end users sign: assembled from values that workers keep. */
  transactions: FreshTransactions
  listing: OrderListing
  clock: { now(): Instant }
  checkoutUrl: string
  /** Why webhooks may not go to a URL of this merchant, as a sentence; `null` when they may. */
  judgeNotifyUrl: (url: string, merchant: string) => string | null
}

const aboutLists = {
  description:
    'The newest first. `next` is the cursor of the page after; it stays right while orders are being added.',
  request: ['orderList'],
  repetition: 'freely',
  refusals: [],
  problems: ['cursor_unknown'],
} as const

const aboutLooks = {
  description: 'An order of another merchant is as unknown as one that does not exist.',
  request: [],
  repetition: 'freely',
  refusals: [],
  problems: [],
} as const

const aboutCreations = {
  repetition: 'idempotency_key',
  refusals: ['pair_not_configured', 'draining'],
  problems: ['expiry_past', 'target_refused', 'price_too_low', 'price_too_high', 'not_unique'],
} as const

export function merchantRoutes(options: MerchantRoutesOptions): Route[] {
  return [
    {
      path: '/merchants/orders/pay-out/',
      party: 'merchant',
      takesQuery: true,
      methods: {
        GET: {
          id: 'listPayOutOrders',
          summary: 'List pay-outs',
          ...aboutLists,
          answer: { status: 200, schema: 'payOutOrderPage' },
          endpoint: list(options, 'PAY_OUT'),
        },
        POST: {
          id: 'createPayOutOrder',
          summary: 'Create a pay-out',
          description:
            'The order is CREATED until the merchant’s balance covers its price, then READY. One from a quote is ' +
            'CREATED until its money has come on the blockchain; a webhook tells when its transaction can be signed. ' +
            'Its redirect_url is the page that shows the code to the end user.',
          request: ['localPayOut', 'foreignPayOut'],
          answer: { status: 201, schema: 'payOutOrder' },
          ...aboutCreations,
          problems: [
            ...aboutCreations.problems,
            'quote_unknown',
            'quote_expired',
            'quote_used',
            'quote_unusable',
            'wallet_invalid',
          ],
          endpoint: createPayOut(options),
        },
      },
    },
    {
      path: '/merchants/orders/pay-out/:id/',
      party: 'merchant',
      methods: {
        GET: {
          id: 'getPayOutOrder',
          summary: 'Look at a pay-out',
          ...aboutLooks,
          answer: { status: 200, schema: 'payOutOrder' },
          endpoint: show(options, 'PAY_OUT'),
        },
      },
    },
    {
      path: '/merchants/orders/pay-in/',
      party: 'merchant',
      takesQuery: true,
      methods: {
        GET: {
          id: 'listPayInOrders',
          summary: 'List pay-ins',
          ...aboutLists,
          answer: { status: 200, schema: 'payInOrderPage' },
          endpoint: list(options, 'PAY_IN'),
        },
        POST: {
          id: 'createPayInOrder',
          summary: 'Create a pay-in',
          description: 'The order is READY at once; the merchant shows its code to the customer.',
          request: ['payIn'],
          answer: { status: 201, schema: 'payInOrder' },
          ...aboutCreations,
          endpoint: createPayIn(options),
        },
      },
    },
    {
      path: '/merchants/orders/pay-in/:id/',
      party: 'merchant',
      methods: {
        GET: {
          id: 'getPayInOrder',
          summary: 'Look at a pay-in',
          ...aboutLooks,
          answer: { status: 200, schema: 'payInOrder' },
          endpoint: show(options, 'PAY_IN'),
        },
      },
    },
  ]
}

function createPayOut(options: MerchantRoutesOptions): Endpoint {
  return recalling(options, async (request) => {
    const pair = await enabledPair(options, request, 'PAY_OUT')
    const quote = await namedQuote(options, request)
    const rules = { ...creationRules(options, request, pair), quote }
    const read = readPayOutCreation(request.document, rules)
    if (!read.ok) return refuse(read.refusal)
    if (read.value.orderType === 'ForeignCurrencyOrder') {
      return createForeign(options, request, read.value, quote)
    }
    if (pair === null) return refuse({ name: 'pair_not_configured' })
    return createLocal(options, request, 'PAY_OUT', read.value)
  })
}

function createPayIn(options: MerchantRoutesOptions): Endpoint {
  return recalling(options, async (request) => {
    const pair = await enabledPair(options, request, 'PAY_IN')
    const read = readPayInCreation(request.document, creationRules(options, request, pair))
    if (!read.ok) return refuse(read.refusal)
    if (pair === null) return refuse({ name: 'pair_not_configured' })
    return createLocal(options, request, 'PAY_IN', read.value)
  })
}

/** The merchant's entry for the country and currency of a creation (protocol 4.3). */
async function enabledPair(
  { directory }: MerchantRoutesOptions,
  { document, identity }: SignedRequest,
  direction: Direction,
): Promise<Pair | null> {
  const named = pairOf(document)
  const pair = named && (await directory.pair(identity.partyId, named.country, named.currency))
  const isEnabled = direction === 'PAY_OUT' ? pair?.pay_out : pair?.pay_in
  return isEnabled === 1 ? pair : null
}

function creationRules(
  options: MerchantRoutesOptions,
  request: SignedRequest,
  pair: Pair | null,
): CreationRules {
  return {
    now: options.clock.now(),
    judgeNotifyUrl: (url) => options.judgeNotifyUrl(url, request.identity.name),
    priceLimits: pair && { minMinor: pair.min_minor, maxMinor: pair.max_minor },
  }
}

async function createLocal(
  options: MerchantRoutesOptions,
  request: SignedRequest,
  direction: Direction,
  order: LocalOrderRequest,
): Promise<HttpAnswer> {
  const created = await options.orders.create(
    { ...order, direction, merchant: speaker(request.identity) },
    (made) => ({ status: 201, body: JSON.stringify(representForMerchant(made, options.checkoutUrl)) }),
    guardOf(request),
  )
  if (created.outcome === 'created') request.note({ order: created.order.id })
  return creationAnswer(created)
}

function creationAnswer(created: Created): HttpAnswer {
  switch (created.outcome) {
    case 'created':
      return storedAnswer(created.answer)
    case 'duplicate_merchant_order_id':
      return refuse({ name: 'fields', errors: [fieldError('merchant_order_id', 'not_unique')] })
    case 'stale_repetition':
      throw new Error('A creation is not bound to a revision.')
    default:
      return keyAnswer(created)
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
    return jsonAnswer(200, representNow(options, found))
  }
}

function list(options: MerchantRoutesOptions, direction: Direction): Endpoint {
  return async (request) => {
    const read = readOrderList(request.query)
    if (!read.ok) return refuse(read.refusal)
    const { limit, cursor, ...asked } = read.value
    const filter = { ...asked, merchantId: request.identity.partyId, direction }
    const page = await options.listing.page(filter, limit, cursor)
    if (page === null) return refuse({ name: 'fields', errors: [fieldError('cursor', 'cursor_unknown')] })
    const results = page.orders.map((order) => representNow(options, order))
    return jsonAnswer(200, { results, next: page.next })
  }
}

/** The order object, and for a pay-in the code, which the merchant shows to its customer. */
function representForMerchant(
  { order, consumer, foreign }: OrderWithConsumer,
  checkoutUrl: string,
  transaction?: string,
): object {
  const represented = representOrder(order, { consumer, foreign }, checkoutUrl, transaction)
  return order.direction === 'PAY_IN' ? { ...represented, code: order.code } : represented
}

/** With a transaction that can be signed now, where one is to be signed: nobody waits for a chain. */
function representNow(
  { transactions, clock, checkoutUrl }: MerchantRoutesOptions,
  found: OrderWithConsumer,
): object {
  const { order, foreign } = found
  if (foreign === null) return representForMerchant(found, checkoutUrl)
  const transaction = offeredTransaction(transactions, order, foreign, clock.now())
  return representForMerchant(found, checkoutUrl, transaction)
}
