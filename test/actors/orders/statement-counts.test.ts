/** What a life costs the database: days, numbers, fees and limits must not make it dearer where nobody agreed on any. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isOnPostgres } from '../../support/database.ts'
import { inOrderWorld, newOrder, type OrderWorld } from '../../support/order-world.ts'
import { countStatements } from '../../support/statement-counts.ts'

/** What is sent to PostgreSQL depends on which steps meet in a transaction, too; there all accounts are one statement. */
const inWorld = isOnPostgres
  ? (name: string, _: (world: OrderWorld) => Promise<void>) => test.skip(name)
  : inOrderWorld(test)

/** The statements of each message of a second life: the first one prepares what all others use. */
async function lifeOf(world: OrderWorld, direction: 'PAY_OUT' | 'PAY_IN'): Promise<Record<string, number>> {
  const { orders, clock, fund } = world
  await world.deposit(1_000_000n)
  const live = async (count: (work: () => Promise<unknown>) => Promise<number>) => {
    let id = ''
    const create = await count(async () => {
      const made = await orders.create(newOrder(clock.now(), { direction }))
      if (made.outcome === 'created') id = made.order.id
    })
    const reserve = await count(fund)
    const start = await count(() => world.start(id, 'A'))
    const confirm = await count(() => world.confirm(id, 'A'))
    return { create, reserve, start, confirm }
  }
  await live(async (work) => {
    await work()
    return 0
  })
  return live(countStatements)
}

inWorld('a pay-out without terms executes as many statements as ever', async (world) => {
  assert.equal(await lifeOf(world, 'PAY_OUT'), { create: 14, reserve: 2, start: 10, confirm: 15 })
})

inWorld('a pay-in without terms executes as many statements as ever', async (world) => {
  assert.equal(await lifeOf(world, 'PAY_IN'), { create: 7, reserve: 2, start: 10, confirm: 16 })
})

test.run()
