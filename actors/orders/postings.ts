/**
 * Where an order's money goes, as one total table.
 *
 * It is in exactly one place at a time: reserved, owed to the provider, available again, or in suspense
 * (protocol 10.1). For a pay-in nothing is reserved: the provider owes what it collected.
 */
import type { Direction, LocalMovement, Movement } from '../../machines/order.ts'
import type { AccountRef, Posting, Row, Topic, Write } from '../../persistence/store.ts'

type Place = (order: Row<'orders'>) => AccountRef

const available: Place = (order) => ({
  kind: 'available',
  ownerId: order.merchant_id,
  currency: order.currency,
})
const reserved: Place = (order) => ({
  kind: 'reserved',
  ownerId: order.merchant_id,
  currency: order.currency,
})
const suspense: Place = (order) => ({
  kind: 'suspense',
  ownerId: order.merchant_id,
  currency: order.currency,
})

/** Below zero it owes us, above zero we owe it. */
const provider: Place = (order) => {
  if (order.lock_provider_id === null) throw new Error(`Order ${order.id} settles without a provider.`)
  return { kind: 'provider', ownerId: order.lock_provider_id, currency: order.currency }
}

/**
 * What an operator says of the cash of an order that ended while it was locked. `reclaim` honours it after its
 * money was given back.
 */
export type Settlement = 'honour' | 'return' | 'reclaim'

const movements: Record<Direction, Record<LocalMovement | Settlement, { from: Place; to: Place } | null>> = {
  PAY_OUT: {
    reserve: { from: available, to: reserved },
    release: { from: reserved, to: available },
    settle: { from: reserved, to: provider },
    suspend: { from: reserved, to: suspense },
    honour: { from: suspense, to: provider },
    return: { from: suspense, to: available },
    reclaim: { from: available, to: provider },
  },
  PAY_IN: {
    reserve: null,
    release: null,
    settle: { from: provider, to: available },
    suspend: null,
    honour: { from: provider, to: available },
    return: null,
    reclaim: { from: provider, to: available },
  },
}

/** The posting of a movement; `null` where that movement moves nothing. */
export function postingOf(order: Row<'orders'>, movement: Movement | Settlement): Posting | null {
  if (movement === 'exchange' || movement === 'unwind' || movement === 'abandon') {
    throw new Error(`Order ${order.id} has no asset to ${movement}.`)
  }
  const places = movements[order.direction][movement]
  if (places === null) return null
  return {
    kind: movement,
    debit: places.from(order),
    credit: places.to(order),
    amountMinor: order.price_minor,
    orderId: order.id,
    reference: null,
  }
}

/**
 * A posting as a step writes it. What arrives at a merchant repays what it owes before it becomes available, and
 * may then fund orders that wait.
 */
export function move(posting: Posting): { writes: Write[]; wake: Topic[] } {
  const { credit } = posting
  if (credit.kind !== 'available') return { writes: [{ post: posting }], wake: [] }
  const reference = posting.reference ?? posting.orderId
  return {
    writes: [
      { post: posting },
      { repay: { merchantId: credit.ownerId, currency: credit.currency, reference } },
    ],
    wake: ['funding'],
  }
}

/**
 * Takes from a merchant what it may no longer have: what its available balance does not hold is a debt, which what
 * arrives later repays.
 *
 * @param availableMinor its available balance, under the step's lock
 */
export function takeBack(posting: Posting, availableMinor: bigint): Write[] {
  const missing = posting.amountMinor - availableMinor
  if (missing <= 0n) return [{ post: posting }]
  const borrowed: Posting = {
    kind: 'borrow',
    debit: { ...posting.debit, kind: 'debt' },
    credit: posting.debit,
    amountMinor: missing,
    orderId: null,
    reference: posting.reference ?? posting.orderId,
  }
  // The debt first: what is available never goes below zero, not even within a step.
  return [{ post: borrowed }, { post: posting }]
}
