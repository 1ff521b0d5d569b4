/** An order as operators see it: its fields, its journal, its money, its webhooks. */
import { currencyName, formatPrice, formatUnits } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { chainDepositsOfOrder, foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import {
  exceptionsPage,
  journalOfOrder,
  postingsOfOrder,
  webhooksPage,
} from '../../persistence/queries/operations.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import { refundableById, refundsOf } from '../../persistence/queries/refunds.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type ExceptionSummary, exceptionSummary } from '../exceptions/documents.ts'
import { isObject } from '../foundation/reading.ts'
import { type WebhookSummary, webhookSummary } from '../webhooks/operations.ts'
import { leftOf } from './refunds.ts'

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
  /** Of a foreign-currency order: what it waits for on its blockchain. */
  foreign: ForeignDocument | null
  /** What was sent on a blockchain for it. */
  deposits: ChainDepositLine[]
  exceptions: ExceptionSummary[]
}

/** In the order's currency. */
export interface ChargeDocument {
  amount: string
  tax: string
  /** The id of the terms that it follows from. */
  terms: string
}

/** How much of a pay-in is given back, or about to be. */
export interface RefundedDocument {
  payIn: string
  merchantOrderId: string
  description: string
  paid: string
  credited: string
  claimed: string
  left: string
  /** Paid out beyond what was credited. */
  excess: string
}

export interface RefundLine {
  id: string
  status: string
  price: string
  created: string
}

export interface ForeignDocument {
  chain: string
  asset: string
  /** Solana: the mint. Stellar: `CODE:ISSUER`. EVM: the contract. */
  assetId: string
  wallet: string
  quote: string
  reference: string
  expected: string
  received: string
  /** Kept of what is expected. */
  fee: string
  /** By the time of the chain. */
  fundingDeadline: string
  /** Money was seen that is not final yet. */
  seen: string | null
  /** Why there is no transaction to sign. */
  transactionError: string | null
}

export interface ChainDepositLine {
  id: string
  transactionId: string
  amount: string
  asset: string
  /** What the order was credited with. */
  credited: string
  sender: string | null
  /** When it was made, by the time of the chain. */
  madeAt: string | null
  recordedAt: string
  /** `credited`, `accepted`, or why a person was asked. */
  outcome: string
}

export interface JournalLine {
  at: string
  actor: string
  /** The credential that signed it. */
  key: string | null
  event: string
  from: string | null
  to: string
  /** `accepted`, or why it was refused. */
  outcome: string
  /** What else the event said. */
  details: Record<string, unknown>
}

export interface PostingLine {
  at: string
  kind: string
  /** `available of Demo Shop`, `bank` … */
  from: string
  to: string
  amount: string
  currency: string
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

export async function orderDocument(store: Store, order: Row<'orders'>): Promise<OrderDocument> {
  const page = { after: null, limit: maxShown }
  const nameOf = partyNames(store)
  const [journal, postings, webhooks, exceptions, foreign, deposits] = await Promise.all([
    store.query(journalOfOrder, { orderId: order.id }),
    store.query(postingsOfOrder, { orderId: order.id }),
    store.query(webhooksPage({ orderId: order.id }, page), {}),
    store.query(exceptionsPage({ orderId: order.id }, page), {}),
    store.query(foreignOrderById, { orderId: order.id }),
    store.query(chainDepositsOfOrder, { orderId: order.id }),
  ])
  const isPayIn = order.direction === 'PAY_IN'
  const payInId = isPayIn ? order.id : order.refund_of
  const [refundable] = payInId === null ? [] : await store.query(refundableById, { payInId })
  const refunded = refundable === undefined ? null : refundedDocument(refundable)
  const refunds = isPayIn && refunded !== null ? await store.query(refundsOf, { payInId: order.id }) : []
  const [foreignSide] = foreign
  return {
    ...orderSummary(order, await nameOf(order.merchant_id)),
    country: order.country,
    description: order.description,
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
    postings: postings.map((posting) => ({
      at: formatInstant(posting.posted_at),
      kind: posting.kind,
      from: accountName(posting.debit_kind, posting.debit_name),
      to: accountName(posting.credit_kind, posting.credit_name),
      amount: formatPrice(posting.amount_minor, posting.currency),
      currency: currencyName(posting.currency),
    })),
    webhooks: webhooks.map(webhookSummary).reverse(),
    foreign: foreignSide === undefined ? null : foreignDocument(foreignSide),
    deposits: foreignSide === undefined ? [] : deposits.map((one) => chainDepositLine(one, foreignSide)),
    exceptions: exceptions.map(exceptionSummary).reverse(),
  }
}

function charge(
  { currency }: Row<'orders'>,
  terms: string | null,
  [amountMinor, taxMinor]: readonly [bigint, bigint],
): ChargeDocument | null {
  if (terms === null) return null
  return { amount: formatPrice(amountMinor, currency), tax: formatPrice(taxMinor, currency), terms }
}

function refundedDocument(refundable: Row<'refundable'>): RefundedDocument {
  const amount = (minor: bigint) => formatPrice(minor, refundable.currency)
  return {
    payIn: refundable.pay_in_id,
    merchantOrderId: refundable.merchant_order_id,
    description: refundable.description,
    paid: formatInstant(refundable.paid_at),
    credited: amount(refundable.credited_minor),
    claimed: amount(refundable.claimed_minor),
    left: amount(leftOf(refundable)),
    excess: amount(refundable.excess_minor),
  }
}

function foreignDocument(foreign: Row<'foreign_orders'>): ForeignDocument {
  const amount = (minor: bigint) => formatUnits(minor, foreign.asset_decimals)
  return {
    chain: foreign.blockchain,
    asset: foreign.send_currency,
    assetId: foreign.asset_id,
    wallet: foreign.wallet,
    quote: foreign.quote_id,
    reference: foreign.reference,
    expected: amount(foreign.expected_minor),
    received: amount(foreign.received_minor),
    fee: amount(foreign.fee_minor),
    fundingDeadline: formatInstant(foreign.funding_deadline_at),
    seen: instant(foreign.seen_at),
    transactionError: foreign.transaction_error,
  }
}

function chainDepositLine(deposit: Row<'deposits'>, foreign: Row<'foreign_orders'>): ChainDepositLine {
  const amount = (units: bigint) => formatUnits(units, foreign.asset_decimals)
  return {
    id: deposit.id,
    transactionId: deposit.transaction_id,
    amount: amount(BigInt(deposit.amount)),
    asset: foreign.send_currency,
    credited: amount(deposit.credited_minor),
    sender: deposit.sender,
    madeAt: instant(deposit.chain_at),
    recordedAt: formatInstant(deposit.recorded_at),
    outcome: deposit.outcome,
  }
}

type NameOf = (partyId: string) => Promise<string>

/** Looks each party up once. */
export function partyNames(store: Store): NameOf {
  const known = new Map<string, Promise<string>>()
  const look = async (id: string) => (await store.query(partyById, { id }))[0]?.name ?? id
  return (id) => {
    const name = known.get(id) ?? look(id)
    known.set(id, name)
    return name
  }
}

async function lockOf(order: Row<'orders'>, providerId: string, nameOf: NameOf) {
  return {
    provider: await nameOf(providerId),
    network: order.lock_network_id,
    since: instant(order.locked_at),
  }
}

async function journalLine(entry: Row<'journal'>, nameOf: NameOf): Promise<JournalLine> {
  const told: unknown = JSON.parse(entry.event_json)
  const { type, providerId, ...rest } = isObject(told) ? told : {}
  const details = typeof providerId === 'string' ? { provider: await nameOf(providerId), ...rest } : rest
  return {
    at: formatInstant(entry.entry_at),
    actor: entry.actor,
    key: entry.credential_key,
    event: String(type),
    from: entry.from_status,
    to: entry.to_status,
    outcome: entry.outcome,
    details,
  }
}

function accountName(kind: string, owner: string | null): string {
  return owner === null ? kind : `${kind} of ${owner}`
}

function instant(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}
