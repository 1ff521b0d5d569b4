/**
 * What a line of a network's report comes to, held against what is booked here: one rule after the other, pure (protocol 16.3).
 *
 * A line is matched by the order that it names, else by the network's own reference; never by an amount and a time.
 */
import { formatPrice } from '../../machines/money.ts'
import { isOpen } from '../../machines/statuses.ts'
import { formatInstant } from '../../machines/time.ts'
import type { LineOutcome } from '../../persistence/schema-reconciliation.ts'
import type { Row } from '../../persistence/store.ts'
import type { Reason } from '../exceptions/report-reasons.ts'
import { addDays, type Day } from '../terms/days.ts'
import type { ReportLine } from './report-lines.ts'

export interface ReportedDay {
  networkId: string
  providerId: string
  currency: string
  day: Day
  toleratedDays: number
}

export interface Booked {
  day: Day
  /** Afterwards, as somebody has said. */
  isLate: boolean
  /** What was handled, as far as it is known: the price, or what a claim has put in its place. */
  minor: bigint
}

/** What there is of an order's cash. */
export interface LineFacts {
  /** `several`: the reference is that of more than one order. */
  order: Row<'orders'> | 'several' | null
  archivedAt: number | null
  /** What cash of it was booked to the provider, and when, claims included; null where none is. */
  booked: Booked | null
  /** The claim that has taken it back from the provider. */
  reversedBy: number | null
  /** Whether the provider holds it, or has held it. */
  wasHeld: boolean
  /** What has to be said of it since it ended while it was locked, or was; and of a word that came after that. */
  ended: Row<'exceptions'> | null
  disputed: Row<'exceptions'> | null
  /** Where its payment was reported before: another line of this report, or of another day's. */
  before: { day: Day; line: number } | null
}

export interface Judged {
  outcome: LineOutcome
  /** Null of a match. */
  reason: Reason | null
  oursMinor: bigint | null
  oursDay: Day | null
  /** An exception that says already that somebody has to look: the line is evidence of it. */
  joins: 'ended' | 'disputed' | null
  /** What is to be booked, since the order is quarantined. */
  books: 'payment' | 'denial' | null
}

const agreed: Judged = {
  outcome: 'matched',
  reason: null,
  oursMinor: null,
  oursDay: null,
  joins: null,
  books: null,
}

export function judgeLine(reported: ReportedDay, line: ReportLine, facts: LineFacts): Judged {
  const { order } = facts
  if (order === null || order === 'several') return judgeUnknown(line, facts)
  switch (line.kind) {
    case 'paid':
      return judgePaid(reported, line, order, facts)
    case 'reversed':
      return judgeReversed(reported, order, facts)
    case 'not_paid':
      return judgeNotPaid(reported, order, facts)
  }
}

function differs(outcome: LineOutcome, reason: Reason, more: Partial<Judged> = {}): Judged {
  return { ...agreed, outcome, reason, ...more }
}

function judgeUnknown({ kind, named }: ReportLine, { order, archivedAt }: LineFacts): Judged {
  // Both sides say that there was no payment; of what is in the archive nothing is compared (protocol 16.3).
  if (kind === 'not_paid') return agreed
  const called = kind
  if (order === 'several') return differs('only_theirs', { code: 'several_orders', called })
  if (archivedAt !== null)
    return differs('only_theirs', { code: 'archived', called, since: formatInstant(archivedAt) })
  return differs('only_theirs', { code: named === null ? 'unknown_reference' : 'unknown_order', called })
}

function judgePaid(reported: ReportedDay, line: ReportLine, order: Row<'orders'>, facts: LineFacts): Judged {
  const { before, booked } = facts
  if (before !== null) {
    const otherDay = before.day === reported.day ? null : before.day
    const ours = booked === null ? {} : { oursMinor: booked.minor, oursDay: booked.day }
    return differs('twice', { code: 'reported_before', line: before.line, day: otherDay }, ours)
  }
  if (booked !== null) return judgeBooked(reported, line, order, booked)
  if (order.quarantined_at !== null && isOpen(order.status)) return { ...agreed, books: 'payment' }
  return judgeUnpaid(reported, line, order, facts)
}

function judgeBooked(
  reported: ReportedDay,
  { amountMinor }: ReportLine,
  order: Row<'orders'>,
  booked: Booked,
): Judged {
  const { currency, day, toleratedDays } = reported
  const { minor: oursMinor } = booked
  const { lock_network_id } = order
  const ours = { oursMinor, oursDay: booked.day }
  if (isOfAnotherNetwork(reported, order)) {
    return differs('status', { code: 'other_network', network: lock_network_id ?? '' }, ours)
  }
  if (amountMinor !== oursMinor) {
    const [theirs, here] = [formatPrice(amountMinor ?? 0n, currency), formatPrice(oursMinor, currency)]
    return differs('amount', { code: 'other_amount', theirs, ours: here, currency }, ours)
  }
  // What is booked afterwards has the day of its booking: the network's is the better one.
  const isNear = booked.day >= addDays(day, -toleratedDays) && booked.day <= addDays(day, toleratedDays)
  if (!booked.isLate && !isNear) return differs('day', { code: 'other_day', day: booked.day }, ours)
  return { ...agreed, ...ours }
}

/** What a claim has credited to one that did not hold it last is through any of its networks. */
function isOfAnotherNetwork(
  { providerId, networkId }: ReportedDay,
  { lock_provider_id, lock_network_id }: Row<'orders'>,
): boolean {
  return lock_provider_id === providerId && lock_network_id !== networkId
}

function judgeUnpaid(
  { providerId, currency }: ReportedDay,
  { amountMinor }: ReportLine,
  { status, price_minor, lock_provider_id, paid_at }: Row<'orders'>,
  { ended, disputed, reversedBy }: LineFacts,
): Judged {
  if (reversedBy !== null) return differs('status', { code: 'claimed_back', claim: reversedBy })
  if (paid_at !== null) return differs('status', { code: 'other_provider' })
  if (isOpen(status)) return differs('status', { code: 'unpaid', status })
  if (lock_provider_id !== providerId) return differs('status', { code: 'held_by_others', status })
  if (amountMinor !== price_minor) {
    const [theirs, price] = [formatPrice(amountMinor ?? 0n, currency), formatPrice(price_minor, currency)]
    return differs('status', { code: 'other_price', status, theirs, price, currency })
  }
  if (ended?.state === 'open') return differs('status', { code: 'undecided', status }, { joins: 'ended' })
  const isReturned = ended?.resolution === 'return' && (disputed === null || disputed.state === 'open')
  if (isReturned) return differs('status', { code: 'given_back', status }, { joins: 'disputed' })
  return differs('status', { code: 'denied', status })
}

function judgeReversed(reported: ReportedDay, order: Row<'orders'>, { booked, wasHeld }: LineFacts): Judged {
  // Of an order that it has never held it is told what it is of one that is not there (protocol 16.7).
  if (booked === null && !wasHeld) return differs('only_theirs', { code: 'never_held' })
  if (booked === null) return agreed
  const ours = { oursMinor: booked.minor, oursDay: booked.day }
  if (isOfAnotherNetwork(reported, order)) {
    return differs('status', { code: 'other_network', network: order.lock_network_id ?? '' }, ours)
  }
  return differs('reversed', { code: 'taken_back' }, ours)
}

function judgeNotPaid({ providerId }: ReportedDay, order: Row<'orders'>, { booked }: LineFacts): Judged {
  if (booked !== null) {
    const ours = { oursMinor: booked.minor, oursDay: booked.day }
    return differs('status', { code: 'not_paid_there' }, ours)
  }
  const isHeld = order.lock_provider_id === providerId
  if (order.quarantined_at !== null) return { ...agreed, books: 'denial' }
  if (order.status === 'PAYMENT_STARTED' && isHeld) return differs('status', { code: 'under_way' })
  return agreed
}
