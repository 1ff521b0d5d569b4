/** Merchant endpoints: protocol 4.2 and 4.3. */
import type { OfferedTransactions } from '../../actors/chains/transactions.ts'
import type { OrderWithConsumer } from '../../actors/orders/creation.ts'
import type { OrderListing } from '../../actors/orders/listing.ts'
import { representForMerchant } from '../../actors/orders/representation.ts'
import type { Direction } from '../../machines/order.ts'
import { fieldError } from '../foundation/errors.ts'
import { parseUuid } from '../foundation/formats.ts'
import { type CreationOptions, createPayIn, createPayOut } from './creation.ts'
import { readOrderList } from './requests.ts'
import { type Endpoint, jsonAnswer, type Route, refuse } from './route.ts'

export interface MerchantRoutesOptions extends CreationOptions {
  /** What end users sign: assembled from values that workers keep. */
  transactions: OfferedTransactions
  listing: OrderListing
  checkoutUrl: string
}

const aboutLists = {
  description:
    'The newest first. `next` is the cursor of the following page; it stays valid while orders are added.',
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
            'The order is CREATED until the merchant’s balance covers its price, then READY. An ' +
            'order from a quote is CREATED until its money has arrived on the blockchain; a ' +
            'webhook says when its transaction can be signed. ' +
            'Its redirect_url is the page that shows the code to the end user.',
          request: ['localPayOut', 'foreignPayOut'],
          answer: { status: 201, schema: 'payOutOrder' },
          dryRun: 'payOutDryRun',
          ...aboutCreations,
          problems: [
            ...aboutCreations.problems,
            'quote_unknown',
            'quote_expired',
            'quote_used',
            'quote_unusable',
            'wallet_invalid',
            'refund_unknown',
            'refund_unpaid',
            'refund_currency',
            'refund_exceeds',
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
          dryRun: 'payInDryRun',
          ...aboutCreations,
          problems: [...aboutCreations.problems, 'price_below_fee'],
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

function show(options: MerchantRoutesOptions, direction: Direction): Endpoint {
  return async (request) => {
    const id = parseUuid(request.params.id ?? '')
    const found = id === null ? null : await options.orders.find(id)
    // Another merchant's order is answered like an unknown one, byte for byte.
    const isOwn = found?.order.merchant_id === request.identity.partyId && found.order.direction === direction
    if (found === null || !isOwn) return refuse({ name: 'not_found' })
    request.note({ order: found.order.id })
    return jsonAnswer(200, await representNow(options, found))
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
    const results = await Promise.all(page.orders.map((order) => representNow(options, order)))
    return jsonAnswer(200, { results, next: page.next })
  }
}

/** With a transaction that can be signed now, where one is to be signed: nobody waits for a chain. */
async function representNow(
  { transactions, clock, checkoutUrl }: MerchantRoutesOptions,
  found: OrderWithConsumer,
): Promise<object> {
  const { order, foreign } = found
  if (foreign === null) return representForMerchant(order, found, checkoutUrl)
  const transaction = await transactions.offer(order, foreign, clock.now())
  return representForMerchant(order, found, checkoutUrl, transaction)
}
