/** Claims and exceptions about the same money: it is decided in one place, and who resolves one resolves or releases the other. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { claimAccept, claimReject, claimShow, claimUphold } from '../../../actors/claims/operations.ts'
import { claimWithdraw } from '../../../actors/claims/telling-operations.ts'
import { confirmedAfterReturnId, endedWhileLockedId } from '../../../actors/exceptions/exception-id.ts'
import { newException } from '../../../actors/exceptions/kinds.ts'
import { exceptionResolve, exceptionShow } from '../../../actors/resolutions/operations.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit, inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { agreed, claimOf, expiredWhileHeld, opened, paidIn, places, refused } from './claimed.ts'

const play = inOrderWorld(test)
const why = { reason: 'the receipt was seen' }

async function stateOf(world: OrderWorld, id: string) {
  const { state, resolution, resolvedBy } = await operatorOf(world).ask(exceptionShow, { id })
  return [state, resolution, resolvedBy]
}

for (const direction of ['PAY_IN', 'PAY_OUT'] as const) {
  play(
    `accepted, a claim about a ${direction} that expired while it was held honours it, once`,
    async (world) => {
      await agreed(world)
      const order = await expiredWhileHeld(world, direction)
      const id = endedWhileLockedId(order)
      const { ask, refusal } = operatorOf(world)
      const seen = await ask(exceptionShow, { id })
      const { number, exception } = await claimOf(world, order, 'paid_not_credited')
      assert.is(exception, id, 'it holds what the money waits for')
      const stale = await refusal('exception.resolve', { id, as: 'return', ...why, revision: seen.revision })
      assert.match(stale.message, /has changed since you looked/)
      const shown = await ask(claimAccept, { number, ...why, dryRun: true })
      const done = await ask(claimAccept, { number, ...why })
      assert.equal(done.postings, shown.postings)
      assert.is(done.postings[0]?.kind, 'honour')
      assert.is(done.exception, id)
      assert.equal(await stateOf(world, id), ['resolved', 'honour', 'ana'])
      const before = await refusal('exception.resolve', { id, as: 'honour', ...why })
      assert.match(before.message, /was resolved already: honour/)
      assert.equal(await problemsIn(world), [])
      const expected = direction === 'PAY_IN' ? [42_530n, 0n, -42_814n] : [5_438n, 0n, 44_786n]
      assert.equal(await places(world), expected)
    },
  )

  play(
    `honoured for itself, the exception of a ${direction} upholds the claim, and moves the money once`,
    async (world) => {
      await agreed(world)
      const order = await expiredWhileHeld(world, direction)
      const id = endedWhileLockedId(order)
      const { ask } = operatorOf(world)
      const { number } = await claimOf(world, order, 'paid_not_credited')
      await ask(exceptionResolve, { id, as: 'honour', ...why })
      const claim = await ask(claimShow, { number })
      assert.equal([claim.state, claim.endedBy, claim.exception], ['upheld', 'operator:ana', id])
      assert.match(
        await refused(world, claimUphold, { number, ...why }),
        /^conflict: Claim 1 was upheld already/,
      )
      assert.equal(await problemsIn(world), [])
      const expected = direction === 'PAY_IN' ? [42_530n, 0n, -42_814n] : [5_438n, 0n, 44_786n]
      assert.equal(await places(world), expected)
    },
  )
}

play(
  'returned for itself, the exception lets the claim go on, which then takes what is available',
  async (world) => {
    await agreed(world)
    const order = await expiredWhileHeld(world, 'PAY_OUT')
    const id = endedWhileLockedId(order)
    const { ask } = operatorOf(world)
    const { number } = await claimOf(world, order, 'paid_not_credited')
    await ask(exceptionResolve, { id, as: 'return', reason: 'no receipt' })
    const claim = await ask(claimShow, { number })
    assert.equal([claim.state, claim.exception], ['open', null])
    assert.is(claim.events.at(-1)?.event, 'claim.release')
    const done = await ask(claimUphold, { number, ...why })
    assert.equal(
      done.postings.map((one) => one.kind),
      ['claim', 'claim_fee', 'claim_fee_tax', 'claim_commission', 'claim_commission_tax'],
    )
    assert.equal(await places(world), [5_438n, 0n, 44_786n])
    // The confirmation that comes late cannot have it paid once more.
    await world.confirm(order, 'A')
    const disputed = confirmedAfterReturnId(order)
    const again = await refused(world, exceptionResolve, { id: disputed, as: 'honour', ...why })
    assert.match(again, /^refused: Claim 1 has booked the cash of the order already/)
    await ask(exceptionResolve, { id: disputed, as: 'dismiss', ...why })
    assert.equal(await places(world), [5_438n, 0n, 44_786n])
    assert.equal(await problemsIn(world), [])
  },
)

play(
  'a late confirmation that is honoured settles the claim for the same cash, opened before or after',
  async (world) => {
    await agreed(world)
    const order = await expiredWhileHeld(world, 'PAY_OUT')
    const { ask } = operatorOf(world)
    await ask(exceptionResolve, { id: endedWhileLockedId(order), as: 'return', reason: 'no receipt' })
    const { number } = await claimOf(world, order, 'paid_not_credited')
    await world.confirm(order, 'A')
    await ask(exceptionResolve, { id: confirmedAfterReturnId(order), as: 'honour', ...why })
    assert.is((await ask(claimShow, { number })).state, 'upheld')
    assert.equal(await places(world), [5_438n, 0n, 44_786n])
    assert.equal(await problemsIn(world), [])
  },
)

play(
  'rejected or withdrawn, a claim lets the exception wait on for who says where its money goes',
  async (world) => {
    await agreed(world)
    const order = await expiredWhileHeld(world, 'PAY_IN')
    const id = endedWhileLockedId(order)
    const { ask } = operatorOf(world)
    const { number } = await claimOf(world, order, 'paid_not_credited')
    await ask(claimReject, { number, reason: 'no receipt' })
    assert.equal(await stateOf(world, id), ['open', null, null])
    assert.not.match(JSON.stringify((await ask(exceptionShow, { id })).evidence), /"claim"/)
    const next = await claimOf(world, order, 'paid_not_credited')
    await ask(claimWithdraw, { number: next.number, reason: 'it was another order' })
    assert.equal(await stateOf(world, id), ['open', null, null])
    await ask(exceptionResolve, { id, as: 'honour', ...why })
    assert.equal(await places(world), [42_530n, 0n, -42_814n])
    assert.equal(await problemsIn(world), [])
  },
)

/** As a report has opened it. */
async function difference(world: OrderWorld, order: string | null): Promise<string> {
  const values = newException({
    id: '5f0c5f0c-0000-8000-8000-000000000001',
    kind: 'report_difference',
    order_id: order,
    reason: '000A reports of 2026-03-01, line 2: another amount',
    evidence: { report: { network: '000A', day: '2026-03-01', outcome: 'amount' } },
    opened_at: world.clock.now(),
  })
  await commit(world.store, [{ insert: 'exceptions', values }])
  return values.id
}

play('a difference of a report is over with the claim about it, however that is decided', async (world) => {
  await agreed(world)
  const order = await paidIn(world)
  const id = await difference(world, order)
  const { ask } = operatorOf(world)
  const { number } = await claimOf(world, order, 'wrong_amount', { amount: '400.00', exception: id })
  const second = await refused(world, exceptionResolve, { id, as: 'dismiss', reason: 'x', revision: 1 })
  assert.match(second, /has changed since you looked/)
  const done = await ask(claimUphold, { number, ...why })
  assert.is(done.exception, id)
  assert.equal(await stateOf(world, id), ['resolved', 'claim', 'ana'])
  assert.equal(await problemsIn(world), [])
})

play('dismissed for itself, a difference lets the claim about it go on', async (world) => {
  await agreed(world)
  const order = await paidIn(world)
  const id = await difference(world, null)
  const { ask } = operatorOf(world)
  const { number } = await claimOf(world, order, 'wrong_amount', { amount: '400.00', exception: id })
  await ask(exceptionResolve, { id, as: 'dismiss', reason: 'both agree' })
  const claim = await ask(claimShow, { number })
  assert.equal([claim.state, claim.exception], ['open', null])
  await ask(claimAccept, { number, ...why })
  assert.equal(await problemsIn(world), [])
})

play('two claims never hold one exception, and none holds what it does not resolve', async (world) => {
  await agreed(world)
  const order = await paidIn(world)
  const other = await expiredWhileHeld(world, 'PAY_IN')
  const id = await difference(world, order)
  await claimOf(world, order, 'wrong_amount', { amount: '400.00', exception: id })
  const held = await operatorOf(world).refusal('claim.open', {
    order,
    kind: 'twice',
    exception: id,
    reason: 'x',
  })
  assert.is(held.message, 'Another claim holds the exception.')
  const elsewhere = await operatorOf(world).refusal('claim.open', {
    order: other,
    kind: 'twice',
    exception: id,
    reason: 'x',
  })
  assert.is(elsewhere.message, 'The exception is about another order.')
  const ended = endedWhileLockedId(other)
  const kind = await operatorOf(world).refusal('claim.open', {
    order: other,
    kind: 'twice',
    exception: ended,
    reason: 'x',
  })
  assert.match(kind.message, /^A claim resolves a difference of a report/)
  const gone = await operatorOf(world).refusal('claim.open', {
    order,
    kind: 'twice',
    exception: '00000000-0000-4000-8000-000000000000',
    reason: 'x',
  })
  assert.match(gone.message, /^The exception is not there/)
})

play('of a decision and a resolution at once one moves the money', async (world) => {
  await agreed(world)
  const order = await expiredWhileHeld(world, 'PAY_OUT')
  const id = endedWhileLockedId(order)
  const { ask } = operatorOf(world)
  const { number } = await claimOf(world, order, 'paid_not_credited')
  await Promise.allSettled([
    ask(claimAccept, { number, ...why }),
    ask(exceptionResolve, { id, as: 'honour', ...why }),
    ask(claimUphold, { number, ...why }),
    ask(exceptionResolve, { id, as: 'honour', ...why }),
  ])
  assert.equal(await places(world), [5_438n, 0n, 44_786n])
  assert.equal(await problemsIn(world), [])
})

play('of openings at once one is made, with the next number and no gap', async (world) => {
  await agreed(world)
  const order = await paidIn(world)
  const { shop, tills } = await import('../../support/order-world.ts')
  const ends = await Promise.all(
    [shop, tills.A, shop, tills.A].map((actor) => opened(world, order, 'twice', actor)),
  )
  assert.equal(ends.map(({ outcome }) => outcome).toSorted(), ['opened', 'refused', 'refused', 'refused'])
  assert.is((await claimOf(world, order, 'false_note', { amount: '1.00' })).number, 2)
  assert.equal(await problemsIn(world), [])
})

test.run()
