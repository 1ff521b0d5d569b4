/** What bounds a payment beside the statement it is for: what its party owes by others, and a debt. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { paymentBook, paymentOrder, paymentReturn } from '../../../actors/settlement/payment-operations.ts'
import { paymentOutstanding } from '../../../actors/settlement/runs.ts'
import { commit, inOrderWorld, shop } from '../../support/order-world.ts'
import { assertBooks, close, network, remainders, settle } from '../../support/payment-world.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'

play('what a network owes by one statement counts against what another asks for', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, network.id, { number: 1, dueMinor: 50_000n })
  await close(world, network.id, { number: 2, dueMinor: -30_000n, dueOn: '2026-03-31' })
  const order = { party: 'Network A', bank: 'main', reason }
  const above = await refusal('payment.order', { ...order, statement: 1, amount: '200.01' })
  assert.is(above.message, '200.01 MXN is above what is due to Network A: 200.00 MXN.')
  const { payment } = await ask(paymentOrder, { ...order, statement: 1, dryRun: true })
  assert.is(payment.amount, '200.00')
  const { due } = await ask(paymentOutstanding, { on: '2026-03-01' })
  assert.equal(
    due.map(({ pay }) => pay),
    ['200.00'],
  )
})

play('what bounces is set off against what the network owes since', async (world) => {
  const { ask } = await settle(world)
  await close(world, network.id, { number: 1, dueMinor: 50_000n })
  const { payment } = await ask(paymentOrder, { party: 'Network A', bank: 'main', reason })
  await ask(paymentBook, { id: payment.id, reference: 'SPEI 1', reason })
  await close(world, network.id, { number: 2, dueMinor: -30_000n })
  await ask(paymentReturn, { id: payment.id, reference: 'DEV 1', reason: 'closed' })
  assert.equal(await remainders(world, network.id), [20_000n, 0n])
  await assertBooks(world)
})

play('a merchant in debt is paid what is more than its debt', async (world) => {
  const { ask, refusal } = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 50_000n })
  const owe = (amountMinor: bigint) =>
    commit(world.store, [
      {
        post: {
          kind: 'borrow',
          debit: { kind: 'debt', ownerId: shop.id, currency: 'MXN' },
          credit: { kind: 'equity', ownerId: '', currency: 'MXN' },
          amountMinor,
          orderId: null,
          reference: null,
        },
      },
    ])
  await owe(30_000n)
  const order = { party: 'Shop', bank: 'main', reason }
  assert.is((await ask(paymentOrder, { ...order, dryRun: true })).payment.amount, '200.00')
  await owe(20_000n)
  assert.is((await refusal('payment.order', order)).message, 'Nothing is due to Shop in MXN.')
  const { due } = await ask(paymentOutstanding, { on: '2026-03-01' })
  assert.equal(
    due.map(({ pay, problem }) => [pay, problem]),
    [['0.00', 'has a debt of as much']],
  )
})

test.run()
