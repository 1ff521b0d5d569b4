/** A chain of which it is not stored any more how far it was read, while open orders wait for money. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { chainRescan } from '../../../actors/chains/rescan-operation.ts'
import { createTreasuryWatch } from '../../../actors/chains/treasury-watch.ts'
import { findAlarms } from '../../../actors/condition/alarms.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import { type Blockchain, blockchains } from '../../../machines/blockchains.ts'
import { openTreasuryWorld, type TreasuryWorld } from '../../durability/treasury-world.ts'
import { withLightChain } from '../../support/chains/light/light-chain.ts'
import { lightChains } from '../../support/chains/light/light-chains.ts'
import { commit, minuteMs } from '../../support/order-world.ts'

async function played(
  blockchain: Blockchain,
  story: (world: TreasuryWorld, minutes: (count: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const world = await openTreasuryWorld((clock) =>
    lightChains[blockchain]({ clock: () => clock.now(), opening: 1_000n, endpoints: 1 }),
  )
  const minutes = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      world.clock.advance(minuteMs)
      await world.work()
    }
  }
  await withLightChain(world.chain, () => story(world, minutes)).finally(() => world.close())
}

/** An order that was offered a transaction, as its builder leaves it. */
async function offered(world: TreasuryWorld) {
  const foreign = await world.order(100n)
  const set = { transaction_minor: 100n, treasuries_json: JSON.stringify([world.chain.treasury]) }
  await commit(world.store, [{ update: 'foreign_orders', key: { order_id: foreign.order_id }, set }])
  return foreign
}

/** Paid while nothing is stored of how far the chain was read. */
async function paidUnseen(
  world: TreasuryWorld,
  { wallet, reference }: { wallet: string; reference: string },
): Promise<void> {
  await commit(world.store, [{ delete: 'chain_cursors', key: { blockchain: world.chain.blockchain } }])
  world.chain.move(100n, { wallet, references: [reference] })
  world.clock.advance(3 * minuteMs)
}

async function told(world: TreasuryWorld) {
  return (await world.rows('exceptions')).filter(({ kind }) => kind === 'chain_place_lost')
}

const statusOf = async (world: TreasuryWorld) => (await world.rows('orders')).map(({ status }) => status)

for (const blockchain of blockchains)
  test(`${blockchain} is read on from where all was on record, and that is told`, () =>
    played(blockchain, async (world, minutes) => {
      await minutes(8)
      const foreign = await offered(world)
      await minutes(1)
      await paidUnseen(world, foreign)
      await minutes(3)
      assert.equal(await statusOf(world), ['READY'])
      const [only, ...others] = await told(world)
      assert.equal(others, [])
      assert.match(
        only?.reason ?? '',
        /1 open order may .* goes on behind block \d+, .*chain rescan \w+ --from \d+/,
      )
    }))

test('where nothing tells how far it was read, an operator is told to read it again', () =>
  played('STELLAR', async (world, minutes) => {
    await minutes(2)
    const foreign = await offered(world)
    const [count] = await world.rows('treasury_counts')
    if (count === undefined) throw new Error('nothing was counted')
    const { blockchain, asset_id } = count
    await commit(world.store, [{ delete: 'treasury_counts', key: { blockchain, asset_id } }])
    await paidUnseen(world, foreign)
    const condition = createCondition()
    condition.send({ type: 'serve' })
    const watch = createTreasuryWatch({ store: world.store, condition })
    // While no endpoint answers nothing can be read, and it is told all the same.
    for (const { faults } of world.chain.endpoints) faults.downUntil = world.clock.now() + 2 * minuteMs
    await world.work()
    await watch()
    assert.equal(await world.rows('chain_cursors'), [])
    const [exception] = await told(world)
    assert.match(exception?.reason ?? '', /present head.*chain rescan STELLAR --from HEIGHT/)
    const ready = readiness(condition)
    assert.ok(ready.status === 'degraded' && 'reading:STELLAR' in ready.reasons)
    assert.equal(
      (await findAlarms(world)).alarms.map(({ kind, chain }) => [kind, chain]),
      [['chain_place_lost', 'STELLAR']],
    )
    await minutes(4)
    assert.equal(await statusOf(world), ['CREATED'])
    await chainRescan.run(world.rescanContext(createCondition()), { chain: 'STELLAR', from: '1000' })
    assert.equal(await statusOf(world), ['READY'])
    assert.is((await told(world)).length, 1)
    await world.resolve(exception?.id ?? '', 'dismiss', null)
    await watch()
    assert.is(readiness(condition).status, 'ready')
  }))

test('a first start, and orders that were offered nothing, have lost no place', () =>
  played('STELLAR', async (world, minutes) => {
    await world.order(100n)
    await minutes(2)
    assert.equal(await told(world), [])
  }))

test.run()
