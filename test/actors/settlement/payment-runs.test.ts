/** `payment due`: what it lists, what it orders as one run, what a kill leaves, and the file for the bank. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { paymentList } from '../../../actors/settlement/payment-list.ts'
import { paymentReturn, paymentSent } from '../../../actors/settlement/payment-operations.ts'
import { paymentDue, paymentExport } from '../../../actors/settlement/runs.ts'
import type { Store } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import {
  changedStore,
  commit,
  inOrderWorld,
  type OrderWorld,
  shop,
  tills,
} from '../../support/order-world.ts'
import { assertBooks, close, network, settle, termsOf } from '../../support/payment-world.ts'
import { anchor } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'
const whole = { order: true, bank: 'main' }

/** The shop and a network are owed, another one owes. */
async function someDue(world: OrderWorld) {
  const operator = await settle(world)
  await commit(world.store, [termsOf(tills.B.id, 'CLABE 777')])
  await close(world, shop.id, { number: 1, dueMinor: 500n, dueOn: null })
  await close(world, shop.id, { number: 2, dueMinor: 10_000n })
  await close(world, shop.id, { number: 3, dueMinor: 7_000n, dueOn: '2026-03-09' })
  await close(world, network.id, { number: 1, dueMinor: 126_790n })
  await close(world, tills.B.id, { number: 1, dueMinor: -42_814n })
  return operator
}

play('what is due by a day is listed, with what was too little before it', async (world) => {
  const { ask } = await someDue(world)
  const { day, due } = await ask(paymentDue, {})
  assert.is(day, '2026-03-01')
  assert.equal(
    due
      .map(({ party, pay, collect, statements, account, problem }) => [
        party,
        pay,
        collect,
        statements.map(({ number }) => number),
        account,
        problem,
      ])
      .toSorted(),
    [
      ['Network A', '1267.90', '0.00', [1], 'CLABE 1234', null],
      ['Network B', '0.00', '428.14', [1], 'CLABE 777', 'owes the operator'],
      ['Shop', '105.00', '0.00', [1, 2], 'CLABE 5678', null],
    ],
  )
  const later = await ask(paymentDue, { on: '2026-03-09' })
  assert.is(later.due.find(({ party }) => party === 'Shop')?.pay, '175.00')
  assert.equal((await ask(paymentDue, { on: '2026-02-28' })).due, [])
  assert.equal(await world.rows('payment_runs'), [])
})

play('a run orders all of it once, and its file is the same each time', async (world) => {
  const { ask, refusal } = await someDue(world)
  const shown = await ask(paymentDue, { ...whole, dryRun: true })
  assert.is(shown.ordered.length, 2)
  assert.equal(await world.rows('payments'), [])
  const { run, ordered, unfinished } = await ask(paymentDue, whole)
  assert.equal(ordered.map(({ payment }) => payment.amount).toSorted(), ['105.00', '1267.90'])
  assert.equal(unfinished, [])
  const id = run?.id ?? ''
  const again = await ask(paymentDue, { order: true, run: id })
  assert.equal(again.ordered, [])
  const first = await ask(paymentExport, { run: id })
  assert.equal([first.payments, first.total], [2, '1372.90'])
  assert.match(first.file, /^\ufeff"payment","beneficiary","account","amount","currency"\r\n/)
  assert.match(first.file, /"Shop","CLABE 5678",105\.00,"MXN"\r\n/)
  assert.is(first.digest, createHash('sha256').update(first.file).digest('hex'))
  const { payments } = await ask(paymentList, { run: id })
  const shopPayment = payments.find(({ party }) => party === 'Shop')
  assert.ok(shopPayment)
  const exported = await refusal('payment.return', { id: shopPayment.id, reason })
  assert.match(exported.message, /is in a file that was exported: the bank may pay it\.$/)
  await ask(paymentSent, { id: shopPayment.id, reason })
  await ask(paymentReturn, { id: shopPayment.id, reason: 'the bank refused it' })
  world.clock.advance(3_600_000)
  const second = await ask(paymentExport, { run: id })
  assert.equal([second.file, second.digest, second.exported], [first.file, first.digest, first.exported])
  await assertBooks(world)
})

play('what was sent by hand, or taken back, before the file is made is not in it', async (world) => {
  const { ask } = await someDue(world)
  const { run, ordered } = await ask(paymentDue, whole)
  const [first, second] = ordered
  assert.ok(run && first && second)
  await ask(paymentSent, { id: first.payment.id, reason })
  await ask(paymentReturn, { id: second.payment.id, reason: 'not today' })
  const { payments, file } = await ask(paymentExport, { run: run.id })
  assert.equal([payments, file.split('\r\n').length], [0, 2])
  await assertBooks(world)
})

/** Dies with its steps: before the one of this number, or with its commit not known to whoever asked. */
function dyingStore(store: Store, number: number, isCommitted: boolean): Store {
  let steps = 0
  return changedStore(store, {
    step: async (step) => {
      steps += 1
      if (steps > number) throw new Error('killed')
      if (steps === number && !isCommitted) throw new Error('killed')
      const result = await store.step(step)
      if (steps === number) throw new Error('killed')
      return result
    },
  })
}

// The run, two payments, their anchoring, its completion.
for (const number of [1, 2, 3, 4, 5]) {
  for (const isCommitted of [false, true]) {
    const when = isCommitted ? 'behind the commit' : 'before the commit'
    play(
      `a kill ${when} of step ${number} of a run: the same run goes on, and pays nothing twice`,
      async (world) => {
        const { ask, refusal } = await someDue(world)
        const store = dyingStore(world.store, number, isCommitted)
        const dying = operatorOf({ ...world, store, anchorNow: () => anchor(store) })
        await dying.ask(paymentDue, whole).then(
          () => assert.unreachable(),
          (error: Error) => assert.match(error.message, 'killed'),
        )
        const { unfinished } = await ask(paymentDue, {})
        const [cut] = unfinished
        if (cut !== undefined) {
          assert.is((await refusal('payment.export', { run: cut.id })).code, 'refused')
          await ask(paymentDue, { order: true, run: cut.id })
        }
        // What a run that never was has not ordered, another one does; whatever was ordered stays ordered once.
        await ask(paymentDue, whole)
        const payments = await world.rows('payments')
        assert.equal(payments.map(({ party_id, amount_minor }) => [party_id, amount_minor]).toSorted(), [
          [network.id, 126_790n],
          [shop.id, 10_500n],
        ])
        await assertBooks(world)
      },
    )
  }
}

test.run()
