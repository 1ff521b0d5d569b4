/** A refund that was said to be sent and did not leave, or left with less, is told; and books and ledger agree meanwhile. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createRefundWatch, unseenAfterMs } from '../../../actors/chains/refund-watch.ts'
import { refundReference } from '../../../actors/exceptions/exception-id.ts'
import { openTreasuryWorld, type TreasuryWorld } from '../../durability/treasury-world.ts'
import { withLightChain } from '../../support/chains/light/light-chain.ts'
import { lightStellar } from '../../support/chains/light/light-stellar.ts'
import { commit, minuteMs } from '../../support/order-world.ts'

const opening = 1_000n

/** A deposit of 40 units for nothing, and the word of an operator that it was sent back. */
async function withRefund(work: (world: TreasuryWorld, refund: string) => Promise<void>): Promise<void> {
  const world = await openTreasuryWorld((clock) =>
    lightStellar({ clock: () => clock.now(), opening, endpoints: 1 }),
  )
  await withLightChain(world.chain, async () => {
    await pass(world)
    world.chain.move(40n)
    await pass(world)
    const [unmatched] = await told(world, 'deposit_unmatched')
    assert.ok(unmatched)
    assert.is(await world.resolve(unmatched.id, 'refunded', 'sent by hand'), 'resolved')
    await work(world, unmatched.id)
  }).finally(() => world.close())
}

async function pass(world: TreasuryWorld, ms = 2 * minuteMs): Promise<void> {
  world.clock.advance(ms)
  await world.work()
  world.clock.advance(minuteMs)
  await world.work()
}

async function told(world: TreasuryWorld, kind: string) {
  return (await world.rows('exceptions')).filter((one) => one.kind === kind)
}

const unseen = async (world: TreasuryWorld) =>
  (await told(world, 'refund_unseen')).map(({ state, amount, resolution }) => [state, amount, resolution])

test('a refund that leaves nothing behind is told an hour later, and resolved when it has left in full', () =>
  withRefund(async (world, refund) => {
    const watch = createRefundWatch(world.store)
    await pass(world)
    await watch()
    assert.equal(await unseen(world), [])
    await pass(world, unseenAfterMs)
    await watch()
    await watch()
    assert.equal(await unseen(world), [['open', '0.000004', null]])
    assert.equal(await world.verifyTreasury(), [])

    world.chain.move(-15n, { references: [refundReference(refund)] })
    await pass(world)
    await watch()
    assert.equal(await unseen(world), [['open', '0.0000025', null]])
    const [one] = await told(world, 'refund_unseen')
    assert.match(one?.reason ?? '', 'only 0.0000015 of it')

    world.chain.move(-25n, { references: [refundReference(refund)] })
    await pass(world)
    await watch()
    assert.equal(await unseen(world), [['resolved', '0.0000025', 'found']])
    assert.equal([await told(world, 'treasury_outflow'), await world.verifyTreasury()], [[], []])
  }))

test('what an operator says will not leave stays in the treasury, and explains no outflow any more', () =>
  withRefund(async (world, refund) => {
    const watch = createRefundWatch(world.store)
    world.chain.move(-15n, { references: [refundReference(refund)] })
    await pass(world, unseenAfterMs + 5 * minuteMs)
    await watch()
    const [one] = await told(world, 'refund_unseen')
    assert.is(one?.amount, '0.0000025')
    assert.is(await world.resolve(one?.id ?? '', 'dismiss', null), 'resolved')
    assert.equal(await world.verifyTreasury(), [])

    world.chain.move(-25n, { references: [refundReference(refund)] })
    await pass(world)
    await createRefundWatch(world.store)()
    assert.equal(await unseen(world), [['resolved', '0.0000025', 'dismiss']])
    const outflows = await told(world, 'treasury_outflow')
    assert.equal(
      outflows.map(({ amount }) => amount),
      ['0.0000025'],
    )
    assert.equal(await world.verifyTreasury(), [])
  }))

test('a ledger that holds something else than the books of a treasury does not verify', () =>
  withRefund(async (world) => {
    assert.equal(await world.verifyTreasury(), [])
    const [count] = await world.rows('treasury_counts')
    assert.ok(count)
    const { blockchain, asset_id } = count
    const set = { book_units: `${BigInt(count.book_units) + 1n}` }
    await commit(world.store, [{ update: 'treasury_counts', key: { blockchain, asset_id }, set }])
    assert.equal(await world.verifyTreasury(), [
      `the ledger's treasury of USDC on STELLAR holds ${opening}, its books say ${opening + 1n}`,
    ])
  }))

test('what is found after its difference was dismissed is a difference again', () =>
  withRefund(async (world) => {
    const id = world.chain.move(20n)
    for (const { faults } of world.chain.endpoints) faults.omitted.set(id, Number.MAX_SAFE_INTEGER)
    // It is told before the blocks are read a second time.
    let [more] = await told(world, 'treasury_differs')
    for (let count = 0; count < 20 && more === undefined; count += 1) {
      world.clock.advance(20_000)
      await world.work()
      more = (await told(world, 'treasury_differs'))[0]
    }
    assert.match(more?.reason ?? '', '0.000002 USDC more than')
    assert.is(await world.resolve(more?.id ?? '', 'dismiss', null), 'resolved')

    for (const { faults } of world.chain.endpoints) faults.omitted.clear()
    for (let count = 0; count < 8; count += 1) await pass(world)
    const [, less] = await told(world, 'treasury_differs')
    assert.match(less?.reason ?? '', '0.000002 USDC less than')
    assert.equal(await world.verifyTreasury(), [])
  }))

test.run()
