/** Quarantined orders are told what a report says of them: as its lines are stored, and before that, of what would come of it. */
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { foreignOrderById } from '../../persistence/queries/foreign-orders.ts'
import { consumerOfOrder } from '../../persistence/queries/orders.ts'
import { commissionTermsOfProvider } from '../../persistence/queries/parties.ts'
import { partiesOfKind } from '../../persistence/queries/provisioning.ts'
import type { Row, Store, Topic, Write } from '../../persistence/store.ts'
import type { Reason } from '../exceptions/report-reasons.ts'
import type { Actor } from '../orders/journal.ts'
import { quarantineWords } from '../orders/quarantine-words.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import type { Companions } from '../orders/representation.ts'
import type { Known } from './facts.ts'
import { type Judged, judgeLine, type ReportedDay } from './matching.ts'
import { type Booking, judgeReported } from './quarantined-orders.ts'
import type { ReportLine } from './report-lines.ts'

export interface TellingContext {
  store: Pick<Store, 'query'>
  orders: Pick<OrderRegistry, 'context'>
}

export interface Books {
  booking: Booking
  /** By line. */
  lines: ReadonlyMap<number, string>
}

export function idOf(order: Known['facts']['order']): string | null {
  return order === null || order === 'several' ? null : order.id
}

/** What is to be told to quarantined orders. */
export async function booksOf(
  { store, orders }: TellingContext,
  reported: ReportedDay,
  actor: Actor,
  quarantined: readonly Known[],
): Promise<Books | null> {
  if (quarantined.length === 0) return null
  const providers = await store.query(partiesOfKind, { kind: 'provider' })
  const provider = providers.find(({ id }) => id === reported.providerId)
  if (provider === undefined) throw new Error(`There is no provider ${reported.providerId}.`)
  const booking: Booking = {
    context: orders.context,
    actor,
    reason: `the report of ${reported.networkId} of ${reported.day}`,
    provider,
    ...(await quarantineWords(store, providers)),
    commissions: await store.query(commissionTermsOfProvider, { providerId: provider.id }),
  }
  const ids = quarantined.flatMap(({ line, facts }) => {
    const id = idOf(facts.order)
    return id === null ? [] : [[line.line, id] as const]
  })
  return { booking, lines: new Map(ids) }
}

export interface Told {
  judged: Judged
  writes: readonly Write[]
  wake: readonly Topic[]
  isCleared: boolean
}

/** An order that was quarantined when the line was judged. What cannot be booked is a difference like any other. */
export function tell(
  booking: Booking,
  { networkId, currency }: ReportedDay,
  { line, judged }: { line: ReportLine; judged: Judged },
  order: Row<'orders'>,
  beside: Companions,
  at: Instant,
): Told {
  const { amountMinor, paidAt } = line
  const isPayment = judged.books === 'payment'
  if (isPayment && order.currency !== currency)
    return refused(judged, 'amount', { code: 'quarantined_currency', ours: order.currency, currency })
  if (isPayment && amountMinor !== order.price_minor) {
    const price = formatPrice(order.price_minor, currency)
    return refused(judged, 'amount', { code: 'quarantined_price', price, currency })
  }
  // A report that says no time means a payment at whatever time the order could be paid.
  const time = Math.min(Math.max(paidAt ?? order.created_at, order.created_at), at)
  const said = {
    networkId,
    reference: line.reference ?? '',
    payment: isPayment ? { minor: order.price_minor, paidAt: time } : null,
  }
  const told = judgeReported(booking, said, order, beside, at)
  if (!told.ok) return refused(judged, 'status', { code: 'quarantined_problem', problem: told.problem })
  const { writes, wake } = told
  return { judged, writes, wake, isCleared: told.result === 'cleared' }
}

function refused(judged: Judged, outcome: Judged['outcome'], reason: Reason): Told {
  return { judged: { ...judged, outcome, reason, books: null }, writes: [], wake: [], isCleared: false }
}

/**
 * What lines come to as things stand, quarantined orders told of theirs: nothing is written.
 * @param spoken orders that lines before these have spoken of; afterwards those of these, too
 */
export async function foretell(
  context: TellingContext,
  reported: ReportedDay,
  { actor, at }: { actor: Actor; at: Instant },
  known: readonly Known[],
  spoken: Set<string>,
): Promise<Judged[]> {
  const judged = known.map(({ line, facts }) => judgeLine(reported, line, facts))
  const books = await booksOf(
    context,
    reported,
    actor,
    known.filter((_, index) => judged[index]?.books !== null),
  )
  if (books === null) return judged
  for (const [index, { line, facts }] of known.entries()) {
    const one = judged[index]
    const { order } = facts
    if (one === undefined || one.books === null || order === null || order === 'several') continue
    if (spoken.has(order.id)) continue
    spoken.add(order.id)
    const [consumer] = await context.store.query(consumerOfOrder, { orderId: order.id })
    const [foreign] = await context.store.query(foreignOrderById, { orderId: order.id })
    const beside = { consumer: consumer ?? null, foreign: foreign ?? null }
    judged[index] = tell(books.booking, reported, { line, judged: one }, order, beside, at).judged
  }
  return judged
}
