/** Orders that went to the archive before anything was closed are owed all the same. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { statementClose } from '../../../actors/settlement/statement-operations.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { archiveOf } from '../../support/archive.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'
import { closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)

async function pay(world: OrderWorld, direction: 'PAY_IN' | 'PAY_OUT', priceMinor: bigint): Promise<void> {
  const { id } = await world.order({ direction, priceMinor })
  await world.start(id, 'B')
  await world.confirm(id, 'B')
}

for (const { what, later, lines, due } of [
  { what: 'alone', later: 0n, lines: 0, due: 50_000n },
  { what: 'with what came since', later: 20_000n, lines: 1, due: 30_000n },
])
  play(`what was archived before is due by the first statement of a network, ${what}`, async (world) => {
    const archive = archiveOf(world)
    try {
      await world.deposit(80_000n)
      await pay(world, 'PAY_OUT', 80_000n)
      await pay(world, 'PAY_IN', 30_000n)
      // The newest entry of the journal stays.
      await world.order({ direction: 'PAY_IN', expiryAt: world.clock.now() + 400 * 86_400_000 })
      await archive.deliver()
      await archive.archive()
      if (later > 0n) await pay(world, 'PAY_IN', later)
      const { ask } = operatorOf(world)
      await ask(statementClose, { party: tills.B.name, currency: 'MXN' })
      await closerOf(world).pass()
      const [statement] = await world.rows('statements')
      assert.equal(
        [statement?.opening_minor, statement?.line_count, statement?.due_minor, statement?.closing_minor],
        [50_000n, lines, due, due],
      )
      assert.is(statement?.sealed_at === null, false)
      assert.equal(await problemsIn(world), [])
    } finally {
      archive.close()
    }
  })

test.run()
