/**
 * Which order a deposit belongs to, and what becomes of it. Pure: the caller loads the orders and stores what
 * is decided here in one transaction.
 *
 * An order is funded only by its own reference *and* its own wallet, in its own asset and in time. Everything
 * else is a person's decision, with a proposal. Nothing is kept silently.
 */

import type { Blockchain } from '../machines/blockchains.ts'
import type { OrderStatus } from '../machines/statuses.ts'
import type { Instant } from '../machines/time.ts'
import type { ChainDeposit, ChainDepositFlag } from './chain-deposits.ts'

/** What matching knows of an order. */
export interface FundableOrder {
  readonly id: string
  readonly blockchain: Blockchain
  readonly assetId: string
  /** Canonical. */
  readonly wallet: string
  readonly reference: string
  /** Raw units the order asks for, and those that earlier deposits have brought. */
  readonly expected: bigint
  readonly received: bigint
  readonly status: OrderStatus
  /** End of the funding window, in chain time; a deposit of that very moment is in time. */
  readonly fundingDeadline: Instant
}

/** The orders a deposit may have to do with. */
export interface MatchingOrders {
  /** Each order, in any status, whose reference is among the deposit's. */
  readonly byReference: readonly FundableOrder[]
  /** Orders of the deposit's sender on its chain that wait for funds: proposals come from them. */
  readonly byWallet: readonly FundableOrder[]
  /** Ids of orders that were archived and had a reference that is among the deposit's. */
  readonly archived: readonly string[]
}

export type ChainDepositReason =
  /** Overpaid: the order is funded, this is the rest. */
  | 'overpaid'
  | 'no_reference'
  /** References, but none of an order. */
  | 'unknown_reference'
  /** The reference of an order that ended long ago. */
  | 'order_archived'
  /** References of several orders. */
  | 'several_references'
  | 'wrong_asset'
  | 'other_sender'
  | 'unknown_sender'
  | 'late'
  | 'unknown_time'
  /** The order has its money already: a second payment. */
  | 'already_funded'
  | 'order_cancelled'
  | 'order_expired'
  /** Which order it is for is known, and nothing can be decided about that one. */
  | 'order_unreadable'
  /** More than the ledger can carry. */
  | 'amount_too_large'
  | 'unexplained'
  | 'muxed_destination'
  | 'clawback'
  | 'claimable_balance'

/**
 * What the operator is advised to do. `accept` credits the order, `refund` pays the sender back,
 * `investigate` means that the facts decide.
 */
export type ProposedAction = 'accept' | 'refund' | 'investigate'

export interface ChainDepositException {
  readonly reason: ChainDepositReason
  /** Raw units it is about: all of the deposit, or the rest. */
  readonly amount: bigint
  readonly proposedOrderId: string | null
  readonly proposedAction: ProposedAction
  /** Accepting is still possible: the order waits for funds in this asset. */
  readonly acceptable: boolean
  /** A sentence for the operator. */
  readonly explanation: string
}

export type Verdict =
  /** Credit `amount` to the order. `missing` 0 means that it is funded. */
  | {
      readonly kind: 'credit'
      readonly orderId: string
      readonly amount: bigint
      readonly missing: bigint
      readonly exception: ChainDepositException | null
    }
  | { readonly kind: 'exception'; readonly exception: ChainDepositException }
  /** A token nobody accepts, without an order's reference: the spam that every public address receives. */
  | { readonly kind: 'ignore'; readonly reason: 'foreign_token' }

/** Of a deposit that is an order's, while nothing can be decided about the order. */
export function unreadableOrder(
  deposit: Pick<ChainDeposit, 'amount'>,
  orderId: string,
): ChainDepositException {
  const [proposedAction, explanation] = reasons.order_unreadable
  return {
    reason: 'order_unreadable',
    amount: deposit.amount,
    proposedOrderId: orderId,
    proposedAction,
    acceptable: true,
    explanation,
  }
}

/** The ledger's integers end here; raw chain amounts need not. */
const maxLedgerUnits = 2n ** 63n - 1n

/** Flags that stop a deposit from funding an order by itself. The others are evidence only. */
const taintedBy: Readonly<Record<ChainDepositFlag, ChainDepositReason | null>> = {
  clawback: 'clawback',
  unexplained: 'unexplained',
  muxed_destination: 'muxed_destination',
  claimable_balance: 'claimable_balance',
  fee_withheld: null,
  path_payment: null,
  contract_call: null,
}

export function match(deposit: ChainDeposit, orders: MatchingOrders): Verdict {
  if (deposit.amount <= 0n) throw new RangeError(`a chain deposit of ${deposit.amount}`)
  const named = orders.byReference.filter(
    (order) => order.blockchain === deposit.blockchain && deposit.references.includes(order.reference),
  )
  const [order, ...others] = named
  if (order === undefined) return unnamed(deposit, orders)
  if (others.length > 0) return refuse(deposit, 'several_references', null)

  const reason = objection(deposit, order)
  if (reason !== null) return refuse(deposit, reason, order)

  const missing = order.expected - order.received
  if (deposit.amount <= missing)
    return {
      kind: 'credit',
      orderId: order.id,
      amount: deposit.amount,
      missing: missing - deposit.amount,
      exception: null,
    }
  const rest = describe('overpaid', deposit, deposit.amount - missing, order, false)
  return { kind: 'credit', orderId: order.id, amount: missing, missing: 0n, exception: rest }
}

/** Why a deposit with an order's reference does not fund it; the gravest reason comes first. */
function objection(deposit: ChainDeposit, order: FundableOrder): ChainDepositReason | null {
  if (deposit.assetId !== order.assetId) return 'wrong_asset'
  const taint = taintOf(deposit)
  if (taint !== null) return taint
  if (deposit.amount > maxLedgerUnits) return 'amount_too_large'
  if (order.status === 'CANCELLED') return 'order_cancelled'
  if (order.status === 'EXPIRED') return 'order_expired'
  if (order.status !== 'CREATED' || order.received >= order.expected) return 'already_funded'
  if (deposit.sender === null) return 'unknown_sender'
  if (deposit.sender !== order.wallet) return 'other_sender'
  if (deposit.at === null) return 'unknown_time'
  return deposit.at > order.fundingDeadline ? 'late' : null
}

/** A deposit without the reference of an order that is there: who sent it may tell what it was meant for. */
function unnamed(deposit: ChainDeposit, { byWallet, archived }: MatchingOrders): Verdict {
  if (archived.length > 0) return refuse(deposit, taintOf(deposit) ?? 'order_archived', null)
  if (deposit.symbol === null) return { kind: 'ignore', reason: 'foreign_token' }
  const taint = taintOf(deposit)
  if (taint !== null) return refuse(deposit, taint, null)
  const reason = deposit.references.length === 0 ? 'no_reference' : 'unknown_reference'
  return refuse(deposit, reason, intendedOrder(deposit, byWallet))
}

function taintOf(deposit: ChainDeposit): ChainDepositReason | null {
  for (const flag of deposit.flags) {
    const reason = taintedBy[flag]
    if (reason !== null) return reason
  }
  return null
}

/** The one order of the sender that waits for this asset; among several, the one that misses this amount. */
function intendedOrder(deposit: ChainDeposit, byWallet: readonly FundableOrder[]): FundableOrder | null {
  const waiting = byWallet.filter(
    (order) =>
      order.blockchain === deposit.blockchain &&
      order.wallet === deposit.sender &&
      order.assetId === deposit.assetId &&
      isWaiting(order),
  )
  const exact = waiting.filter((order) => order.expected - order.received === deposit.amount)
  const candidates = exact.length > 0 ? exact : waiting
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

function isWaiting(order: FundableOrder): boolean {
  return order.status === 'CREATED' && order.received < order.expected
}

function refuse(deposit: ChainDeposit, reason: ChainDepositReason, order: FundableOrder | null): Verdict {
  const acceptable =
    order !== null &&
    order.assetId === deposit.assetId &&
    isWaiting(order) &&
    deposit.amount <= maxLedgerUnits &&
    reason !== 'clawback'
  return { kind: 'exception', exception: describe(reason, deposit, deposit.amount, order, acceptable) }
}

function describe(
  reason: ChainDepositReason,
  deposit: ChainDeposit,
  amount: bigint,
  order: FundableOrder | null,
  acceptable: boolean,
): ChainDepositException {
  const [advice, explanation] = reasons[reason]
  const possible = advice === 'accept' && !acceptable ? 'refund' : advice
  return {
    reason,
    amount,
    proposedOrderId: order?.id ?? null,
    // Nobody can be paid back whom the chain does not name.
    proposedAction: possible === 'refund' && deposit.sender === null ? 'investigate' : possible,
    acceptable,
    explanation,
  }
}

/** What is advised for each reason, and why. `accept` becomes `refund` where accepting is not possible. */
const reasons: Readonly<Record<ChainDepositReason, readonly [ProposedAction, string]>> = {
  overpaid: ['refund', 'More than the order asks for: the order is funded, and this is the rest.'],
  no_reference: ['accept', 'The transfer carries no reference.'],
  unknown_reference: ['accept', 'The transfer carries a reference that no order has.'],
  order_archived: ['refund', 'The order has ended, and was archived.'],
  several_references: ['investigate', 'The transfer carries the references of several orders.'],
  wrong_asset: ['refund', "The transfer carries the order's reference in another asset than the order's."],
  other_sender: ['refund', "The transfer carries the order's reference and came from another wallet."],
  unknown_sender: ['investigate', 'The chain does not say whose money it was.'],
  late: ['accept', 'The transfer came after the end of the funding window.'],
  unknown_time: ['investigate', 'The chain does not say when the transfer was made.'],
  already_funded: ['refund', 'The order has its money already: this is a second payment.'],
  order_cancelled: ['refund', 'The order was cancelled.'],
  order_expired: ['refund', 'The order has expired.'],
  order_unreadable: [
    'accept',
    'This program cannot read the order: accept it with the one that stored the order.',
  ],
  amount_too_large: ['investigate', 'The amount is larger than the ledger can carry.'],
  unexplained: ['investigate', "The treasury's balance and the transfers of the transaction do not agree."],
  muxed_destination: ['accept', 'The transfer went to a sub-account of the treasury.'],
  clawback: ['investigate', 'The issuer took this amount back out of the treasury.'],
  claimable_balance: ['accept', 'The money came from a claimable balance and not from a payment.'],
}
