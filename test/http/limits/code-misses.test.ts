/** Protocol 3, Codes: 30 misses a minute, and max(1,000, 5 % of the day's hits) a day, over all nodes and starts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type CodeLimits, createCodeBudgets } from '../../../actors/parties/code-budgets.ts'
import { createCodeMisses } from '../../../http/limits/code-misses.ts'
import { inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const play = inOrderWorld(test)
const a: string = tills.A.id
const b: string = tills.B.id

/** A node over the world's database. */
function nodeOf(world: OrderWorld, limits: CodeLimits) {
  const misses = createCodeMisses(createCodeBudgets(world.store, limits), world.clock)
  return {
    async miss(provider = a) {
      const look = await misses.pay(provider)
      if (look.isOver) return look
      // A look takes its time, while others come.
      await new Promise((resolve) => setImmediate(resolve))
      if ('missed' in look) look.missed()
      return null
    },
    async find(order: string, provider = a) {
      const look = await misses.pay(provider)
      if ('found' in look) {
        await new Promise((resolve) => setImmediate(resolve))
        look.found(order)
      }
      return !look.isOver
    },
  }
}
const missed = async (asked: Promise<unknown>[]) =>
  (await Promise.all(asked)).filter((over) => over === null).length
const times = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, i) => make(i))

play('thirty misses a minute, and no more, however they come', async (world) => {
  const node = nodeOf(world, { perMinute: 30, perDay: 1000 })
  for (let index = 0; index < 10; index++) assert.is(await node.miss(), null)
  world.clock.advance(1000)
  assert.is(await missed(times(100, () => node.miss())), 20)
  assert.equal(await node.miss(), {
    limit: 30,
    remaining: 0,
    isOver: true,
    resetMs: minute - 1000,
    windowMs: minute,
  })
  assert.is(await node.miss(b), null, 'another provider has its own')
  world.clock.advance(minute - 1000)
  assert.is(await node.miss(), null)
})

play('two nodes at once let as many through as one, and a start gives no new budget', async (world) => {
  const limits = { perMinute: 30, perDay: 40 }
  const nodes = [nodeOf(world, limits), nodeOf(world, limits)]
  const asked = times(200, (index) => (nodes[index % 2] ?? nodeOf(world, limits)).miss())
  assert.is(await missed(asked), 30)
  assert.is(await missed(times(50, () => nodeOf(world, limits).miss())), 0)
  world.clock.advance(minute)
  assert.is(await missed(times(50, () => nodeOf(world, limits).miss())), 10)
  world.clock.advance(minute)
  assert.is(await missed(times(50, () => nodeOf(world, limits).miss())), 0)
})

play(
  'what is found costs nothing: one step a minute, and nobody is refused for asking at once',
  async (world) => {
    const node = nodeOf(world, { perMinute: 5, perDay: 10 })
    const before = world.store.statistics?.steps ?? 0
    for (let round = 0; round < 20; round++) {
      const found = await Promise.all(times(20, (index) => node.find(`order ${index}`)))
      assert.ok(found.every((isServed) => isServed))
      world.clock.advance(minute)
    }
    if (world.store.engine === 'sqlite') {
      assert.ok(
        (world.store.statistics?.steps ?? 0) - before <= 20 * 3,
        'a step for each look at once, at most',
      )
    }
    assert.is(await missed(times(20, () => node.miss())), 5)
  },
)

play('one miss among those that are found is counted, and no more', async (world) => {
  const node = nodeOf(world, { perMinute: 3, perDay: 10 })
  const asked = times(60, (index) => (index % 15 === 0 ? node.miss() : node.find(`order ${index}`)))
  const ends = await Promise.all(asked)
  assert.is(ends.filter((end) => end === null).length, 3)
})

play('a day’s budget is used up however slowly, and comes back hour by hour', async (world) => {
  world.clock.jump(Math.ceil(world.clock.now() / hour) * hour - world.clock.now())
  const node = nodeOf(world, { perMinute: 30, perDay: 100 })
  const start = world.clock.now()
  for (let index = 0; index < 4; index++) {
    assert.is(await missed(times(25, () => node.miss())), 25)
    world.clock.advance(hour)
  }
  const over = await node.miss()
  assert.is(over?.limit, 100)
  world.clock.advance(over?.resetMs ?? 0)
  assert.is(world.clock.now(), start + day + hour)
  assert.is(await missed(times(30, () => node.miss())), 25)
})

play(
  'who finds many codes may miss a twentieth of them, and the same one again earns nothing',
  async (world) => {
    const node = nodeOf(world, { perMinute: 1000, perDay: 10 })
    for (let index = 0; index < 400; index++) await node.find(`order ${index}`)
    for (let index = 0; index < 400; index++) await node.find('order 1')
    world.clock.advance(minute)
    assert.is(await missed(times(60, () => node.miss())), 20)
    world.clock.advance(25 * hour)
    assert.is(await missed(times(60, () => node.miss())), 10, 'hits older than a day count no more')
  },
)

play('a clock that goes back a year locks no provider out for a year', async (world) => {
  const node = nodeOf(world, { perMinute: 1000, perDay: 10 })
  assert.is(await missed(times(20, () => node.miss())), 10)
  world.clock.jump(-365 * day)
  world.store.followClock()
  assert.is(await missed(times(20, () => node.miss())), 0)
  world.clock.advance(26 * hour)
  assert.is(await missed(times(20, () => node.miss())), 10)
})

test.run()
