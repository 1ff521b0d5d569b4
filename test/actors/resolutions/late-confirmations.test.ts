/** Who held an order confirms after its end, before or after a person has said what happened. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  ending,
  graceMs,
  hourMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  tills,
} from '../../support/order-world.ts'
import { balances, exceptionOf, expiredWhileLocked } from './ended-orders.ts'

const play = inOrderWorld(test)

play('a late confirmation by the former holder joins the exception of the order’s end', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const order = await expiredWhileLocked(world)
  const seen = await exceptionOf(world, order)
  assert.is(ending(await world.confirm(order, 'A')), 'refused ended_while_locked')
  world.clock.advance(minuteMs)
  assert.is(ending(await world.confirm(order, 'A')), 'refused ended_while_locked')
  assert.is(ending(await world.confirm(order, 'B')), 'refused wrong_status')
  const joined = await exceptionOf(world, order)
  assert.equal(joined.evidence, {
    ...(seen.evidence as object),
    lateConfirmations: {
      count: 2,
      first: '2026-03-02T12:10:00.000Z',
      last: '2026-03-02T12:11:00.000Z',
      by: [{ key: 'pk_a', count: 2, first: '2026-03-02T12:10:00.000Z', last: '2026-03-02T12:11:00.000Z' }],
    },
  })
  // Who was about to return the money has not seen that the provider says it has paid.
  const late = await refusal('exception.resolve', {
    id: seen.id,
    as: 'return',
    reason: 'x',
    revision: seen.revision,
  })
  assert.equal(
    [late.code, late.message],
    ['conflict', 'The exception has changed since you looked (revision 2 now).'],
  )
  await ask(exceptionResolve, { id: seen.id, as: 'honour', reason: 'the till was slow', revision: 2 })
  await assertInvariants(world)
})

play(
  'a confirmation that finds the expiry still to be applied joins the exception it opens',
  async (world) => {
    await world.deposit(100_000n)
    const { id } = await world.order()
    await world.start(id, 'A')
    world.clock.advance(24 * hourMs + graceMs)
    assert.is(ending(await world.confirm(id, 'A')), 'refused ended_while_locked')
    const { evidence, kind } = await exceptionOf(world, id)
    assert.is(kind, 'expired_while_locked')
    assert.match(JSON.stringify(evidence), /"lateConfirmations":\{"count":1,/)
    assert.is((await world.rows('exceptions')).length, 1)
    await assertInvariants(world)
  },
)

play(
  'an insistent till is counted beyond what the journal keeps, and its evidence stays small',
  async (world) => {
    const order = await expiredWhileLocked(world)
    const keys = Array.from({ length: 12 }, (_, index) => `pk_${index}`)
    for (const credential of [...keys, ...keys, ...keys]) {
      world.clock.advance(1000)
      const actor = { ...tills.A, credential }
      await world.tell(order, actor, { type: 'payment.confirm', providerId: tills.A.id })
    }
    const { evidence, revision } = await exceptionOf(world, order)
    const { lateConfirmations } = evidence as {
      lateConfirmations: { count: number; last: string; by: object[] }
    }
    assert.equal(
      [lateConfirmations.count, lateConfirmations.last, lateConfirmations.by.length, revision],
      [36, '2026-03-02T12:10:36.000Z', 10, 11],
    )
    const { refusals, journal_count } = await world.row(order)
    assert.equal([refusals, journal_count], [36, 4 + 20])
    await assertInvariants(world)
  },
)

play('an operator who confirms for the provider too late is no evidence of the provider’s', async (world) => {
  const order = await expiredWhileLocked(world)
  const { refusal } = operatorOf(world)
  const error = await refusal('order.confirm', { id: order, provider: 'Network A', reason: 'receipt' })
  assert.is(error.hint, `Resolve its exception: exception list --order ${order}`)
  const { id } = await exceptionOf(world, order)
  await operatorOf(world).ask(exceptionResolve, { id, as: 'return', reason: 'x' })
  const resolved = await refusal('order.confirm', { id: order, provider: 'Network A', reason: 'receipt' })
  assert.is(resolved.message, 'The order became EXPIRED while Network A held it, and was resolved as return.')
  assert.not.match(JSON.stringify((await exceptionOf(world, order)).evidence), /lateConfirmations/)
})

/** Returned by the operator, and then confirmed by the provider. */
async function disputed(world: OrderWorld, direction: 'PAY_OUT' | 'PAY_IN' = 'PAY_OUT') {
  const order = await expiredWhileLocked(world, direction)
  const { id } = await exceptionOf(world, order)
  await operatorOf(world).ask(exceptionResolve, { id, as: 'return', reason: 'the till said so' })
  world.clock.advance(minuteMs)
  assert.is(ending(await world.confirm(order, 'A')), 'refused ended_while_locked')
  return { order, exception: await exceptionOf(world, order) }
}

play(
  'a confirmation after the return is an exception of its own, and is joined by the next',
  async (world) => {
    const { order, exception } = await disputed(world)
    assert.equal(
      [exception.kind, exception.state, exception.resolutions.map(({ as }) => as)],
      ['confirmed_after_return', 'open', ['honour', 'dismiss']],
    )
    assert.match(exception.reason, /^Network A confirms an order that it held when it became EXPIRED, after/)
    await world.confirm(order, 'A')
    await world.confirm(order, 'A')
    assert.match(JSON.stringify((await exceptionOf(world, order)).evidence), /"count":3/)
    assert.is((await world.rows('exceptions')).length, 2)
    await assertInvariants(world)
  },
)

play('honoured after the return, what the merchant has spent meanwhile is its debt', async (world) => {
  const { order, exception } = await disputed(world)
  // It has spent 700 of the 1000.
  await world.order({ priceMinor: 70_000n })
  assert.is(await world.balance({}), 30_000n)
  await operatorOf(world).ask(exceptionResolve, {
    id: exception.id,
    as: 'honour',
    reason: 'the receipt came by post',
  })
  assert.equal(await balances(world), { available: 0n, suspense: 0n, provider: 100_000n, debt: -70_000n })
  assert.is((await world.row(order)).status, 'EXPIRED')
  await assertInvariants(world)
  await world.deposit(100_000n)
  assert.equal(await balances(world), { available: 30_000n, suspense: 0n, provider: 100_000n, debt: 0n })
  await assertInvariants(world)
})

play('a pay-in that is honoured after its return is the provider’s debt all the same', async (world) => {
  const { exception } = await disputed(world, 'PAY_IN')
  await operatorOf(world).ask(exceptionResolve, {
    id: exception.id,
    as: 'honour',
    reason: 'found in the till',
  })
  assert.equal(await balances(world), { available: 100_000n, suspense: 0n, provider: -100_000n, debt: 0n })
  await assertInvariants(world)
})

play('dismissed, the return stands', async (world) => {
  const { order, exception } = await disputed(world)
  await operatorOf(world).ask(exceptionResolve, {
    id: exception.id,
    as: 'dismiss',
    reason: 'another order’s receipt',
  })
  assert.equal(await balances(world), { available: 100_000n, suspense: 0n, provider: 0n, debt: 0n })
  const { revision } = await world.row(order)
  assert.is(revision, 5, 'the return is in the journal, the dismissal moves nothing')
  await assertInvariants(world)
})

test.run()
