/** What goes between the present treasury and a former one is no difference, nobody's payment, and no outflow. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { chainRescan } from '../../../actors/chains/rescan-operation.ts'
import { treasuryName } from '../../../actors/chains/treasuries.ts'
import { createCondition } from '../../../actors/condition/condition.ts'
import { blockchains } from '../../../machines/blockchains.ts'
import { openTreasuryWorld } from '../../durability/treasury-world.ts'
import { withLightChain } from '../../support/chains/light/light-chain.ts'
import { lightChains } from '../../support/chains/light/light-chains.ts'
import { minuteMs } from '../../support/order-world.ts'

for (const blockchain of blockchains) {
  test(`between treasuries of ${blockchain} nothing is told, whoever reads it first`, async () => {
    const world = await openTreasuryWorld((clock) =>
      lightChains[blockchain]({ clock: () => clock.now(), opening: 1_000n, endpoints: 1 }),
    )
    const former = world.chain.newWallet()
    world.former = [treasuryName(former)]
    await world.restart()
    await withLightChain(world.chain, async () => {
      const pass = async (minutes: number) => {
        for (let count = 0; count < minutes; count += 1) {
          world.clock.advance(minuteMs)
          await world.work()
        }
      }
      await pass(2)
      const omitted = world.chain.move(40n, { wallet: former })
      for (const { faults } of world.chain.endpoints)
        faults.omitted.set(omitted, world.clock.now() + 2 * minuteMs)
      await pass(1)
      world.chain.move(30n, { wallet: former })
      world.chain.move(-15n, { wallet: former })
      if (blockchain === 'SOLANA') {
        world.clock.advance(minuteMs)
        const context = world.rescanContext(createCondition())
        const { found } = await chainRescan.run(context, { chain: blockchain, from: '1000' })
        assert.equal(
          found.map(({ amount }) => amount),
          ['0.00004', '0.00003', '0.000015'],
        )
      }
      await pass(12)
      const [count] = await world.rows('treasury_counts')
      assert.equal([count?.book_units, count?.told_units], ['1055', '0'])
      assert.equal(
        (await world.rows('exceptions')).filter(({ resolution }) => resolution !== 'found'),
        [],
      )
      assert.equal(
        (await world.rows('deposits')).map(({ outcome }) => outcome),
        [...['own_transfer', 'own_transfer']],
      )
      assert.equal(await world.verifyTreasury(), [])
    }).finally(() => world.close())
  })
}

test.run()
