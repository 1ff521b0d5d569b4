/** Sample statements of a bank: what `reconcile --bank` finds in one is every kind of entry there is. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { reconciliationBank } from '../../../actors/reconciliation/bank-operation.ts'
import { sampleStatement } from '../../../actors/sandbox/sample-statement.ts'
import { paymentBook, paymentOrder } from '../../../actors/settlement/payment-operations.ts'
import { inOrderWorld, shop } from '../../support/order-world.ts'
import { close, network, settle } from '../../support/payment-world.ts'
import { filesOf } from '../../support/reported-day.ts'

const play = inOrderWorld(test)
const reason = 'as agreed'
const at = Date.UTC(2026, 2, 1, 12)

play('a statement of a bank has each kind of entry, and each is found', async (world) => {
  const files = filesOf(world)
  const { ask } = await settle({ ...world, ...files })
  await close(world, shop.id, { number: 1, dueMinor: 30_000n })
  const { payment } = await ask(paymentOrder, { party: 'Shop', bank: 'main', reason })
  await ask(paymentBook, { id: payment.id, reference: 'SPEI 0', reason })
  await close(world, shop.id, { number: 2, dueMinor: 40_000n })
  await ask(paymentOrder, { party: 'Shop', bank: 'main', reason })
  await close(world, network.id, { number: 1, dueMinor: 20_000n })
  await ask(paymentOrder, { party: 'Network A', bank: 'main', reason })
  const { text, has, lacks } = await sampleStatement(world.store, 'main', at)
  assert.equal(lacks, [])
  const { verdicts } = await ask(reconciliationBank, { file: files.uploads.add(text).id, bank: 'main' })
  const found = verdicts.map(({ outcome }) => outcome)
  assert.equal(found.toSorted(), has.toSorted())
  assert.equal(found.toSorted(), ['booked', 'booked_before', 'proposed', 'returned', 'unidentified'])
})

play('without payments it says what they take', async (world) => {
  await settle({ ...world, ...filesOf(world) })
  const { has, lacks } = await sampleStatement(world.store, 'main', at)
  assert.equal(has, ['unidentified'])
  assert.equal(
    lacks.map(({ outcome }) => outcome),
    ['booked', 'proposed', 'returned', 'booked_before'],
  )
})

test.run()
