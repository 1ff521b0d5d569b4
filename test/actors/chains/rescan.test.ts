/** `chain.rescan`: what an endpoint never told is looked for from a block on, and recorded unless it is only to be shown. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { recordOutflow } from '../../../actors/chains/outflows.ts'
import { chainRescan } from '../../../actors/chains/rescan-operation.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import type { Outflow } from '../../../chain/chain-deposits.ts'
import { openTreasuryWorld, type TreasuryWorld } from '../../durability/treasury-world.ts'
import { withLightChain } from '../../support/chains/light/light-chain.ts'
import { lightStellar } from '../../support/chains/light/light-stellar.ts'
import { minuteMs } from '../../support/order-world.ts'

async function inWorld(work: (world: TreasuryWorld) => Promise<void>): Promise<void> {
  const world = await openTreasuryWorld((clock) =>
    lightStellar({ clock: () => clock.now(), opening: 1_000n, endpoints: 2 }),
  )
  await withLightChain(world.chain, async () => {
    world.clock.advance(minuteMs)
    await world.work()
    world.clock.advance(minuteMs)
    await work(world)
  }).finally(() => world.close())
}

const rescan = (world: TreasuryWorld, input: Record<string, unknown>) =>
  chainRescan.run(world.rescanContext(createCondition()), { chain: 'STELLAR', from: '1000', ...input })

test('a rescan shows what is missing, records it once, and credits the order it was for', () =>
  inWorld(async (world) => {
    const { order_id, wallet, reference } = await world.order(40n)
    const paid = world.chain.move(40n, { wallet, references: [reference] })
    const left = world.chain.move(-15n)
    world.clock.advance(minuteMs)
    const shown = await rescan(world, { dryRun: true })
    const movements = shown.found.map(({ direction, transactionId, amount, asset }) => [
      ...[direction, transactionId, amount, asset],
    ])
    assert.equal(movements, [
      ['in', paid, '0.000004', 'USDC'],
      ['out', left, '0.0000015', 'USDC'],
    ])
    assert.equal([shown.isDone, shown.next, shown.credited], [true, null, []])
    assert.equal((await world.rows('deposits')).length, 0)

    const recorded = await rescan(world, {})
    assert.equal([recorded.found, recorded.credited], [shown.found, [order_id]])
    assert.equal(
      (await world.rows('treasury_outflows')).map(({ transaction_id }) => transaction_id),
      [left],
    )
    assert.equal((await rescan(world, {})).found, [])
  }))

test('it begins at the block that is named, and asks the endpoint that is named', () =>
  inWorld(async (world) => {
    const id = world.chain.move(40n)
    const height = world.chain.ledger.movements.at(-1)?.height ?? 0
    world.clock.advance(minuteMs)
    assert.equal((await rescan(world, { from: `${height + 1}`, dryRun: true })).found, [])
    assert.equal((await rescan(world, { from: `${height}`, dryRun: true })).found.length, 1)
    world.chain.endpoints[0]?.faults.omitted.set(id, Number.MAX_SAFE_INTEGER)
    assert.equal((await rescan(world, { dryRun: true })).found, [])
    assert.equal((await rescan(world, { endpoint: 2, dryRun: true })).found.length, 1)
  }))

test('a chain that is off is refused, with what to look at', () =>
  inWorld(async (world) => {
    const asked = rescan(world, { chain: 'SOLANA' })
    assert.match(
      await asked.then(String, (error: Error) => error.message),
      'The chain SOLANA is not available.',
    )
  }))

test('what leaves a former treasury is told, and is in no books', () =>
  inWorld(async (world) => {
    const { asset } = world.chain
    const outflow: Outflow = {
      blockchain: 'STELLAR',
      ...{ transactionId: 'gone', index: '0', height: '1010', at: world.clock.now() },
      ...{ assetId: asset.id, amount: 15n, to: null, references: [], formerTreasury: 'GFORMER' },
    }
    assert.ok(await recordOutflow(world.store, { assets: [asset] }, outflow))
    assert.not(await recordOutflow(world.store, { assets: [asset] }, outflow))
    const [told, ...others] = await world.rows('exceptions')
    assert.match(told?.reason ?? '', '0.0000015 USDC left the former treasury GFORMER')
    assert.equal(others, [])
    assert.equal(await world.rows('treasury_movements'), [])
    assert.is(await world.resolve(told?.id ?? '', 'dismiss', null), 'resolved')
    assert.equal(await world.verifyTreasury(), [])
  }))

test.run()
