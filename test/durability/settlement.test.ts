/**
 * Any sequence of orders, refunds, doubts, deposits, payments, bounces, lines of banks, corrections, orders paid on chains, conversions, days
 * that close and orders that go to the archive adds up to what an independent bookkeeper reckons, to the minor unit: `node test/durability/settlement.test.ts SEQUENCES LENGTH [FIRST SEED]`.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assertSameBalances, hasHledger, journalOf } from '../support/hledger.ts'
import { type OrderWorld, orderWorlds } from '../support/order-world.ts'
import { agree, playSettlement } from '../support/settlement/play.ts'
import { names } from '../support/settlement/terms.ts'
import { isLargeShare } from './share.ts'

const numbers = process.argv.filter((word) => /^\d+$/.test(word)).map(Number)
const [sequences = isLargeShare ? 100 : 10, length = 25, first = 1] = numbers
const inWorld = orderWorlds(test, agree)
const kinds = new Set<string>()
let archived = 0

const canExport = hasHledger('the ledger of a random settlement')

async function compareExport({ url, rows }: OrderWorld): Promise<void> {
  assertSameBalances(await journalOf(url), await rows('accounts'), (id) => names.get(id) ?? id)
}

/** Why it goes wrong, and what was done before; null where it does not. */
async function problemOf(seed: number, deeds: number): Promise<Error | null> {
  const log: string[] = []
  try {
    await inWorld(async (world) => {
      const played = await playSettlement(world, { seed, length: deeds, log })
      for (const kind of played.kinds) kinds.add(kind)
      archived += played.archived
      if (seed === first && deeds === length && canExport) await compareExport(world)
    })
    return null
  } catch (cause) {
    const again = `node test/durability/settlement.test.ts 1 ${deeds} ${seed}`
    return new Error(`${again}\n${log.join(', ')}\n${cause}`, { cause })
  }
}

/** The shortest beginning of a sequence that goes wrong. */
async function shortest(seed: number, found: Error): Promise<Error> {
  for (let deeds = 1; deeds < length; deeds++) {
    const problem = await problemOf(seed, deeds)
    if (problem !== null) return problem
  }
  return found
}

test(`${sequences} sequences of ${length} deeds add up`, async () => {
  for (let seed = first; seed < first + sequences; seed++) {
    const problem = await problemOf(seed, length)
    if (problem !== null) throw await shortest(seed, problem)
  }
})

// Whoever plays a single one again looks for something else.
if (sequences >= 100)
  test('what is hard to come by has come about', () => {
    const rare = [
      'payment_bounce',
      'payment_withdraw',
      'sweep_back',
      'borrow',
      'repay',
      'reclaim',
      'honour',
      'bank_identified',
      'adjustment',
      'adjustment_tax',
      'unwind',
      'abandon',
      'keep',
      'conversion',
      'conversion_fee',
      'conversion_result',
    ]
    assert.equal(
      rare.filter((kind) => !kinds.has(kind)),
      [],
    )
    assert.ok(archived > 0, 'orders in the archive')
  })

test.run()
