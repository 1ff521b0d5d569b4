/** An order's movements as postings: the accounts of its merchant and of its provider, and the table in `machines/`. */
import type { Movement } from '../../machines/order.ts'
import { type Leg, legsOf, type Place, type Settlement } from '../../machines/order-postings.ts'
import type { Instant } from '../../machines/time.ts'
import type { AccountRef, Posting, Row, Topic, Write } from '../../persistence/store.ts'
import { amountsOf } from './fees.ts'

export type { Settlement }

/** The account of a place of an order's money. Fees and taxes are its parties', so that no row is everybody's. */
function placeOf(order: Row<'orders'>, place: Place): AccountRef {
  const { currency } = order
  switch (place) {
    case 'provider':
      return { kind: 'provider', ownerId: holderOf(order), currency }
    case 'commission':
      return { kind: 'fee', ownerId: holderOf(order), currency }
    case 'tax_credited':
      return { kind: 'tax_credited', ownerId: holderOf(order), currency }
    default:
      return { kind: place, ownerId: order.merchant_id, currency }
  }
}

function holderOf(order: Row<'orders'>): string {
  if (order.lock_provider_id === null) throw new Error(`Order ${order.id} settles without a provider.`)
  return order.lock_provider_id
}

/** The postings of a movement, in their order; none where it moves nothing. */
export function postingsOf(order: Row<'orders'>, movement: Movement | Settlement): Posting[] {
  if (movement === 'exchange' || movement === 'unwind' || movement === 'abandon') {
    throw new Error(`Order ${order.id} has no asset to ${movement}.`)
  }
  return legsOf(order.direction, movement, amountsOf(order)).map((leg) => posted(order, leg, movement))
}

/** A leg as the posting that a movement makes of it. */
export function posted(
  order: Row<'orders'>,
  { kind, from, to, amountMinor }: Leg,
  movement: Movement | Settlement | 'refund' | 'keep',
): Posting {
  const aboutAt = aboutOf(order, movement)
  return {
    kind,
    debit: placeOf(order, from),
    credit: placeOf(order, to),
    amountMinor,
    orderId: order.id,
    reference: null,
    ...(aboutAt === null ? {} : { aboutAt }),
  }
}

/** When the cash was handled that a movement credits, as far as it is known: since the lock, where an operator says it. */
function aboutOf(order: Row<'orders'>, movement: string): Instant | null {
  if (movement === 'settle') return order.paid_at
  return movement === 'honour' || movement === 'reclaim' ? order.locked_at : null
}

type Moving = Extract<Write, { post: unknown } | { repay: unknown }>

/**
 * A posting as a step writes it. What arrives at a merchant repays what it owes before it becomes available, and
 * may then fund orders that wait.
 */
export function move(posting: Posting): { writes: Moving[]; wake: Topic[] } {
  return moveAll([posting])
}

/** The same for several of one order: what they charge is taken before a debt is repaid. */
export function moveAll(postings: readonly Posting[]): { writes: Moving[]; wake: Topic[] } {
  const writes = postings.map((post): Moving => ({ post }))
  const arrived = postings.find(({ credit }) => credit.kind === 'available')
  if (arrived === undefined) return { writes, wake: [] }
  const { ownerId: merchantId, currency } = arrived.credit
  const reference = arrived.reference ?? arrived.orderId
  return { writes: [...writes, { repay: { merchantId, currency, reference } }], wake: ['funding'] }
}
