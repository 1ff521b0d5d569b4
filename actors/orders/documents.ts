/** An order as operators see it: its fields, its journal, its money, its webhooks. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { attemptRowsOf } from '../../persistence/queries/archive.ts'
import { chainDepositsOfOrder, foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import {
  exceptionsPage,
  journalOfOrder,
  postingsOfOrder,
  webhooksPage,
} from '../../persistence/queries/operations.ts'
import { consumerOfOrder } from '../../persistence/queries/orders.ts'
import { refundableById, refundsOf } from '../../persistence/queries/refunds.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type ExceptionSummary, exceptionSummary } from '../exceptions/documents.ts'
import { partyNames } from '../parties/names.ts'
import { type WebhookSummary, webhookSummary } from '../webhooks/operations.ts'
import {
  type AttemptLine,
  attemptLine,
  type ChainDepositLine,
  type ChargeDocument,
  chainDepositLine,
  charge,
  type ForeignDocument,
  foreignDocument,
  instant,
  type JournalLine,
  journalLine,
  lockOf,
  type PostingLine,
  postingLine,
  type RefundedDocument,
  type RefundLine,
  refundedDocument,
} from './document-lines.ts'

export interface OrderSummary {
  id: string
  code: string
  /** The name of its chart: `payOutLocal`, `payIn` … */
  kind: string
  merchant: string
  merchantOrderId: string
  status: string
  price: string
  currency: string
  created: string
  expiry: string
}

export interface OrderDocument extends OrderSummary {
  country: string
  description: string
  /** What its merchant sent of its consumer, both empty where it sent nothing or they were erased. Not for viewers. */
  consumer: { email: string; phoneNumber: string; erased: string | null } | null
  /** Its page of the checkout. Not for viewers: it shows the code. */
  checkoutUrl: string | null
  notifyUrl: string
  returnUrl: string
  modified: string
  /** Say it when changing the order: somebody else may have been faster. */
  revision: number
  /** Refused events; the journal has the first twenty. */
  refusals: number
  /** Of an order that ended: who held it then. */
  lock: { provider: string; network: string | null; since: string | null } | null
  /** How often a provider has taken the lock. */
  locks: number
  paid: string | null
  /** Since a backup was restored in which it was open: no payment of it is started. */
  quarantinedSince: string | null
  /** What its merchant is charged; null where nothing was agreed on. */
  fee: ChargeDocument | null
  /** What its provider earns; null while nobody holds it, and where nothing was agreed on. */
  commission: ChargeDocument | null
  /** Of a refund: the pay-in that it gives back. */
  refundOf: RefundedDocument | null
  /** Of a pay-in of which something was given back: how much. */
  refunded: RefundedDocument | null
  /** Its refunds, the oldest first, without those in the archive. */
  refunds: RefundLine[]
  journal: JournalLine[]
  postings: PostingLine[]
  webhooks: WebhookSummary[]
  /** Of its webhooks, those that are still kept. */
  attempts: AttemptLine[]
  /** Of a foreign-currency order: what it waits for on its blockchain. */
  foreign: ForeignDocument | null
  /** What was sent on a blockchain for it. */
  deposits: ChainDepositLine[]
  exceptions: ExceptionSummary[]
}

/** An order is never told so often that this cuts off more than its oldest ones. */
const maxShown = 1000

export function orderSummary(order: Row<'orders'>, merchant: string): OrderSummary {
  return {
    id: order.id,
    code: order.code,
    kind: order.machine,
    merchant,
    merchantOrderId: order.merchant_order_id,
    status: order.status,
    price: formatPrice(order.price_minor, order.currency),
    currency: order.currency,
    created: formatInstant(order.created_at),
    expiry: formatInstant(order.expiry_at),
  }
}

/** The same for what is told in sentences. */
export function hideCodes(text: string): string {
  return text.replace(/\b\d{11}(\d{4})\b/g, '•••$1')
}

/** Who has the code of an order can collect its cash, so viewers see its end only. */
export function withHiddenCode<Document extends { code: string }>(order: Document): Document {
  return { ...order, code: `•••${order.code.slice(-4)}` }
}

/** An order without what is worth cash or about its consumer. */
export function forViewers(order: OrderDocument): OrderDocument {
  return { ...withHiddenCode(order), consumer: null, checkoutUrl: null }
}

/** What the documents of orders are made with. */
export interface DocumentContext {
  store: Store
  orders: { readonly context: { readonly checkoutUrl: string } }
}

export async function orderDocument(
  { store, orders }: DocumentContext,
  order: Row<'orders'>,
): Promise<OrderDocument> {
  const page = { after: null, limit: maxShown }
  const nameOf = partyNames(store)
  const [journal, postings, webhooks, attempts, exceptions, foreign, deposits, consumers] = await Promise.all(
    [
      store.query(journalOfOrder, { orderId: order.id }),
      store.query(postingsOfOrder, { orderId: order.id }),
      store.query(webhooksPage({ orderId: order.id }, page), {}),
      store.query(attemptRowsOf, { orderId: order.id }),
      store.query(exceptionsPage({ orderId: order.id }, page), {}),
      store.query(foreignOrderById, { orderId: order.id }),
      store.query(chainDepositsOfOrder, { orderId: order.id }),
      store.query(consumerOfOrder, { orderId: order.id }),
    ],
  )
  const isPayIn = order.direction === 'PAY_IN'
  const payInId = isPayIn ? order.id : order.refund_of
  const [refundable] = payInId === null ? [] : await store.query(refundableById, { payInId })
  const refunded = refundable === undefined ? null : refundedDocument(refundable)
  const refunds = isPayIn && refunded !== null ? await store.query(refundsOf, { payInId: order.id }) : []
  const [foreignSide] = foreign
  const [consumer] = consumers
  const merchant = await nameOf(order.merchant_id)
  const sequences = new Map(webhooks.map(({ id, sequence }) => [id, sequence]))
  return {
    ...orderSummary(order, merchant),
    country: order.country,
    description: order.description,
    consumer: {
      email: consumer?.email ?? '',
      phoneNumber: consumer?.phone_number ?? '',
      erased: instant(consumer?.erased_at ?? null),
    },
    checkoutUrl: `${orders.context.checkoutUrl}/${order.id}`,
    notifyUrl: order.notify_url,
    returnUrl: order.return_url,
    modified: formatInstant(order.modified_at),
    revision: order.revision,
    refusals: order.refusals,
    lock: order.lock_provider_id === null ? null : await lockOf(order, order.lock_provider_id, nameOf),
    locks: order.locks,
    paid: instant(order.paid_at),
    quarantinedSince: instant(order.quarantined_at),
    fee: charge(order, order.fee_terms_id, [order.fee_minor, order.fee_tax_minor]),
    commission: charge(order, order.commission_terms_id, [
      order.commission_minor,
      order.commission_tax_minor,
    ]),
    refundOf: isPayIn ? null : refunded,
    refunded: isPayIn ? refunded : null,
    refunds: refunds.map(({ id, status, price_minor, currency, created_at }) => ({
      id,
      status,
      price: formatPrice(price_minor, currency),
      created: formatInstant(created_at),
    })),
    journal: await Promise.all(journal.map((entry) => journalLine(entry, nameOf))),
    postings: postings.map(postingLine),
    webhooks: webhooks.map((webhook) => webhookSummary(webhook, merchant)).reverse(),
    attempts: attempts.map((attempt) => attemptLine(attempt, sequences.get(attempt.webhook_id) ?? 0)),
    foreign: foreignSide === undefined ? null : foreignDocument(foreignSide),
    deposits: foreignSide === undefined ? [] : deposits.map((one) => chainDepositLine(one, foreignSide)),
    exceptions: exceptions.map(exceptionSummary).reverse(),
  }
}

/** One of an order's fields as people read it, the same in the console and on the command line. */
export interface OrderFact {
  label: string
  /** `null` where there is nothing to say. */
  text: string | null
  /** A text, unless it is said. */
  kind?: 'status' | 'id' | 'code' | 'time' | 'order' | 'merchant' | 'provider' | 'name' | 'link'
  /** Of an amount. */
  currency?: string
  /** Said after it. */
  note?: string | null
}

/** What is told of an order wherever one is shown, in its order. */
export function orderFacts(order: OrderDocument): OrderFact[] {
  const { lock, currency, refundOf, refunded } = order
  const holder = order.status === 'PAYMENT_STARTED' ? 'held by' : 'last held by'
  return [
    { label: 'id', text: order.id, kind: 'id' },
    { label: 'code', text: order.code, kind: 'code' },
    { label: 'status', text: order.status, kind: 'status' },
    { label: 'merchant', text: order.merchant, kind: 'merchant' },
    { label: 'merchant’s id', text: order.merchantOrderId, kind: 'id' },
    ...consumerFacts(order),
    { label: 'price', text: order.price, currency },
    chargeFact('fee', order.fee, currency),
    chargeFact('commission', order.commission, currency),
    {
      label: 'refund of',
      text: refundOf?.payIn ?? null,
      kind: 'order',
      note: refundOf && `${refundOf.merchantOrderId}, ${refundOf.description}`,
    },
    { label: 'refunded of it', text: refundOf && leftText(refundOf) },
    { label: 'refunded', text: refunded && leftText(refunded) },
    { label: 'kind', text: order.kind, kind: 'name', note: order.country },
    { label: 'description', text: order.description },
    { label: 'created', text: order.created, kind: 'time' },
    { label: 'expiry', text: order.expiry, kind: 'time' },
    { label: 'paid', text: order.paid, kind: 'time' },
    {
      label: holder,
      text: lock?.provider ?? null,
      kind: 'provider',
      note: lock && `network ${lock.network}`,
    },
    { label: 'since', text: lock?.since ?? null, kind: 'time' },
    {
      label: 'times locked',
      text: order.locks === 0 ? null : String(order.locks),
    },
    { label: 'revision', text: String(order.revision) },
    { label: 'refusals', text: order.refusals === 0 ? null : String(order.refusals) },
    { label: 'checkout', text: order.checkoutUrl, kind: 'link' },
    { label: 'webhooks go to', text: order.notifyUrl || null, kind: 'id' },
    { label: 'returns to', text: order.returnUrl || null, kind: 'id' },
  ]
}

/** Whom the order is for, as far as its merchant has said. */
function consumerFacts({ consumer }: OrderDocument): OrderFact[] {
  if (consumer === null) return []
  const { email, phoneNumber, erased } = consumer
  return [
    { label: 'consumer’s e-mail', text: email || null, kind: 'id' },
    { label: 'consumer’s telephone', text: phoneNumber || null, kind: 'id' },
    { label: 'personal data erased', text: erased, kind: 'time' },
  ]
}

function chargeFact(label: string, charge: ChargeDocument | null, currency: string): OrderFact {
  const note = charge && `tax ${charge.tax}, by terms ${charge.terms}`
  return { label, text: charge?.amount ?? null, currency, note }
}

function leftText({ claimed, credited, left, excess }: RefundedDocument): string {
  const beyond = /[1-9]/.test(excess) ? `, and ${excess} beyond it` : ''
  return `${claimed} of ${credited}${beyond}, ${left} left`
}
