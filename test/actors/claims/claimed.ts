/** Orders that claims are about, for the tests of claims. */

import type { ClaimDocument } from '../../../actors/claims/documents.ts'
import { type Opened, openClaim } from '../../../actors/claims/opening.ts'
import { claimOpen } from '../../../actors/claims/operations.ts'
import { type Operation, OperationError } from '../../../actors/foundation/operation.ts'
import type { Actor } from '../../../actors/orders/journal.ts'
import type { ClaimKind } from '../../../machines/claim.ts'
import { agree, shopFees } from '../../support/agreed-terms.ts'
import { operatorOf } from '../../support/operations.ts'
import { hourMs, journalKey, type OrderWorld, shop, tills } from '../../support/order-world.ts'
import { settle } from '../../support/payment-world.ts'

const price = 43_800n

/** A world with banks, terms and fees. */
export async function agreed(world: OrderWorld): Promise<void> {
  await settle(world)
  await agree(world)
}

export async function paidIn(world: OrderWorld): Promise<string> {
  const order = await world.order({ direction: 'PAY_IN', priceMinor: price, feeTerms: shopFees })
  await world.start(order.id, 'A', { hasTerms: true })
  await world.confirm(order.id, 'A')
  return order.id
}

export async function paidOut(world: OrderWorld): Promise<string> {
  await world.deposit(50_000n)
  const order = await world.order({ priceMinor: price, feeTerms: shopFees })
  await world.start(order.id, 'A', { hasTerms: true })
  await world.confirm(order.id, 'A')
  return order.id
}

/** One that nobody held when it ended; `till` has held it, and given it back. */
export async function expired(
  world: OrderWorld,
  direction: 'PAY_IN' | 'PAY_OUT',
  till: 'A' | null = 'A',
): Promise<string> {
  if (direction === 'PAY_OUT') await world.deposit(50_000n)
  const order = await world.order({ direction, priceMinor: price, feeTerms: shopFees })
  if (till !== null) {
    await world.start(order.id, till, { hasTerms: true })
    await world.giveBack(order.id, till)
  }
  world.clock.advance(25 * hourMs)
  await world.orders.tryExpire(order.id)
  return order.id
}

/** One that network A held when it expired: its exception waits. */
export async function expiredWhileHeld(world: OrderWorld, direction: 'PAY_IN' | 'PAY_OUT'): Promise<string> {
  if (direction === 'PAY_OUT') await world.deposit(50_000n)
  const order = await world.order({ direction, priceMinor: price, feeTerms: shopFees })
  await world.start(order.id, 'A', { hasTerms: true })
  world.clock.advance(25 * hourMs)
  await world.orders.tryExpire(order.id)
  return order.id
}

export function claimOf(
  world: OrderWorld,
  order: string,
  kind: ClaimKind,
  more: { amount?: string; exception?: string; provider?: string; text?: string } = {},
): Promise<ClaimDocument> {
  return operatorOf(world).ask(claimOpen, { order, kind, reason: 'a mail', ...more })
}

/** As a party opens it. */
export async function opened(
  world: OrderWorld,
  order: string,
  kind: ClaimKind,
  actor: Extract<Actor, { credential: string }>,
  changes: { amountMinor?: bigint; text?: string } = {},
): Promise<Opened> {
  const context = { store: world.store, clock: world.clock, journalKey, bankingDays: 10 }
  return openClaim(context, {
    kind,
    order: await world.row(order),
    claimant: actor.kind,
    actor,
    providerId: actor.kind === 'provider' ? actor.id : null,
    amountMinor: changes.amountMinor ?? null,
    text: changes.text ?? null,
    exceptionId: null,
  })
}

/** What is available to the shop, what it owes, and what the network is owed; minor units. */
export async function places(
  world: OrderWorld,
): Promise<[available: bigint, debt: bigint, provider: bigint]> {
  return [
    await world.balance({ ownerId: shop.id }),
    await world.balance({ kind: 'debt', ownerId: shop.id }),
    await world.balance({ kind: 'provider', ownerId: tills.A.id }),
  ]
}

/** The words of a refusal. */
export async function refused<Input, Output>(
  world: OrderWorld,
  operation: Operation<Input, Output>,
  input: Input,
): Promise<string> {
  try {
    await operatorOf(world).ask(operation, input)
  } catch (error) {
    if (error instanceof OperationError) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error(`${operation.name} was done`)
}
