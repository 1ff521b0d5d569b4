/** What closes next, as the console shows it in the morning. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { statementClose } from '../../../actors/settlement/statement-operations.ts'
import { settlementToday } from '../../../actors/settlement/today.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, shop, tills } from '../../support/order-world.ts'
import { agree } from '../../support/statement-world.ts'

const play = inOrderWorld(test)

play('a day that was closed on request does not close next', async (world) => {
  const days = ['2026-03-01', '2026-03-02']
  for (const party of [shop.id, tills.A.id]) await agree(world.store, party, days)
  await world.deposit(10_000n)
  const { ask } = operatorOf(world)
  const next = async () => (await ask(settlementToday, {})).closes.map(({ party, day }) => [party, day])
  assert.equal(await next(), [
    [tills.A.name, '2026-03-01'],
    [shop.name, '2026-03-01'],
  ])
  await ask(statementClose, { party: shop.name, currency: 'MXN' })
  assert.equal(await next(), [
    [tills.A.name, '2026-03-01'],
    [shop.name, '2026-03-02'],
  ])
})

test.run()
