/** Orders that ended while they were locked, and what came of them. */
import * as assert from 'uvu/assert'
import {
  type ExceptionDocument,
  exceptionList,
  exceptionShow,
} from '../../../actors/resolutions/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { ending, graceMs, hourMs, type OrderWorld, tills } from '../../support/order-world.ts'

export const provider = { kind: 'provider', ownerId: tills.A.id } as const

/** An order that expired while A held it. */
export async function expiredWhileLocked(world: OrderWorld, direction: 'PAY_OUT' | 'PAY_IN' = 'PAY_OUT') {
  if (direction === 'PAY_OUT') await world.deposit(100_000n)
  const { id } = await world.order({ direction })
  assert.is(ending(await world.start(id, 'A')), 'accepted')
  world.clock.advance(24 * hourMs + graceMs)
  await world.orders.expire(id)
  return id
}

export async function exceptionOf(world: OrderWorld, order: string): Promise<ExceptionDocument> {
  const { ask } = operatorOf(world)
  const { exceptions } = await ask(exceptionList, { order })
  return ask(exceptionShow, { id: exceptions[0]?.id ?? '' })
}

export async function balances(world: OrderWorld) {
  return {
    available: await world.balance({}),
    suspense: await world.balance({ kind: 'suspense' }),
    provider: await world.balance(provider),
    debt: await world.balance({ kind: 'debt' }),
  }
}
