/**
 * The ledger of many random orders, as hledger reads it: `node test/durability/ledger-export.ts DEEDS`. Three of ten deeds
 * make an order.
 */
import { test } from 'uvu'
import { agree } from '../support/agreed-terms.ts'
import { assertSameBalances, hasHledger, journalOf } from '../support/hledger.ts'
import { orderWorlds, otherShop, shop, tills } from '../support/order-world.ts'
import { playRandomly } from '../support/random-orders.ts'

const deeds = Number(process.argv[2] ?? 300)
const inWorld = orderWorlds(test)
const names = new Map<string, string>([shop, otherShop, tills.A, tills.B].map(({ id, name }) => [id, name]))

if (hasHledger('the ledger of many orders')) {
  test(`hledger finds our balances after ${deeds} deeds`, () =>
    inWorld(async (world) => {
      await agree(world)
      await playRandomly(world, 17, deeds)
      const startedAt = performance.now()
      const journal = await journalOf(world.url)
      const seconds = (performance.now() - startedAt) / 1000
      assertSameBalances(journal, await world.rows('accounts'), (id) => names.get(id) ?? id)
      const orders = (await world.rows('orders')).length
      const postings = (await world.rows('postings')).length
      const megabytes = (journal.length / 2 ** 20).toFixed(1)
      console.log(`${orders} orders, ${postings} postings: ${megabytes} MiB in ${seconds.toFixed(1)} s`)
    }))
}

test.run()
