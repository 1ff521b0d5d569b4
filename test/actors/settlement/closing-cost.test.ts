/**
 * What a closing costs the database while it holds the party's accounts: as many statements for ten lines as for two thousand. `node
 * test/actors/settlement/closing-cost.test.ts LINES` closes and seals one of so many, and says what it took.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { closeDay } from '../../../actors/settlement/closing.ts'
import { ownStatement } from '../../../actors/settlement/own-statements.ts'
import { sealStatement } from '../../../actors/settlement/sealing.ts'
import type { ColumnValue } from '../../../persistence/binding.ts'
import { Prepared } from '../../../persistence/sqlite/prepared.ts'
import type { Store, Write } from '../../../persistence/store.ts'
import { isOnPostgres } from '../../support/database.ts'
import { changedStore, commit, inOrderWorld, type OrderWorld, shop } from '../../support/order-world.ts'
import { agree, anchor } from '../../support/statement-world.ts'

const asked = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 0)
const day = '2026-03-01'
const holder = { partyId: shop.id, kind: 'merchant', currency: 'MXN' } as const

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

/** The store, and the statements that each of its steps has executed. */
function counting(store: Store): { store: Store; steps: number[] } {
  const steps: number[] = []
  return {
    steps,
    store: changedStore(store, {
      async step(step) {
        const before = statements
        const result = await store.step(step)
        steps.push(statements - before)
        return result
      },
    }),
  }
}

/** A day of the shop with so many deposits, which has ended. */
async function dayOf(world: OrderWorld, lines: number): Promise<void> {
  await agree(world.store, shop.id, [day])
  for (let done = 0; done < lines; done += 1000) {
    const count = Math.min(1000, lines - done)
    const posts = Array.from(
      { length: count },
      (_, index): Write => ({
        post: {
          kind: 'deposit',
          debit: { kind: 'bank', ownerId: '', currency: 'MXN' },
          credit: { kind: 'available', ownerId: shop.id, currency: 'MXN' },
          amountMinor: 100n,
          orderId: null,
          reference: `line ${done + index}`,
        },
      }),
    )
    await commit(world.store, posts)
  }
  world.clock.advance(86_400_000)
}

const inWorld = inOrderWorld(test)
const play = isOnPostgres ? () => {} : inWorld
const perClosing = new Map<number, number[]>()

for (const lines of [10, 2_000]) {
  play(`a day of ${lines} lines is closed by steps that do not count them`, async (world) => {
    await dayOf(world, lines)
    const { store, steps } = counting(world.store)
    const closed = await closeDay(store, holder, day)
    assert.is(closed.ok && closed.plan?.lineCount, lines)
    perClosing.set(lines, [...steps])
    // Lines are stored by whoever seals, two hundred a step; one more step binds them.
    await anchor(world.store)
    steps.length = 0
    const [statement] = await world.rows('statements')
    assert.ok(statement && (await sealStatement(store, statement)))
    assert.is(steps.length, Math.ceil(lines / 200) + 1)
    assert.is((await world.rows('statement_lines')).length, lines)
    // What it adds up to was kept then: whoever is told has none of its lines counted.
    const key = { party_id: shop.id, currency: 'MXN', number: 1, line: lines }
    await commit(world.store, [{ delete: 'statement_lines', key }])
    const named = { party: shop.name, partyId: shop.id, currency: 'MXN', number: 1 }
    const told = await ownStatement(world.store, named, { limit: 1, cursor: null })
    const amount = `${lines}.00`
    const sum = { kind: 'deposit', direction: null, lines, amount, fee: '0.00', tax: '0.00' }
    assert.equal(typeof told === 'string' ? told : told.sums, [sum])
  })
}

test('both executed as many statements', () => {
  assert.equal(perClosing.get(2_000), perClosing.get(10))
  assert.ok(isOnPostgres || (perClosing.get(10)?.at(-1) ?? 0) > 0)
})

if (asked > 0) {
  inWorld(`what one of ${asked} takes`, async (world) => {
    await dayOf(world, asked)
    const took: { longestStepMs: number; seconds: number; residentMb: number }[] = []
    const measured = async (work: (store: Store) => Promise<unknown>) => {
      let longestStepMs = 0
      const store = changedStore(world.store, {
        async step(step) {
          const before = performance.now()
          const result = await world.store.step(step)
          longestStepMs = Math.max(longestStepMs, performance.now() - before)
          return result
        },
      })
      const before = performance.now()
      await work(store)
      const seconds = (performance.now() - before) / 1000
      took.push({ longestStepMs, seconds, residentMb: Math.round(process.memoryUsage.rss() / 1e6) })
    }
    took.push({ longestStepMs: 0, seconds: 0, residentMb: Math.round(process.memoryUsage.rss() / 1e6) })
    await measured(async (store) => assert.ok((await closeDay(store, holder, day)).ok))
    await anchor(world.store)
    const [statement] = await world.rows('statements')
    assert.ok(statement)
    await measured(async (store) => assert.ok(await sealStatement(store, statement)))
    console.log(`${asked} lines, before, closing and sealing:`, took)
  })
}

test.run()
