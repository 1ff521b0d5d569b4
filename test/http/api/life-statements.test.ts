/**
 * What one life of an order costs the database: every statement that SQLite runs for it, 25 and one for each of the three
 * signatures (`unsigned-cost.test.ts`); what it reads of reference tables is kept from the life before. At 0.1.0 it was 36 and two
 * for each.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ColumnValue } from '../../../persistence/binding.ts'
import { Prepared } from '../../../persistence/sqlite/prepared.ts'
import { isOnPostgres } from '../../support/database.ts'
import { endpointsOf } from '../../support/endpoints.ts'
import { inOrderWorld } from '../../support/order-world.ts'

let statements = 0

for (const name of ['get', 'all', 'run'] as const) {
  const run: (values: readonly ColumnValue[]) => unknown = Prepared.prototype[name]
  Object.defineProperty(Prepared.prototype, name, {
    value(this: Prepared, values: readonly ColumnValue[]) {
      statements++
      return run.call(this, values)
    },
  })
}

async function counted(work: () => Promise<unknown>): Promise<number> {
  const before = statements
  await work()
  return statements - before
}

const play = isOnPostgres ? () => {} : inOrderWorld(test)

play('a pay-out takes so many statements to be created and funded, started and confirmed', async (world) => {
  const { create, act } = await endpointsOf(world)
  await world.deposit(1_000_000n)
  const life = async () => {
    const created = await counted(create)
    const code = (await world.rows('orders')).at(-1)?.code ?? ''
    const started = await counted(async () => assert.is((await act(code, 'start')).status, 200))
    const confirmed = await counted(async () => assert.is((await act(code, 'confirm')).status, 200))
    return { created, started, confirmed }
  }
  // The first one also pays for looks at codes.
  await life()
  world.clock.advance(1000)
  assert.equal(await life(), { created: 8, started: 7, confirmed: 10 })
})

test.run()
