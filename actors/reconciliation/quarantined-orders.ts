/**
 * What a network's report says of orders that are quarantined since a backup was restored (protocol 16.4).
 *
 * A quarantined order may have been started and paid by any provider after the backup. What one of them says it paid is booked
 * as a start and a confirmation in one event, with what the report says as its evidence. That one has not paid it says
 * nothing of the others: an order is cleared once every provider that could have paid it has said so.
 */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row, Topic, Write } from '../../persistence/store.ts'
import { type AdvanceContext, advance, updateOrder } from '../orders/advance.ts'
import { commissionAt } from '../orders/fees.ts'
import { type Actor, appendEntry } from '../orders/journal.ts'
import { missingWords, type QuarantineWords } from '../orders/quarantine-words.ts'
import type { Companions } from '../orders/representation.ts'

/** A provider's word. */
export interface SaidOfOrder {
  networkId: string
  reference: string
  /** `null` where the cash was not handled; in minor units of the order's currency. */
  payment: { minor: bigint; paidAt: Instant } | null
}

export interface Booking extends QuarantineWords {
  context: AdvanceContext
  actor: Actor
  reason: string
  provider: { id: string; name: string }
  /** From whenever, of the provider's networks. */
  commissions: readonly Row<'fee_terms'>[]
}

/**
 * `paid`: booked. `cleared`: nobody paid it, and payments may be started again. `noted`: this provider did not pay
 * it; the others have not said so. `unchanged`: it was so already.
 */
export type WordResult = 'paid' | 'cleared' | 'noted' | 'unchanged'

/** What a word comes to, or why it cannot be booked. */
export type JudgedWord = Done | { ok: false; problem: string }

export interface Done {
  ok: true
  result: WordResult
  /** The providers whose word is missing, by name. */
  waitsFor: string[]
  writes: readonly Write[]
  wake: readonly Topic[]
}

function impossible(problem: string): JudgedWord {
  return { ok: false, problem }
}

/** What a provider's word about a quarantined order comes to, on rows that the step holds. */
export function judgeReported(
  booking: Booking,
  one: SaidOfOrder,
  order: Row<'orders'>,
  beside: Companions,
  at: Instant,
): JudgedWord {
  return one.payment === null
    ? judgeDenial(booking, one, order, beside, at)
    : judgePayment(booking, one, one.payment, { order, beside, at })
}

function judgePayment(
  { context, actor, reason, provider, commissions }: Booking,
  { networkId, reference }: SaidOfOrder,
  { minor, paidAt }: NonNullable<SaidOfOrder['payment']>,
  { order, beside, at }: { order: Row<'orders'>; beside: Companions; at: Instant },
): JudgedWord {
  const { id, status, currency, price_minor: price } = order
  if (minor !== price) {
    const asked = `${formatPrice(price, currency)} ${currency}`
    return impossible(`the amount is ${formatPrice(minor, currency)}, and the order's price ${asked}`)
  }
  if (paidAt < order.created_at || paidAt > at) {
    return impossible(`paid_at is ${formatInstant(paidAt)}: before the order was created, or in the future`)
  }
  if (status === 'COMPLETED' && order.lock_provider_id === provider.id) return unchanged
  if (status === 'COMPLETED') return impossible('another provider has paid it')
  if (order.quarantined_at === null)
    return impossible(`it is ${status} and not quarantined: look at it first`)
  if (status === 'CREATED') {
    return impossible('it is CREATED: no money is reserved for it, so nothing can be booked')
  }
  const ofNetwork = commissions.filter(({ network_id }) => network_id === networkId)
  const commission = commissionAt(ofNetwork, order, paidAt)
  const earned = commission === undefined ? {} : { commission }
  const event = {
    type: 'payment.report',
    at,
    providerId: provider.id,
    networkId,
    paidAt,
    amount: price.toString(),
    reference,
    reason,
    // Who held it already has what was agreed on at its lock.
    ...(order.lock_provider_id === null ? earned : {}),
  } as const
  const next = advance(context, order, beside, event, actor)
  if (next.refusal === 'not_holder') {
    return impossible('another provider held it at the time of the backup: ask both')
  }
  if (next.refusal !== null) return impossible(`it is ${status} (${next.refusal})`)
  const writes = [...next.writes, updateOrder(order, next.order), cleared(id)]
  return { ok: true, result: 'paid', waitsFor: [], writes, wake: next.wake }
}

function judgeDenial(
  booking: Booking,
  { reference }: SaidOfOrder,
  order: Row<'orders'>,
  beside: Companions,
  at: Instant,
): JudgedWord {
  const { context, actor, reason, provider, denials } = booking
  const { id, status } = order
  if (status === 'COMPLETED' && order.lock_provider_id === provider.id) {
    return impossible('this provider has confirmed that it paid it')
  }
  if (order.quarantined_at === null) return unchanged
  const known = denials.get(id) ?? new Set()
  const waitsFor = missingWords(booking, new Set([...known, provider.id]), order.quarantined_at)
  // Two reports that came together may each have missed the other: then it is cleared now.
  if (known.has(provider.id) && waitsFor.length > 0) {
    return { ok: true, result: 'unchanged', waitsFor, writes: [], wake: [] }
  }

  const isCleared = waitsFor.length === 0
  const { write, ...head } = appendEntry(context.journalKey, order, {
    actor,
    event: { type: 'quarantine.report', at, providerId: provider.id, reference, reason, isCleared },
    from: status,
    to: status,
    outcome: 'accepted',
  })
  const told = { ...order, ...head, revision: order.revision + 1 }
  const noted = { ok: true, result: isCleared ? 'cleared' : 'noted', waitsFor } as const
  if (!isCleared) return { ...noted, writes: [write, updateOrder(order, told)], wake: ['orders'] }
  if (status !== 'PAYMENT_STARTED' || told.lock_provider_id === null) {
    return { ...noted, writes: [write, updateOrder(order, told), cleared(id)], wake: ['orders'] }
  }
  // Whoever held it at the time of the backup says that it did not pay, too.
  const event = {
    type: 'payment.cancel',
    at,
    providerId: told.lock_provider_id,
    reason,
    isQuarantined: true,
  } as const
  const given = advance(context, told, beside, event, actor)
  if (given.refusal !== null) return impossible(`it is ${status} (${given.refusal})`)
  return {
    ...noted,
    writes: [write, ...given.writes, updateOrder(order, given.order), cleared(id)],
    wake: given.wake,
  }
}

const unchanged: Done = { ok: true, result: 'unchanged', waitsFor: [], writes: [], wake: [] }

function cleared(id: string): Write {
  return { update: 'orders', key: { id }, set: { quarantined_at: null } }
}
