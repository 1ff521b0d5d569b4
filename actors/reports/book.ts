/**
 * Books a provider's report on the orders that are quarantined since a backup was restored: all of it in one step, or nothing.
 *
 * A quarantined order may have been started and paid by any provider after the backup. What one of them says it paid is booked
 * as a start and a confirmation in one event, with what the report says as its evidence. That one has not paid it says
 * nothing of the others: an order is cleared once every provider that could have paid it has said so.
 */
import { currencyDecimals, formatPrice, parseAmount } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { type Decision, type Row, rows, type Store, type Topic, type Write } from '../../persistence/store.ts'
import type { Fault } from '../foundation/csv.ts'
import { type AdvanceContext, advance, updateOrder } from '../orders/advance.ts'
import { commissionAt } from '../orders/fees.ts'
import { type Actor, appendEntry } from '../orders/journal.ts'
import type { Companions } from '../orders/representation.ts'
import type { ReportRow } from './read.ts'

export interface KnownRow extends ReportRow {
  orderId: string
  networkId: string
}

export interface Booking {
  context: AdvanceContext
  actor: Actor
  reason: string
  provider: { id: string; name: string }
  /** Every provider that could have paid before a time, by id. */
  providers: readonly { id: string; name: string; since: Instant }[]
  /** By order: the providers that have said they did not pay it, since it is quarantined. */
  denials: ReadonlyMap<string, ReadonlySet<string>>
  /** Of the provider's networks, from whenever. */
  commissions: readonly Row<'fee_terms'>[]
  isDryRun: boolean
}

export interface BookedLine {
  line: number
  order: string
  /**
   * `paid`: booked. `cleared`: nobody paid it, and payments may be started again. `noted`: this provider did not pay
   * it; the others have not said so. `unchanged`: it was so already.
   */
  result: 'paid' | 'cleared' | 'noted' | 'unchanged'
  /** The providers whose word is missing, by name. */
  waitsFor: string[]
}

type Booked = { lines: BookedLine[]; faults: Fault[] }

/** What a line comes to, or why it cannot be done. */
export type Judged = Done | { ok: false; fault: Fault }

export interface Done {
  ok: true
  line: BookedLine
  writes: readonly Write[]
  wake: readonly Topic[]
}

function impossible(line: number, problem: string): Judged {
  return { ok: false, fault: { line, problem } }
}

export async function bookReport(
  store: Store,
  known: readonly KnownRow[],
  booking: Booking,
): Promise<Booked> {
  const besideOrders = known.map(({ orderId }) => ({ order_id: orderId }))
  const result = await store.step({
    rows: {
      orders: rows(
        'orders',
        known.map(({ orderId }) => ({ id: orderId })),
      ),
      consumers: rows('consumers', besideOrders),
      foreign: rows('foreign_orders', besideOrders),
    },
    decide: (locked, at): Decision<Booked> => {
      const judged = known.map((one, index): Judged => {
        const order = locked.orders[index] ?? null
        const consumer = locked.consumers[index] ?? null
        const foreign = locked.foreign[index] ?? null
        if (order === null) return impossible(one.line, `there is no order ${one.order}`)
        return judgeReported(booking, one, order, { consumer, foreign }, at)
      })
      const faults = judged.flatMap((one) => (one.ok ? [] : [one.fault]))
      const done = judged.filter((one) => one.ok)
      const lines = done.map(({ line }) => line)
      if (faults.length > 0 || booking.isDryRun) return { answer: { lines, faults }, writes: [] }
      return {
        answer: { lines, faults },
        writes: done.flatMap(({ writes }) => writes),
        wake: [...new Set(done.flatMap(({ wake }) => wake))],
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`A provider's report violated ${result.constraint}.`)
}

/** What a provider's word about a quarantined order comes to, on rows that the step holds. */
export function judgeReported(
  booking: Booking,
  one: KnownRow,
  order: Row<'orders'>,
  beside: Companions,
  at: Instant,
): Judged {
  return one.payment === null
    ? judgeDenial(booking, one, order, beside, at)
    : judgePayment(booking, one, one.payment, { order, beside, at })
}

function judgePayment(
  { context, actor, reason, provider, commissions }: Booking,
  { line, networkId, reference }: KnownRow,
  { amount, paidAt }: NonNullable<ReportRow['payment']>,
  { order, beside, at }: { order: Row<'orders'>; beside: Companions; at: Instant },
): Judged {
  const { id, status, currency, price_minor: price } = order
  if (parseAmount(amount, currencyDecimals(currency)) !== price) {
    const asked = `${formatPrice(price, currency)} ${currency}`
    return impossible(line, `the amount is “${amount}”, and the order's price ${asked}`)
  }
  if (paidAt < order.created_at || paidAt > at) {
    return impossible(
      line,
      `paid_at is ${formatInstant(paidAt)}: before the order was created, or in the future`,
    )
  }
  if (status === 'COMPLETED' && order.lock_provider_id === provider.id) return unchanged(line, id)
  if (status === 'COMPLETED') return impossible(line, 'another provider has paid it')
  if (order.quarantined_at === null)
    return impossible(line, `it is ${status} and not quarantined: look at it first`)
  if (status === 'CREATED') {
    return impossible(line, 'it is CREATED: no money is reserved for it, so nothing can be booked')
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
    return impossible(line, 'another provider held it at the time of the backup: ask both')
  }
  if (next.refusal !== null) return impossible(line, `it is ${status} (${next.refusal})`)
  const writes = [...next.writes, updateOrder(order, next.order), cleared(id)]
  return { ok: true, line: { line, order: id, result: 'paid', waitsFor: [] }, writes, wake: next.wake }
}

function judgeDenial(
  booking: Booking,
  { line, reference }: KnownRow,
  order: Row<'orders'>,
  beside: Companions,
  at: Instant,
): Judged {
  const { context, actor, reason, provider, denials } = booking
  const { id, status } = order
  if (status === 'COMPLETED' && order.lock_provider_id === provider.id) {
    return impossible(line, 'this provider has confirmed that it paid it')
  }
  if (order.quarantined_at === null) return unchanged(line, id)
  const known = denials.get(id) ?? new Set()
  const waitsFor = missingWords(booking, new Set([...known, provider.id]), order.quarantined_at)
  // Two reports that came together may each have missed the other: then it is cleared now.
  if (known.has(provider.id) && waitsFor.length > 0) {
    return { ok: true, line: { line, order: id, result: 'unchanged', waitsFor }, writes: [], wake: [] }
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
  const noted = { line, order: id, result: isCleared ? 'cleared' : 'noted', waitsFor } as const
  if (!isCleared)
    return { ok: true, line: noted, writes: [write, updateOrder(order, told)], wake: ['orders'] }
  if (status !== 'PAYMENT_STARTED' || told.lock_provider_id === null) {
    return { ok: true, line: noted, writes: [write, updateOrder(order, told), cleared(id)], wake: ['orders'] }
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
  if (given.refusal !== null) return impossible(line, `it is ${status} (${given.refusal})`)
  return {
    ok: true,
    line: noted,
    writes: [write, ...given.writes, updateOrder(order, given.order), cleared(id)],
    wake: given.wake,
  }
}

/** Providers that could have paid an order since it is quarantined and have not said that they did not, by name. */
function missingWords(
  { providers }: Pick<Booking, 'providers'>,
  said: ReadonlySet<string>,
  quarantinedAt: Instant,
): string[] {
  return providers.filter(({ id, since }) => since <= quarantinedAt && !said.has(id)).map(({ name }) => name)
}

function unchanged(line: number, order: string): Done {
  return { ok: true, line: { line, order, result: 'unchanged', waitsFor: [] }, writes: [], wake: [] }
}

function cleared(id: string): Write {
  return { update: 'orders', key: { id }, set: { quarantined_at: null } }
}
