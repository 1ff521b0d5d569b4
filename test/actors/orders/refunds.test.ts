/** Refunds through whole lives: what they claim of their pay-in, when the claim is given up, and what stays of it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { NewOrder } from '../../../actors/orders/creation.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import { orderText } from '../../../cli/commands/order-text.ts'
import { agree, problemsIn, shopFees } from '../../support/agreed-terms.ts'
import { archiveOf } from '../../support/archive.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  commit,
  ending,
  graceMs,
  hourMs,
  inOrderWorld,
  type OrderWorld,
  operator,
  otherShop,
  shop,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)
const priceMinor = 100_000n

async function payIn(world: OrderWorld, changes: Partial<NewOrder> = {}): Promise<string> {
  const { id } = await world.order({ direction: 'PAY_IN', priceMinor, ...changes })
  await world.start(id, 'A')
  assert.is(ending(await world.confirm(id, 'A')), 'accepted')
  return id
}

const refund = (world: OrderWorld, refundOf: string, minor: bigint, changes: Partial<NewOrder> = {}) =>
  world.create({ refundOf, priceMinor: minor, ...changes })

async function refunded(world: OrderWorld, refundOf: string, minor: bigint, changes: Partial<NewOrder> = {}) {
  return world.order({ refundOf, priceMinor: minor, ...changes })
}

/** How a creation ended: its problem in a word, and what is left. */
async function ended(made: ReturnType<typeof refund>): Promise<string> {
  const found = await made
  if (found.outcome !== 'refund_refused') return found.outcome
  const { problem } = found
  return problem.reason === 'refund_exceeds' ? `${problem.reason} ${problem.leftMinor}` : problem.reason
}

async function claimed(world: OrderWorld, payInId: string): Promise<bigint | null> {
  return (
    (await world.rows('refundable')).find(({ pay_in_id }) => pay_in_id === payInId)?.claimed_minor ?? null
  )
}

async function assertSound(world: OrderWorld): Promise<void> {
  await assertInvariants(world)
  assert.equal(await problemsIn(world), [])
}

async function resolve(world: OrderWorld, orderId: string, kind: string, as: 'honour' | 'return') {
  const found = (await world.rows('exceptions')).find((one) => one.order_id === orderId && one.kind === kind)
  const resolving = { exceptionId: found?.id ?? '', as, reason: 'asked', evidence: null, operator }
  const { outcome } = await resolveException({ store: world.store, ...world.orders.context }, resolving)
  assert.is(outcome, 'resolved')
}

async function expireLocked(world: OrderWorld, id: string, till: 'A' | 'B' = 'A'): Promise<void> {
  assert.is(ending(await world.start(id, till)), 'accepted')
  world.clock.advance(hourMs + graceMs)
  await world.orders.expire(id)
  assert.is((await world.row(id)).status, 'EXPIRED')
}

const soon = (world: OrderWorld) => ({ expiryAt: world.clock.now() + hourMs })

play('partial refunds give back a pay-in to its exact sum, and nothing beyond', async (world) => {
  const of = await payIn(world)
  assert.equal(await world.rows('refundable'), [])
  const first = await refunded(world, of, 60_000n)
  assert.equal([first.status, first.refund_of], ['READY', of])
  assert.is(await ended(refund(world, of, 40_001n)), 'refund_exceeds 40000')
  await refunded(world, of, 40_000n)
  assert.is(await ended(refund(world, of, 1n)), 'refund_exceeds 0')
  await world.start(first.id, 'B')
  await world.confirm(first.id, 'B')
  assert.is(await claimed(world, of), priceMinor)
  assert.is(await world.balance({}), 0n)
  await assertSound(world)
})

play('of two refunds at once over the sum one is made', async (world) => {
  const of = await payIn(world)
  const made = await Promise.all([60_000n, 60_000n].map((minor) => ended(refund(world, of, minor))))
  assert.equal(made.toSorted(), ['created', 'refund_exceeds 40000'])
  assert.is(await claimed(world, of), 60_000n)
  // Also where the row is there already.
  const more = await Promise.all([30_000n, 30_000n].map((minor) => ended(refund(world, of, minor))))
  assert.equal(more.toSorted(), ['created', 'refund_exceeds 10000'])
  await assertSound(world)
})

play('only a paid pay-in of the same merchant and currency is given back', async (world) => {
  const of = await payIn(world)
  const unpaid = await world.order({ direction: 'PAY_IN' })
  await world.deposit(priceMinor)
  const payOut = await world.order()
  const cases: readonly [string, string, Partial<NewOrder>][] = [
    ['7a0c1d7e-2f4b-4c53-9d0e-1b8f6a2c4d33', 'refund_unknown', {}],
    [of, 'refund_unknown', { merchant: otherShop }],
    [payOut.id, 'refund_unknown', {}],
    [of, 'refund_currency', { currency: 'USD' }],
    [unpaid.id, 'refund_unpaid', {}],
  ]
  for (const [refundOf, reason, changes] of cases) {
    assert.is(await ended(refund(world, refundOf, 100n, changes)), reason)
    const merchantId = changes.merchant?.id ?? shop.id
    const look = await world.orders.lookAtRefund({
      payInId: refundOf,
      merchantId,
      currency: changes.currency ?? 'MXN',
    })
    assert.is(look.ok ? 'ok' : look.problem.reason, reason)
  }
  // Once there is a row of it, too.
  await refunded(world, of, 100n)
  assert.is(await ended(refund(world, of, 100n, { merchant: otherShop })), 'refund_unknown')
  assert.is(await ended(refund(world, of, 100n, { currency: 'USD' })), 'refund_currency')
  assert.equal(await world.orders.lookAtRefund({ payInId: of, merchantId: shop.id, currency: 'MXN' }), {
    ok: true,
    leftMinor: priceMinor - 100n,
  })
  await assertSound(world)
})

play('a refused creation and one with a number that is taken claim nothing', async (world) => {
  const of = await payIn(world)
  const { merchant_order_id } = await refunded(world, of, 10_000n)
  const repeated = await refund(world, of, 10_000n, { merchantOrderId: merchant_order_id })
  assert.is(repeated.outcome, 'duplicate_merchant_order_id')
  await commit(world.store, [{ update: 'parties', key: { id: shop.id }, set: { frozen_at: 1 } }])
  assert.is((await refund(world, of, 10_000n)).outcome, 'vetoed')
  assert.is(await claimed(world, of), 10_000n)
  await assertSound(world)
})

play('a creation that is repeated under its key claims once', async (world) => {
  const of = await payIn(world)
  const idempotency = { key: 'k', payloadDigest: 'd' }
  const guard = { partyId: shop.id, bindsRevision: false, idempotency }
  const creation = { refundOf: of, priceMinor: 80_000n, merchantOrderId: 'twice' }
  assert.is((await world.create(creation, guard)).outcome, 'created')
  assert.is((await world.create(creation, guard)).outcome, 'repeated')
  assert.is(await claimed(world, of), 80_000n)
  await assertSound(world)
})

play('a refund that is cancelled or expires without its cash gives up its claim', async (world) => {
  const of = await payIn(world)
  const cancelled = await refunded(world, of, priceMinor)
  await world.cancel(cancelled.id)
  assert.is(await claimed(world, of), 0n)
  const expired = await refunded(world, of, priceMinor, soon(world))
  world.clock.advance(2 * hourMs)
  await world.orders.expire(expired.id)
  assert.equal([(await world.row(expired.id)).status, await claimed(world, of)], ['EXPIRED', 0n])
  // Given back after its time.
  const late = await refunded(world, of, priceMinor, soon(world))
  await world.start(late.id, 'A')
  world.clock.advance(hourMs + 1)
  await world.giveBack(late.id, 'A')
  assert.equal([(await world.row(late.id)).status, await claimed(world, of)], ['EXPIRED', 0n])
  // By a message that finds it overdue.
  const found = await refunded(world, of, priceMinor, soon(world))
  world.clock.advance(2 * hourMs)
  assert.is((await world.start(found.id, 'A')).outcome, 'refused')
  assert.is(await claimed(world, of), 0n)
  await assertSound(world)
})

play('a refund that was never funded gives up its claim, too', async (world) => {
  const of = await payIn(world)
  await world.takeBack(priceMinor)
  const waiting = await refunded(world, of, priceMinor)
  assert.equal([waiting.status, await claimed(world, of)], ['CREATED', priceMinor])
  await world.cancel(waiting.id)
  assert.is(await claimed(world, of), 0n)
  await assertSound(world)
})

play('a suspended refund counts until its money is returned', async (world) => {
  const of = await payIn(world)
  const { id } = await refunded(world, of, 70_000n, soon(world))
  await expireLocked(world, id)
  assert.is(await ended(refund(world, of, 30_001n)), 'refund_exceeds 30000')
  await assertSound(world)
  await resolve(world, id, 'expired_while_locked', 'return')
  assert.is(await claimed(world, of), 0n)
  await assertSound(world)
  const forced = await refunded(world, of, 70_000n)
  await world.start(forced.id, 'A')
  await world.cancel(forced.id, true)
  assert.is(await claimed(world, of), 70_000n)
  await resolve(world, forced.id, 'cancelled_while_locked', 'honour')
  assert.is(await claimed(world, of), 70_000n)
  await assertSound(world)
})

play('cash that was handed out after all counts again, also beyond what was credited', async (world) => {
  const of = await payIn(world)
  const { id } = await refunded(world, of, 70_000n, soon(world))
  await expireLocked(world, id)
  await resolve(world, id, 'expired_while_locked', 'return')
  const second = await refunded(world, of, 60_000n)
  assert.is((await world.confirm(id, 'A')).outcome, 'refused')
  await resolve(world, id, 'confirmed_after_return', 'honour')
  const [row] = await world.rows('refundable')
  assert.equal([row?.claimed_minor, row?.excess_minor], [priceMinor, 30_000n])
  assert.is(await ended(refund(world, of, 1n)), 'refund_exceeds 0')
  await assertSound(world)
  await world.cancel(second.id)
  const [after] = await world.rows('refundable')
  assert.equal([after?.claimed_minor, after?.excess_minor], [70_000n, 0n])
  assert.is(await ended(refund(world, of, 30_001n)), 'refund_exceeds 30000')
  await assertSound(world)
})

play('a pay-in that was honoured after its end can be given back', async (world) => {
  const { id } = await world.order({ direction: 'PAY_IN', ...soon(world) })
  await expireLocked(world, id)
  assert.is(await ended(refund(world, id, 100n)), 'refund_unpaid')
  await resolve(world, id, 'expired_while_locked', 'return')
  assert.is(await ended(refund(world, id, 100n)), 'refund_unpaid')
  assert.is((await world.confirm(id, 'A')).outcome, 'refused')
  await resolve(world, id, 'confirmed_after_return', 'honour')
  assert.is(await ended(refund(world, id, priceMinor)), 'created')
  assert.is(await claimed(world, id), priceMinor)
  await assertSound(world)
})

play('a pay-in in the archive can be given back, and refunds there still count', async (world) => {
  const archive = archiveOf(world)
  try {
    const far = { expiryAt: world.clock.now() + 4000 * hourMs * 24 }
    const [bought, returned] = [await payIn(world), await payIn(world)]
    const first = await refunded(world, returned, 60_000n)
    await world.start(first.id, 'B')
    await world.confirm(first.id, 'B')
    await world.cancel((await refunded(world, returned, 10_000n)).id)
    await world.order({ direction: 'PAY_IN', ...far })
    await archive.deliver()
    await archive.archive()
    assert.equal(archive.errors, [])
    assert.is((await world.rows('archived_orders')).length, 4)
    assert.is(await ended(refund(world, bought, priceMinor + 1n, far)), `refund_exceeds ${priceMinor}`)
    assert.is(await ended(refund(world, bought, priceMinor, far)), 'created')
    assert.is(await ended(refund(world, returned, 40_001n, far)), 'refund_exceeds 40000')
    assert.is(await ended(refund(world, bought, 1n, { ...far, merchant: otherShop })), 'refund_unknown')
    const rows = await world.rows('refundable')
    assert.equal(
      rows.map(({ pay_in_id, claimed_minor, archived_minor }) => [pay_in_id, claimed_minor, archived_minor]),
      [bought, returned]
        .map((id) => (id === bought ? [id, priceMinor, 0n] : [id, 60_000n, 60_000n]))
        .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    )
    assert.equal(await archive.problems(), [])
    assert.equal((await archive.check()).problems, [])
  } finally {
    archive.close()
  }
})

play('verify says where claims and refunds differ', async (world) => {
  const of = await payIn(world)
  const { id } = await refunded(world, of, 60_000n)
  const key = { pay_in_id: of }
  const told = async () => (await problemsIn(world)).map(({ name, detail }) => `${name}: ${detail}`)
  await commit(world.store, [{ update: 'refundable', key, set: { claimed_minor: 50_000n } }])
  assert.equal(await told(), [`refunds: pay-in ${of}: its refunds come to 60000, and 50000 are claimed`])
  const set = { claimed_minor: 60_000n, credited_minor: 200_000n }
  await commit(world.store, [{ update: 'refundable', key, set }])
  assert.equal(await told(), [`refunds: pay-in ${of}: its credited_minor is not what its order says`])
  await commit(world.store, [{ delete: 'refundable', key }])
  assert.equal(await told(), [
    `refunds: pay-in ${of}: it has refunds, and nothing says how much of it they claim`,
  ])
  await commit(world.store, [{ update: 'orders', key: { id }, set: { refund_of: null } }])
  assert.match(
    (await told()).join(),
    /^orders: order .* its price, fee, currency, .* refund_of .*was created with$/,
  )
})

play('the database itself refuses a claim beyond what was credited', async (world) => {
  const of = await payIn(world)
  await refunded(world, of, 60_000n)
  const writes = [
    { update: 'refundable', key: { pay_in_id: of }, set: { claimed_minor: priceMinor + 1n } },
  ] as const
  const step = world.store.step({ rows: {}, decide: () => ({ answer: null, writes }) })
  const outcome = await step.then(() => 'committed', String)
  assert.match(outcome, /claimed/)
})

play('a refund and its pay-in tell of each other', async (world) => {
  const of = await payIn(world, { merchantOrderId: 'bought', description: 'Red shoes' })
  const { id } = await refunded(world, of, 60_000n)
  const { ask } = operatorOf(world)
  const shown = await ask(orderShow, { id })
  assert.is(shown.refunded, null)
  assert.equal(shown.refundOf, {
    payIn: of,
    merchantOrderId: 'bought',
    description: 'Red shoes',
    paid: (await ask(orderShow, { id: of })).paid,
    credited: '1000.00',
    claimed: '600.00',
    left: '400.00',
    excess: '0.00',
  })
  assert.is((await world.orders.find(id))?.refundable?.description, 'Red shoes')
  const bought = await ask(orderShow, { id: of })
  assert.equal([bought.refundOf, bought.refunded], [null, shown.refundOf])
  assert.equal(
    bought.refunds.map((line) => [line.id, line.status, line.price]),
    [[id, 'READY', '600.00']],
  )
  assert.ok(orderText(shown).includes(`${of}, bought, Red shoes`))
  assert.ok(orderText(shown).includes('600.00 of 1000.00, 400.00 left'))
  assert.ok(orderText(bought).includes('600.00 of 1000.00, 400.00 left'))
})

play('fee, commission and their taxes are fields of their own, where there are any', async (world) => {
  await agree(world)
  await world.deposit(300_000n)
  const { ask } = operatorOf(world)
  const plain = await ask(orderShow, { id: (await world.order()).id })
  assert.equal([plain.fee, plain.commission], [null, null])
  const { id } = await world.order({ feeTerms: shopFees, priceMinor: 125_050n })
  await world.start(id, 'A', { hasTerms: true })
  const shown = await ask(orderShow, { id })
  assert.equal(shown.fee, { amount: '18.76', tax: '3.00', terms: 'shop-out' })
  assert.equal(shown.commission, { amount: '15.00', tax: '2.40', terms: 'network-PAY_OUT' })
})

test.run()
