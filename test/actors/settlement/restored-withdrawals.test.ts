/**
 * A withdrawal that a restore has lost, and that the merchant asks for again by the same signed message: it is a new one with a number of
 * its own, and whether the bank has paid the first is said before anything is ordered. It is paid once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { exceptionList, exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { paymentBook, paymentOrder } from '../../../actors/settlement/payment-operations.ts'
import { settlementResume } from '../../../actors/settlement/statement-operations.ts'
import { openStore } from '../../../persistence/index.ts'
import { LineLog } from '../../../persistence/line-log.ts'
import { allRows, testDatabases } from '../../support/database.ts'
import { operatorOf } from '../../support/operations.ts'
import { commit, inOrderWorld, journalKey, type OrderWorld, registryOf } from '../../support/order-world.ts'
import { assertBooks, remainders } from '../../support/payment-world.ts'
import { closerOf } from '../../support/statement-world.ts'
import { ask, ending, message, shopWith } from '../../support/withdrawals.ts'

const play = inOrderWorld(test)
const databases = testDatabases(test)
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const reason = 'as the bank says'
const order = { party: 'Shop', bank: 'main', reason }
const signed = { amountMinor: 4_000n, message: message() }

/** A node beside its anchors, from its start until it is stopped. */
async function running(world: OrderWorld, file: string) {
  const { store, clock } = world
  const condition = createCondition()
  const anchors = new LineLog(join(folder, file))
  const restoreWatch = await createRestoreWatch({ store, clock, condition })
  const log = { info() {} }
  const anchoring = createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log })
  await anchoring.begin()
  const operator = operatorOf({ ...world, anchorNow: async () => void (await anchoring.pass()) })
  const seal = async () => {
    const closer = closerOf(world)
    await anchoring.pass()
    await closer.pass()
    assert.equal(closer.errors, [])
  }
  return { ...operator, seal, stop: () => anchoring.finish() }
}

/** The shop withdraws and is to be paid, and then the backup of before comes back. */
async function restored(world: OrderWorld, file: string, resume: (world: OrderWorld) => Promise<void>) {
  const before = await running(world, file)
  await commit(world.store, [{ insert: 'banks', values: { name: 'main', currency: 'MXN' } }])
  await shopWith(world, 10_000n)
  await world.order({ direction: 'PAY_IN' })
  await before.seal()
  const backup = await databases.copy(world.url)
  assert.is(ending(await ask(world, signed)), 'statement 1, 4000')
  await before.seal()
  const { payment } = await before.ask(paymentOrder, order)
  assert.is(payment.amount, '40.00')
  await before.stop()
  const store = await openStore(backup, { clock: world.clock })
  const after = { ...world, store, url: backup, orders: registryOf(store, world.clock) }
  after.rows = (table) => allRows(store, table)
  try {
    await resume(after)
    assert.equal(await remainders(after), [0n])
    const paid = (await after.rows('payments')).filter(({ state }) => state === 'booked')
    assert.equal(
      paid.map(({ amount_minor, account }) => [amount_minor, account]),
      [[4_000n, 'CLABE 1']],
    )
    assert.is(ending(await ask(after, signed)), 'again: statement 2', 'however often it is repeated')
    await assertBooks(after)
  } finally {
    await store.close()
  }
}

for (const isPaid of [true, false]) {
  play(`a lost withdrawal that the bank has ${isPaid ? '' : 'not '}paid is paid once`, async (world) => {
    await restored(world, `${isPaid}`, async (after) => {
      const node = await running(after, `${isPaid}`)
      assert.is(ending(await ask(after, signed)), 'stopped', 'nothing is closed before the bank is asked')
      await node.ask(settlementResume, { reason })
      // Its number was told: the next one is given.
      assert.is(ending(await ask(after, signed)), 'statement 2, 4000')
      await node.seal()
      assert.match(
        (await node.refusal('payment.order', order)).message,
        /that a restore has lost .* may have been paid/,
      )
      const { exceptions } = await node.ask(exceptionList, {})
      const lost = exceptions.find(({ kind }) => kind === 'payment_lost')
      assert.is(lost?.amount, '40.00')
      const [row] = await after.rows('lost_payments')
      const id = row?.id ?? ''
      if (!isPaid) await node.ask(exceptionResolve, { id: lost?.id ?? '', as: 'dismiss', reason })
      const { payment } = await node.ask(paymentOrder, isPaid ? { ...order, lost: id } : order)
      assert.is(payment.id === id, isPaid)
      await node.ask(paymentBook, { id: payment.id, reference: 'SPEI 1', reason })
      assert.match((await node.refusal('payment.order', order)).message, /Nothing is due to Shop/)
      await node.stop()
    })
  })
}

play('a lost withdrawal that was paid is asked for again before its payment can be booked', async (world) => {
  await restored(world, 'first', async (after) => {
    const node = await running(after, 'first')
    await node.ask(settlementResume, { reason })
    const [row] = await after.rows('lost_payments')
    const lost = { ...order, lost: row?.id ?? '' }
    const early = await node.refusal('payment.order', lost)
    assert.match(early.message, /Nothing is due to Shop/)
    assert.is(ending(await ask(after, signed)), 'statement 2, 4000')
    await node.seal()
    const { payment } = await node.ask(paymentOrder, lost)
    await node.ask(paymentBook, { id: payment.id, reference: 'SPEI 1', reason })
    await node.stop()
  })
})

test.run()
