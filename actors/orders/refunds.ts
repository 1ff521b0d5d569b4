/**
 * Refunds: pay-outs that give back a pay-in of the same merchant and currency (protocol 15.7).
 *
 * How much of a pay-in is left is one row, held by each step that claims of it or gives a claim up. It comes into being with
 * the first refund, so that lives without refunds cost nothing more.
 */
import type { OrderEffect } from '../../machines/order.ts'
import { isOpen } from '../../machines/statuses.ts'
import { claimedOrder } from '../../persistence/queries/claims.ts'
import { exceptionById } from '../../persistence/queries/operations.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import { refundableById } from '../../persistence/queries/refunds.ts'
import { type Row, row, type Store, sharedRow, type Write } from '../../persistence/store.ts'
import { confirmedAfterReturnId, endedWhileLockedId } from '../exceptions/exception-id.ts'
import type { Order } from './representation.ts'

export type Refundable = Row<'refundable'>

type Ended = Pick<Row<'exceptions'>, 'kind' | 'state' | 'resolution'>

/** Of an order's exceptions, those that say where its cash is after it ended while a provider held it. */
const aboutCash: readonly string[] = [
  'expired_while_locked',
  'cancelled_while_locked',
  'confirmed_after_return',
]

/** What claims have booked of an order's cash. */
type Claims = Pick<Row<'claimed_orders'>, 'credited_by' | 'reversed_by'> | null

/** Whether an order's cash was handled, as far as anybody has said: confirmed, or honoured or claimed after its end. */
export function isPaidFor(
  { status }: Pick<Order, 'status'>,
  exceptions: readonly Ended[],
  claimed: Claims,
): boolean {
  return status === 'COMPLETED' || exceptions.some(isHonoured) || claimed?.credited_by != null
}

/** Whether it waits for somebody to say where an order's cash is. */
export function isAboutCash(kind: string): boolean {
  return aboutCash.includes(kind)
}

function isHonoured({ kind, state, resolution }: Ended): boolean {
  return isAboutCash(kind) && state === 'resolved' && resolution === 'honour'
}

/** Whether a refund has a claim: its money is where only it, or its provider, gets it, or nobody knows where its cash is. */
export function holdsClaim(
  order: Pick<Order, 'status'>,
  exceptions: readonly Ended[],
  claimed: Claims,
): boolean {
  if (claimed?.reversed_by != null) return false
  const isInDoubt = ({ kind, state }: Ended) =>
    (kind === 'expired_while_locked' || kind === 'cancelled_while_locked') && state === 'open'
  return isOpen(order.status) || isPaidFor(order, exceptions, claimed) || exceptions.some(isInDoubt)
}

/** What there is to know of a pay-in that is to be given back. */
interface Known {
  payIn: Order | null
  /** Of its end while it was held, and of a confirmation after that. */
  ended: Ended | null
  disputed: Ended | null
  refundable: Refundable | null
  /** What claims have booked of its cash. */
  claimed: Row<'claimed_orders'> | null
}

export type RefundProblem =
  /** No such pay-in of this merchant. */
  | { reason: 'refund_unknown' | 'refund_unpaid' | 'refund_currency' }
  | { reason: 'refund_exceeds'; leftMinor: bigint; currency: string }

export interface RefundAsked {
  payInId: string
  merchantId: string
  currency: string
}

type Found = { ok: true; refundable: Refundable } | { ok: false; problem: RefundProblem }

/** How much is left of a pay-in, in minor units; or why nothing of it may be given back. */
export type RefundLook = { ok: true; leftMinor: bigint } | { ok: false; problem: RefundProblem }

/** What a step locks that makes a refund. The pay-in is only looked at: once it is paid for, it stays so. */
export function refundRows(payInId: string | undefined) {
  const asked = payInId !== undefined
  return {
    payIn: asked ? sharedRow('orders', { id: payInId }) : undefined,
    ended: asked ? sharedRow('exceptions', { id: endedWhileLockedId(payInId) }) : undefined,
    disputed: asked ? sharedRow('exceptions', { id: confirmedAfterReturnId(payInId) }) : undefined,
    claimed: asked ? sharedRow('claimed_orders', { order_id: payInId }) : undefined,
    refundable: asked ? row('refundable', { pay_in_id: payInId }) : undefined,
  }
}

/** What of a pay-in may be given back to whom, before anything is judged; the making looks again. */
export async function lookAtRefund(store: Pick<Store, 'query'>, asked: RefundAsked): Promise<RefundLook> {
  const { payInId } = asked
  const [refundable] = await store.query(refundableById, { payInId })
  const [payIn] = refundable === undefined ? await store.query(orderById, { id: payInId }) : []
  const exceptionOf = async (id: string) => (await store.query(exceptionById, { id }))[0] ?? null
  const isEnded = payIn !== undefined && payIn.status !== 'COMPLETED'
  const found = findRefundable(
    {
      refundable: refundable ?? null,
      payIn: payIn ?? null,
      ended: isEnded ? await exceptionOf(endedWhileLockedId(payInId)) : null,
      disputed: isEnded ? await exceptionOf(confirmedAfterReturnId(payInId)) : null,
      claimed: (await store.query(claimedOrder, { orderId: payInId }))[0] ?? null,
    },
    asked,
  )
  return found.ok ? { ok: true, leftMinor: leftOf(found.refundable) } : found
}

function findRefundable({ payIn, ended, disputed, refundable, claimed }: Known, asked: RefundAsked): Found {
  const refuse = (reason: 'refund_unknown' | 'refund_unpaid' | 'refund_currency') =>
    ({ ok: false, problem: { reason } }) as const
  const subject = refundable ?? payIn
  // Another merchant's is as unknown as one that does not exist.
  if (subject === null || subject.merchant_id !== asked.merchantId) return refuse('refund_unknown')
  if (refundable === null && payIn?.direction !== 'PAY_IN') return refuse('refund_unknown')
  if (subject.currency !== asked.currency) return refuse('refund_currency')
  // A claim has said that nothing was paid after all.
  if (claimed?.reversed_by != null) return refuse('refund_unpaid')
  if (refundable !== null) return { ok: true, refundable }
  const exceptions = [ended, disputed].filter((one) => one !== null)
  if (payIn === null || !isPaidFor(payIn, exceptions, claimed)) return refuse('refund_unpaid')
  return { ok: true, refundable: newRefundable(payIn, claimed) }
}

/** Of a pay-in that is paid for, and nothing given back of it yet. */
export function newRefundable(
  payIn: Order,
  claimed: Pick<Row<'claimed_orders'>, 'corrected_minor'> | null,
): Refundable {
  const { id, merchant_id, merchant_order_id, description, country, currency, price_minor } = payIn
  return {
    ...{ pay_in_id: id, merchant_id, merchant_order_id, description, country, currency },
    paid_at: payIn.paid_at ?? payIn.locked_at ?? payIn.modified_at,
    credited_minor: price_minor + (claimed?.corrected_minor ?? 0n),
    claimed_minor: 0n,
    excess_minor: 0n,
    archived_minor: 0n,
  }
}

/**
 * What a claim books more or less of a pay-in's cash, of which something was given back before. What was given back beyond what is
 * booked now was paid all the same.
 */
export function correctCredited(refundable: Refundable, beyondMinor: bigint): Write[] {
  const { pay_in_id, credited_minor: before, claimed_minor, excess_minor } = refundable
  const credited_minor = before + beyondMinor
  const givenBack = claimed_minor + excess_minor
  const excess = givenBack > credited_minor ? givenBack - credited_minor : 0n
  const set = { credited_minor, claimed_minor: givenBack - excess, excess_minor: excess }
  return [{ update: 'refundable', key: { pay_in_id }, set }]
}

/** How much may still be given back. */
export function leftOf({ credited_minor, claimed_minor }: Refundable): bigint {
  return credited_minor - claimed_minor
}

type Claimed = { ok: true; writes: Write[] } | { ok: false; problem: RefundProblem }

/** What a refund claims in the step that makes it. */
export function claim(known: Known, asked: RefundAsked, priceMinor: bigint): Claimed {
  const found = findRefundable(known, asked)
  if (!found.ok) return found
  const { refundable } = found
  const leftMinor = leftOf(refundable)
  if (priceMinor > leftMinor) {
    return { ok: false, problem: { reason: 'refund_exceeds', leftMinor, currency: refundable.currency } }
  }
  const claimed = { ...refundable, claimed_minor: refundable.claimed_minor + priceMinor }
  if (known.refundable === null) return { ok: true, writes: [{ insert: 'refundable', values: claimed }] }
  return { ok: true, writes: [update(claimed)] }
}

/** The row that a step holds for an order which may end in it; none for one that gives nothing back. */
export function refundableRow(order: Pick<Order, 'refund_of'>) {
  return order.refund_of === null ? undefined : row('refundable', { pay_in_id: order.refund_of })
}

/** What an accepted event gives up: the claim of a refund that ended without its cash, unless that is in suspense. */
export function giveUpAtEnd(
  order: Order,
  refundable: Refundable | null | undefined,
  effects: readonly OrderEffect[],
): Write[] {
  if (order.refund_of === null || isOpen(order.status) || order.status === 'COMPLETED') return []
  const isSuspended = effects.some(
    (effect) => effect.type === 'money.move' && effect.params.movement === 'suspend',
  )
  return isSuspended ? [] : giveUp(order, refundable)
}

/** What an operator's word about the cash of a refund that ended does to its claim. */
export function claimAfter(
  settlement: 'honour' | 'return' | 'reclaim',
  order: Order,
  refundable: Refundable | null,
): Write[] {
  if (order.refund_of === null || settlement === 'honour') return []
  return settlement === 'return' ? giveUp(order, refundable) : claimAgain(order, refundable)
}

/** What was paid beyond what was credited is the first to go. */
function giveUp(order: Order, held: Refundable | null | undefined): Write[] {
  const refundable = theRow(order, held)
  const { price_minor: price } = order
  const rest = price - refundable.excess_minor
  const ofClaim = rest > 0n ? rest : 0n
  return [
    update({
      ...refundable,
      excess_minor: refundable.excess_minor - (price - ofClaim),
      claimed_minor: refundable.claimed_minor - ofClaim,
    }),
  ]
}

/** Its cash was handed out, whatever others have claimed since it was returned. */
function claimAgain(order: Order, held: Refundable | null): Write[] {
  const refundable = theRow(order, held)
  const { price_minor: price } = order
  const beyond = price - leftOf(refundable)
  const excess = beyond > 0n ? beyond : 0n
  return [
    update({
      ...refundable,
      claimed_minor: refundable.claimed_minor + (price - excess),
      excess_minor: refundable.excess_minor + excess,
    }),
  ]
}

function theRow(order: Order, refundable: Refundable | null | undefined): Refundable {
  if (refundable?.pay_in_id === order.refund_of && refundable !== undefined) return refundable
  throw new Error(`The step of refund ${order.id} does not hold what is left of ${order.refund_of}.`)
}

function update({ pay_in_id, claimed_minor, excess_minor }: Refundable): Write {
  return { update: 'refundable', key: { pay_in_id }, set: { claimed_minor, excess_minor } }
}
