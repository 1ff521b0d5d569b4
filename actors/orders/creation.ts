/** The rows a new order begins with. */
import type { ChartName } from '../../machines/index.ts'
import { formatPrice, formatUnits } from '../../machines/money.ts'
import type { Direction } from '../../machines/order.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { noPersonalData } from '../../persistence/schema.ts'
import type { Row, Topic, Write } from '../../persistence/store.ts'
import { carryAll, columnsOf } from './advance.ts'
import { emailDigest, phoneDigest } from './consumer-digest.ts'
import { begin } from './decide.ts'
import { feeAgreement, feeColumns, noCommission } from './fees.ts'
import { type Actor, appendEntry, type ForeignAgreement } from './journal.ts'
import type { Companions, Consumer, ForeignOrder } from './representation.ts'

export interface NewOrder {
  merchant: Extract<Actor, { credential: string }>
  direction: Direction
  orderType: string
  merchantOrderId: string
  country: string
  priceMinor: bigint
  currency: string
  description: string
  notifyUrl: string
  returnUrl: string
  consumerEmail: string
  consumerPhoneNumber: string
  expiryAt: Instant
  /** The merchant's for this country, whatever they are about and from when; none where nothing was agreed on. */
  feeTerms?: readonly Row<'fee_terms'>[]
  /** The pay-in that a pay-out in local currency gives back. */
  refundOf?: string | undefined
  /** Everything is checked, and nothing is written. */
  isDryRun?: boolean
}

/** An order with the personal data that is kept apart from it, and its foreign side. */
export interface OrderWithConsumer extends Companions {
  order: Row<'orders'>
  consumer: Consumer
}

/** A new order, and what its step writes beside its row and behind it. */
export interface Creation extends OrderWithConsumer {
  writes: readonly Write[]
  wake: readonly Topic[]
}

export interface CreationContext {
  journalKey: string
  checkoutUrl: string
  confirmGraceMs: number
}

const charts: Record<Direction, ChartName> = { PAY_OUT: 'payOutLocal', PAY_IN: 'payIn' }

/** @param foreign the other side of a foreign-currency order, which has the same id */
export function createOrder(
  context: CreationContext,
  input: NewOrder & { id: string; code: string },
  at: Instant,
  foreign: ForeignOrder | null = null,
): Creation {
  const begun = begin(foreign === null ? charts[input.direction] : 'payOutForeign', {
    orderId: input.id,
    price: input.priceMinor.toString(),
    currency: input.currency,
    createdAt: at,
    expiryAt: input.expiryAt,
    confirmGraceMs: context.confirmGraceMs,
  })
  const { direction, currency, priceMinor, feeTerms = [] } = input
  // A foreign order has the fee of its quote, and no other.
  const fee = feeColumns(foreign === null ? feeTerms : [], { direction, currency, priceMinor }, at)
  const agreement = feeAgreement({ ...fee, currency })
  const entry = appendEntry(
    context.journalKey,
    { id: input.id, journal_count: 0, journal_head: '' },
    {
      actor: input.merchant,
      event: {
        type: 'order.create',
        at,
        price: formatPrice(input.priceMinor, input.currency),
        currency: input.currency,
        expiry: formatInstant(input.expiryAt),
        merchantOrderId: input.merchantOrderId,
        ...(agreement === undefined ? {} : { fee: agreement }),
        ...(input.refundOf === undefined ? {} : { refundOf: input.refundOf }),
        ...(foreign === null ? {} : { foreign: foreignAgreement(foreign) }),
      },
      from: null,
      to: begun.status,
      outcome: 'accepted',
    },
  )
  const fresh: Row<'orders'> = {
    id: input.id,
    code: input.code,
    direction: input.direction,
    order_type: input.orderType,
    merchant_id: input.merchant.id,
    merchant_order_id: input.merchantOrderId,
    credential_key: input.merchant.credential,
    country: input.country,
    price_minor: input.priceMinor,
    currency: input.currency,
    description: input.description,
    notify_url: input.notifyUrl,
    return_url: input.returnUrl,
    created_at: at,
    expiry_at: input.expiryAt,
    ...columnsOf(begun),
    revision: 1,
    journal_count: entry.journal_count,
    journal_head: entry.journal_head,
    refusals: 0,
    quarantined_at: null,
    webhook_count: 0,
    ...noCommission,
    ...fee,
    refund_of: input.refundOf ?? null,
  }
  const consumer = {
    ...noPersonalData,
    email: input.consumerEmail,
    phone_number: input.consumerPhoneNumber,
    email_digest: emailDigest(context.journalKey, input.consumerEmail),
    phone_digest: phoneDigest(context.journalKey, input.consumerPhoneNumber),
  }
  const { order, writes, wake } = carryAll(context, fresh, { consumer, foreign }, begun, at)
  return {
    order,
    consumer,
    foreign,
    writes: [
      ...(foreign === null ? [] : [{ insert: 'foreign_orders', values: foreign } as const]),
      { insert: 'consumers', values: { order_id: order.id, ...consumer } },
      entry.write,
      ...writes,
    ],
    wake,
  }
}

/** What was agreed on for a foreign order, as its journal keeps it. */
export function foreignAgreement(foreign: ForeignOrder): ForeignAgreement {
  const { asset_decimals: decimals } = foreign
  return {
    quote: foreign.quote_id,
    blockchain: foreign.blockchain,
    asset: foreign.asset_id,
    send: formatUnits(foreign.expected_minor, decimals),
    fee: formatUnits(foreign.fee_minor, decimals),
    wallet: foreign.wallet,
    reference: foreign.reference,
    fundingDeadline: formatInstant(foreign.funding_deadline_at),
  }
}
