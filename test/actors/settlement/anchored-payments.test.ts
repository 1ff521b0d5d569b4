/** What is ordered is outside the database before any bank has it, and what a restore has lost is not simply paid again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAnchor, parseAnchor } from '../../../actors/anchors/anchor.ts'
import { createAnchoring } from '../../../actors/anchors/anchoring.ts'
import { checkAnchors } from '../../../actors/anchors/check.ts'
import { recordLostPayments } from '../../../actors/anchors/lost-payments.ts'
import { recordLostStatements } from '../../../actors/anchors/lost-statements.ts'
import { createRestoreWatch } from '../../../actors/anchors/restore-watch.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { exceptionList, exceptionResolve } from '../../../actors/resolutions/operations.ts'
import { paymentBook, paymentOrder, paymentSent } from '../../../actors/settlement/payment-operations.ts'
import { paymentDue, paymentExport } from '../../../actors/settlement/runs.ts'
import { openReader, openStore } from '../../../persistence/index.ts'
import { LineLog } from '../../../persistence/line-log.ts'
import { allRows, testDatabases } from '../../support/database.ts'
import { operatorOf } from '../../support/operations.ts'
import { changedStore, inOrderWorld, journalKey, type OrderWorld, shop } from '../../support/order-world.ts'
import { assertBooks, close, network, remainders, settle } from '../../support/payment-world.ts'
import { anchor } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const databases = testDatabases(test)
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const reason = 'as agreed'
const order = { party: 'Shop', bank: 'main', reason }
const run = { order: true, bank: 'main' }

async function anchoringOf({ store, clock }: OrderWorld, file: string) {
  const condition = createCondition()
  const restoreWatch = await createRestoreWatch({ store, clock, condition })
  const anchors = new LineLog(join(folder, file))
  const log = { info() {} }
  return {
    anchors,
    ...createAnchoring({ store, clock, condition, journalKey, anchors, restoreWatch, log }),
  }
}

async function problemsOf({ url }: OrderWorld, anchors: LineLog): Promise<string[]> {
  const reader = await openReader(url)
  const { problems } = await checkAnchors({ reader, journalKey }, anchors.all())
  await reader.close()
  return problems
}

async function paymentsIn(anchors: LineLog): Promise<(string | null)[][]> {
  const found: (string | null)[][] = []
  for await (const line of anchors.all())
    found.push(...(parseAnchor(line)?.payments ?? []).map((one) => [...one]))
  return found
}

play('nothing that is ordered is sent or in a file before it is in the anchors', async (world) => {
  await settle(world)
  const { ask, refusal } = operatorOf({ ...world, anchorNow: async () => {} })
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  await close(world, network.id, { number: 1, dueMinor: 20_000n })
  const { payment } = await ask(paymentOrder, { ...order, amount: '40.00' })
  const { run: ordered } = await ask(paymentDue, run)
  const told = await refusal('payment.sent', { id: payment.id, reason })
  assert.is(
    told.message,
    `The ordering of payment ${payment.id} is not in the anchors yet: no bank may have it before.`,
  )
  const exported = await refusal('payment.export', { run: ordered?.id })
  assert.match(exported.message, /is not in the anchors yet/)
  assert.is((await refusal('payment.file', { run: ordered?.id })).code, 'refused')
  await anchor(world.store)
  assert.is((await ask(paymentExport, { run: ordered?.id ?? '' })).payments, 2)
  assert.is((await ask(paymentSent, { id: payment.id, reason })).payment.state, 'sent')
})

play(
  'where the anchors cannot be written it is said, and what is ordered stays ordered once',
  async (world) => {
    await settle(world)
    await close(world, shop.id, { number: 1, dueMinor: 10_000n })
    const full = operatorOf({
      ...world,
      anchorNow: async () => {
        throw new Error('ENOSPC: no space left on device, write')
      },
    })
    const told = await full.refusal('payment.order', order)
    assert.match(told.message, /^The ordering is done and could not be written to the anchors: ENOSPC/)
    const { ask, refusal } = operatorOf(world)
    assert.is((await refusal('payment.order', order)).message, 'Nothing is due to Shop in MXN.')
    const [payment] = await world.rows('payments')
    assert.is((await ask(paymentSent, { id: payment?.id ?? '', reason })).payment.state, 'sent')
  },
)

play('orderings are in the anchors, which hold, whoever asks for them at once', async (world) => {
  const node = await anchoringOf(world, 'a')
  await settle(world)
  const { ask } = operatorOf({ ...world, anchorNow: async () => void (await node.pass()) })
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  await close(world, network.id, { number: 1, dueMinor: 20_000n })
  const [{ run: ordered }] = await Promise.all([ask(paymentDue, run), node.pass(), node.pass()])
  const payments = await world.rows('payments')
  const expected = payments.map((one) => [
    one.id,
    one.party_id,
    'MXN',
    `${one.amount_minor}`,
    'main',
    ordered?.id,
  ])
  assert.equal((await paymentsIn(node.anchors)).toSorted(), expected.toSorted())
  assert.ok(payments.every(({ anchored_at }) => anchored_at !== null))
  assert.equal(await problemsOf(world, node.anchors), [])
  // What is said of an amount cannot be changed without the key.
  const lines = await node.anchors.last(9)
  const changed = lines.map((line) => {
    const read = parseAnchor(line)
    if (read === null || read.payments.length === 0) return line
    const payments = read.payments.map(
      ([id, party, currency, , bank, of]) => [id, party, currency, '1', bank, of] as const,
    )
    return formatAnchor({ ...read, payments })
  })
  const reader = await openReader(world.url)
  assert.ok((await checkAnchors({ reader, journalKey }, changed)).problems.length > 0)
  await reader.close()
  await node.finish()
})

play(
  'killed behind the line and before its mark, an ordering is anchored again, and is the same',
  async (world) => {
    const store = changedStore(world.store, { step: () => Promise.reject(new Error('killed')) })
    const dying = await anchoringOf({ ...world, store }, 'b')
    const { ask } = await settle(world)
    await close(world, shop.id, { number: 1, dueMinor: 10_000n })
    const { payment } = await operatorOf({ ...world, anchorNow: async () => {} }).ask(paymentOrder, order)
    await dying.pass().then(
      () => assert.unreachable(),
      () => {},
    )
    await dying.anchors.close()
    const next = await anchoringOf(world, 'b')
    await next.begin()
    await next.pass()
    assert.equal(
      (await paymentsIn(next.anchors)).map(([id]) => id),
      [payment.id, payment.id],
    )
    assert.equal(await problemsOf(world, next.anchors), [])
    assert.is((await ask(paymentSent, { id: payment.id, reason })).payment.state, 'sent')
    await next.finish()
  },
)

play('verify finds what was anchored and is not there, or is another amount', async (world) => {
  const node = await anchoringOf(world, 'd')
  await settle(world)
  const { ask } = operatorOf({ ...world, anchorNow: async () => void (await node.pass()) })
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  await close(world, network.id, { number: 1, dueMinor: 20_000n, isSealed: false })
  const { payment } = await ask(paymentOrder, { ...order, amount: '40.00' })
  await node.finish()
  const found = async (sql: string) =>
    problemsOf({ ...world, url: await databases.changed(world.url, sql) }, node.anchors)
  const by = 'its anchor of 2026-03-01T12:00:00.000Z knows'
  assert.equal(await problemsOf(world, node.anchors), [])
  assert.equal(await found('UPDATE payments SET amount_minor = 4001'), [
    `payment ${payment.id}: ${by} 40.00 MXN from main to shop, the database 40.01 MXN from main to shop`,
  ])
  assert.equal(await found('DELETE FROM payments'), [
    `payment ${payment.id}: ${by} 40.00 MXN from main to shop, the database does not, and it is not recorded as lost`,
  ])
  assert.equal(await found(`DELETE FROM statements WHERE party_id = '${network.id}'`), [
    `statement 1 of ${network.id} in MXN: ${by} it, the database does not, and it is not recorded as lost`,
  ])
  const url = await databases.changed(
    world.url,
    `DELETE FROM payments; DELETE FROM statements WHERE party_id = '${network.id}'`,
  )
  const store = await openStore(url, { clock: world.clock })
  await recordLostPayments(store, node.anchors.all(), 1)
  await recordLostStatements(store, [[network.id, 'MXN', 1]], 1)
  await store.close()
  // Its book knows the number already; only where it does not is it recorded.
  assert.equal((await problemsOf({ ...world, url }, node.anchors)).length, 1)
})

play(
  'a database that has lost a night of closings and orderings, and nothing of its journal, is noticed',
  async (world) => {
    const node = await anchoringOf(world, 'e')
    await settle(world)
    await world.order({ direction: 'PAY_IN' })
    await node.pass()
    const night = await databases.copy(world.url)
    const { ask } = operatorOf({ ...world, anchorNow: async () => void (await node.pass()) })
    await close(world, shop.id, { number: 1, dueMinor: 10_000n })
    await close(world, network.id, { number: 1, dueMinor: 20_000n, isSealed: false })
    const { payment } = await ask(paymentOrder, order)
    const later = await databases.copy(world.url)
    await node.pass()
    await node.finish()
    for (const [url, hasLost] of [
      [later, false],
      [night, true],
    ] as const) {
      const store = await openStore(url, { clock: world.clock })
      const next = await anchoringOf({ ...world, store }, 'e')
      await next.begin()
      const stopped = (await allRows(store, 'facts')).some(({ name }) => name === 'settlement_stopped')
      const lost = (await allRows(store, 'lost_payments')).map(({ id }) => id)
      const numbers = (await allRows(store, 'lost_statements')).map(({ party_id, number }) => [
        party_id,
        number,
      ])
      assert.equal(
        [stopped, lost, numbers],
        hasLost ? [true, [payment.id], [[network.id, 1]]] : [false, [], []],
      )
      await next.anchors.close()
      await store.close()
    }
  },
)

const lostId = '01950000-0000-7000-8000-000000000001'

/** What the anchors of a database that is gone say: 60.00 to the shop, and something to nobody who is known here. */
async function* linesOf() {
  yield formatAnchor({
    at: 0,
    position: 1,
    entries: 1,
    digest: 'x'.repeat(43),
    statements: [],
    claims: [],
    approval: 0,
    payments: [
      [lostId, shop.id, 'MXN', '6000', 'main', 'a run'],
      ['01950000-0000-7000-8000-000000000002', 'of later', 'MXN', '1', 'main', null],
    ],
  })
}

async function withLost(world: OrderWorld) {
  const operator = await settle(world)
  await close(world, shop.id, { number: 1, dueMinor: 10_000n })
  for (let twice = 0; twice < 2; twice++) await recordLostPayments(world.store, linesOf(), world.clock.now())
  return operator
}

play('what a restore has lost is told, and nothing is ordered for its party meanwhile', async (world) => {
  const { ask, refusal } = await withLost(world)
  const { exceptions } = await ask(exceptionList, {})
  assert.equal(exceptions.map(({ kind, amount }) => [kind, amount]).toSorted(), [
    ['payment_lost', '0.01'],
    ['payment_lost', '60.00'],
  ])
  assert.is(
    (await refusal('payment.order', { ...order, amount: '1.00' })).message,
    `A payment to Shop that a restore has lost (${lostId}) may have been paid: nothing is ordered before that is said.`,
  )
  const { ordered, due } = await ask(paymentDue, run)
  assert.equal([ordered, due[0]?.problem], [[], 'a payment that a restore has lost may have been paid'])
  // Not paid, as somebody says: then it is.
  const lost = exceptions.find(({ amount }) => amount === '60.00')
  await ask(exceptionResolve, { id: lost?.id ?? '', as: 'dismiss', reason: 'the bank has not paid it' })
  await recordLostPayments(world.store, linesOf(), world.clock.now())
  assert.is((await ask(paymentOrder, order)).payment.amount, '100.00')
  await assertBooks(world)
})

play('what the bank has paid is ordered as what it was, under its id, and booked', async (world) => {
  const { ask, refusal } = await withLost(world)
  const lost = { ...order, lost: lostId }
  assert.match(
    (await refusal('payment.order', { ...lost, amount: '1.00' })).message,
    /was 60\.00 MXN from main/,
  )
  assert.is((await refusal('payment.order', { ...order, lost: 'another' })).code, 'not_found')
  const { payment } = await ask(paymentOrder, lost)
  assert.equal([payment.id, payment.amount, payment.state], [lostId, '60.00', 'ordered'])
  await ask(paymentBook, { id: lostId, reference: 'SPEI 7', reason })
  assert.equal(await remainders(world), [4_000n])
  const settled = (await world.rows('exceptions')).find(({ amount }) => amount === '60.00')
  assert.equal([settled?.state, settled?.resolution, settled?.resolved_by], ['resolved', 'ordered', 'ana'])
  assert.is((await refusal('payment.order', lost)).code, 'not_found')
  assert.is((await ask(paymentOrder, order)).payment.amount, '40.00')
  await assertBooks(world)
})

test.run()
