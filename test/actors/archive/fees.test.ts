/** Orders with fees and commissions in the archive: what they cost and earned is in their lines, and adds up. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agree, shopFees } from '../../support/agreed-terms.ts'
import { archiveOf } from '../../support/archive.ts'
import { hourMs, inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { archivedIds } from './archived-orders.ts'

const play = inOrderWorld(test)

async function paid(world: OrderWorld, direction: 'PAY_IN' | 'PAY_OUT'): Promise<string> {
  const { id } = await world.order({ direction, feeTerms: shopFees })
  await world.start(id, 'A', { hasTerms: true })
  await world.confirm(id, 'A')
  return id
}

play('an order with a fee and a commission is archived whole, and proves itself there', async (world) => {
  const archive = archiveOf(world)
  try {
    await agree(world)
    await world.deposit(300_000n)
    const ids = [await paid(world, 'PAY_IN'), await paid(world, 'PAY_OUT')]
    const accounts = await world.rows('accounts')
    await world.order({ direction: 'PAY_IN', expiryAt: world.clock.now() + 4000 * 24 * hourMs })
    await archive.deliver()
    await archive.archive()
    assert.equal(await archivedIds(world), ids.toSorted())
    assert.equal(await world.rows('accounts'), accounts, 'what moved stays moved')
    assert.equal(await archive.problems(), [])
    const check = await archive.check()
    assert.equal([check.orders, check.problems], [2, []])
    const lines: Record<string, string>[] = archive.lines().map((line) => JSON.parse(line).rows.order)
    // Of one instant, they lie in the order of their ids.
    assert.equal(
      lines
        .toSorted((one, other) => (String(one.direction) < String(other.direction) ? -1 : 1))
        .map(({ direction, fee_minor, fee_tax_minor, commission_minor, commission_tax_minor }) => [
          direction,
          ...[fee_minor, fee_tax_minor, commission_minor, commission_tax_minor],
        ]),
      [
        ['PAY_IN', '2500', '400', '1300', '208'],
        ['PAY_OUT', '1500', '240', '1300', '208'],
      ],
    )
    // Another amount in a line is another seal.
    archive.rewrite(
      archive.lines().map((line) => line.replace('"commission_minor":"1300"', '"commission_minor":"1"')),
    )
    assert.is((await archive.check()).ok, false)
  } finally {
    archive.close()
  }
})

test.run()
