/** Only what is sealed is ordered and told: until then a statement may be lost with its database (protocol 15.10). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { paymentOrder, paymentReceive } from '../../../actors/settlement/payment-operations.ts'
import { paymentDue, paymentOutstanding } from '../../../actors/settlement/runs.ts'
import { linesPerStep } from '../../../actors/settlement/sealing.ts'
import type { Write } from '../../../persistence/store.ts'
import { changedStore, commit, inOrderWorld, shop } from '../../support/order-world.ts'
import { assertBooks, close, network, remainders, seal, settle } from '../../support/payment-world.ts'
import { agree, anchor, closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'
const bank = { kind: 'bank', ownerId: '', currency: 'MXN' } as const
const available = { kind: 'available', ownerId: shop.id, currency: 'MXN' } as const

play('what is closed and not sealed is neither due nor ordered, by hand or by a run', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, network.id, { number: 1, dueMinor: 30_000n, isSealed: false })
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  await close(world, shop.id, { number: 2, dueMinor: 5_000n, isSealed: false })
  const due = async () =>
    (await ask(paymentOutstanding, {})).due.map(({ party, pay, statements }) => [
      party,
      pay,
      statements.map(({ number }) => number),
    ])
  assert.equal(await due(), [['Shop', '100.00', [1]]])
  const order = { bank: 'main', reason }
  const nothing = await refusal('payment.order', { ...order, party: 'Network A' })
  assert.is(nothing.message, 'Nothing is due to Network A in MXN.')
  const named = await refusal('payment.order', { ...order, party: 'Shop', statement: 2 })
  assert.is(named.message, 'Statement 2 of Shop in MXN is closed and not sealed yet.')
  const more = await refusal('payment.order', { ...order, party: 'Shop', amount: '100.01' })
  assert.match(more.message, /^100\.01 MXN is above what is due to Shop: 100\.00 MXN\.$/)
  const { ordered } = await ask(paymentDue, { order: true, bank: 'main' })
  assert.equal(
    ordered.map(({ payment, settles }) => [payment.party, payment.amount, settles]),
    [['Shop', '100.00', [{ statement: 1, amount: '100.00' }]]],
  )
  await seal(world.store, shop.id, 2)
  await seal(world.store, network.id, 1)
  assert.equal((await due()).toSorted(), [
    ['Network A', '300.00', [1]],
    ['Shop', '50.00', [2]],
  ])
  const { payment } = await ask(paymentOrder, { ...order, party: 'Shop' })
  assert.is(payment.amount, '50.00')
  await assertBooks(world)
})

play('money that comes settles what is owed by a statement that is not sealed, too', async (world) => {
  const { ask } = await settle(world)
  await close(world, network.id, { number: 1, dueMinor: -30_000n, isSealed: false })
  const { change } = await ask(paymentReceive, {
    party: 'Network A',
    bank: 'main',
    amount: '200.00',
    reference: 'SPEI 9',
    reason,
  })
  assert.equal(change?.settles, [{ statement: 1, amount: '-200.00' }])
  assert.equal(await remainders(world, network.id), [-10_000n])
})

play('a closing that is killed before its set-off is set off before it is sealed', async (world) => {
  await close(world, network.id, { number: 1, dueMinor: -30_000n })
  await close(world, network.id, { number: 2, dueMinor: 50_000n, isSealed: false })
  await anchor(world.store)
  await closerOf(world).pass()
  assert.equal(await remainders(world, network.id), [0n, 20_000n])
})

play('a node that stops leaves the rest of a long statement to the next start', async (world) => {
  const { store } = world
  await agree(store, shop.id, ['2026-03-01'])
  const deposit = {
    kind: 'deposit',
    debit: bank,
    credit: available,
    amountMinor: 100n,
    orderId: null,
  } as const
  const lines = Array.from(
    { length: 3 * linesPerStep[store.engine] },
    (_, index): Write => ({ post: { ...deposit, reference: `${index}` } }),
  )
  await commit(store, lines)
  world.clock.advance(86_400_000)
  await closerOf(world, { isStopping: () => true }).pass()
  assert.equal(await world.rows('statements'), [], 'no day is closed')
  const stored = async () => (await world.rows('statement_lines')).length
  const isHalfDone = { is: false }
  const closer = closerOf(world, { isStopping: () => isHalfDone.is })
  const stopping = changedStore(store, {
    async step(step) {
      const result = await store.step(step)
      isHalfDone.is = (await stored()) > 0
      return result
    },
  })
  await closer.pass(stopping)
  const begun = await stored()
  assert.ok(begun > 0 && begun < lines.length, `${begun} lines`)
  assert.is((await world.rows('statements'))[0]?.sealed_at, null)
  await closerOf(world).pass()
  assert.is(await stored(), lines.length)
  assert.is.not((await world.rows('statements'))[0]?.sealed_at, null)
  assert.equal(closer.errors, [])
})

test.run()
