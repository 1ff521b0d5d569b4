/** What a document of an order tells in several places, or of other rows than the order's own. */
import { currencyName, formatPrice, formatUnits } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { postingsOfOrder } from '../../persistence/queries/operations.ts'
import type { Statement } from '../../persistence/statement.ts'
import type { Row } from '../../persistence/store.ts'
import { isObject } from '../foundation/reading.ts'
import type { NameOf } from '../parties/names.ts'
import { accountName } from './account-name.ts'
import { leftOf } from './refunds.ts'

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

/** One attempt to tell an order's merchant of it. */
export interface AttemptLine {
  webhook: string
  /** The webhook's number in its order. */
  sequence: number
  attempt: number
  startedAt: string
  /** `started` while it is under way. */
  outcome: string
  status: number | null
  error: string | null
  milliseconds: number | null
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

export function attemptLine(attempt: Row<'webhook_attempts'>, sequence: number): AttemptLine {
  return {
    webhook: attempt.webhook_id,
    sequence,
    attempt: attempt.attempt,
    startedAt: formatInstant(attempt.started_at),
    outcome: attempt.outcome,
    status: attempt.status,
    error: attempt.error,
    milliseconds: attempt.milliseconds,
  }
}

export function charge(
  { currency }: Row<'orders'>,
  terms: string | null,
  [amountMinor, taxMinor]: readonly [bigint, bigint],
): ChargeDocument | null {
  if (terms === null) return null
  return { amount: formatPrice(amountMinor, currency), tax: formatPrice(taxMinor, currency), terms }
}

export function refundedDocument(refundable: Row<'refundable'>): RefundedDocument {
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

export function foreignDocument(foreign: Row<'foreign_orders'>): ForeignDocument {
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

export function chainDepositLine(deposit: Row<'deposits'>, foreign: Row<'foreign_orders'>): ChainDepositLine {
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

export async function lockOf(order: Row<'orders'>, providerId: string, nameOf: NameOf) {
  return {
    provider: await nameOf(providerId),
    network: order.lock_network_id,
    since: instant(order.locked_at),
  }
}

export async function journalLine(entry: Row<'journal'>, nameOf: NameOf): Promise<JournalLine> {
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

type ShownPosting = typeof postingsOfOrder extends Statement<infer _, infer Found> ? Found : never

export function postingLine(posting: ShownPosting): PostingLine {
  return {
    at: formatInstant(posting.posted_at),
    kind: posting.kind,
    from: accountName(posting.debit_kind, posting.debit_name),
    to: accountName(posting.credit_kind, posting.credit_name),
    amount: formatPrice(posting.amount_minor, posting.currency),
    currency: currencyName(posting.currency),
  }
}

export function instant(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}
