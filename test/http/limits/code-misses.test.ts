/** Protocol 8.3: 30 misses a minute, and max(1,000, 5 % of the day's hits) a day. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCodeMisses } from '../../../http/limits/code-misses.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 2, 1, 12)

test('thirty misses a minute, and no more', () => {
  const misses = createCodeMisses({ perMinute: 30, perDay: 1000 })
  for (let index = 0; index < 30; index++) {
    assert.is(misses.budget('a', start).isOver, false)
    misses.missed('a', start + index)
  }
  const budget = misses.budget('a', start + 1000)
  assert.equal(budget, { limit: 30, remaining: 0, isOver: true, resetMs: minute - 1000 })
  assert.is(misses.budget('b', start).isOver, false, 'another provider has its own')
  assert.is(misses.budget('a', start + minute).isOver, false)
})

test('a day’s budget is used up however slowly, and comes back hour by hour', () => {
  const misses = createCodeMisses({ perMinute: 30, perDay: 100 })
  for (let index = 0; index < 100; index++) misses.missed('a', start + Math.floor(index / 25) * hour)
  const now = start + 3 * hour + minute
  const budget = misses.budget('a', now)
  assert.is(budget.limit, 100)
  assert.is(budget.isOver, true)
  const back = now + budget.resetMs
  assert.is(back, start + day + hour)
  assert.is(misses.budget('a', back - 1).isOver, true)
  assert.equal(
    { ...misses.budget('a', back), resetMs: 0 },
    { limit: 100, remaining: 25, isOver: false, resetMs: 0 },
  )
})

test('who finds many codes may miss a twentieth of them', () => {
  const misses = createCodeMisses({ perMinute: 1000, perDay: 100 })
  for (let index = 0; index < 4_000; index++) misses.found('a', `order ${index}`, start)
  for (let index = 0; index < 199; index++) misses.missed('a', start)
  assert.is(misses.budget('a', start).isOver, false)
  misses.missed('a', start)
  assert.is(misses.budget('a', start).isOver, true)
  assert.is(misses.budget('a', start).limit, 200)
})

test('asking for the same code again and again earns nothing', () => {
  const misses = createCodeMisses({ perMinute: 1000, perDay: 10 })
  for (let index = 0; index < 10_000; index++) misses.found('a', 'one order', start)
  for (let index = 0; index < 10; index++) misses.missed('a', start)
  assert.is(misses.budget('a', start).limit, 10)
  assert.is(misses.budget('a', start).isOver, true)
})

test('hits older than a day count no more', () => {
  const misses = createCodeMisses({ perMinute: 1000, perDay: 10 })
  for (let index = 0; index < 1_000; index++) misses.found('a', `order ${index}`, start)
  for (let index = 0; index < 20; index++) misses.missed('a', start + 24 * hour)
  assert.is(misses.budget('a', start + 24 * hour).limit, 50)
  assert.is(misses.budget('a', start + 25 * hour).limit, 10)
  assert.is(misses.budget('a', start + 25 * hour).isOver, true)
})

test('hits of one hour are remembered up to a bound', () => {
  const misses = createCodeMisses({ perMinute: 10, perDay: 10 })
  for (let index = 0; index < 50_000; index++) misses.found('a', `order ${index}`, start)
  assert.is(misses.budget('a', start).limit, 10)
  misses.missed('a', start)
  for (let index = 0; index < 5_000; index++) misses.missed('a', start - minute)
  assert.is(misses.budget('a', start).limit, 250)
})

test('a clock that goes back a year locks no provider out for a year', () => {
  const misses = createCodeMisses({ perMinute: 1000, perDay: 10 })
  for (let index = 0; index < 10; index++) misses.missed('a', start)
  const earlier = start - 365 * day
  assert.is(misses.budget('a', earlier).isOver, true)
  assert.is(misses.budget('a', earlier + 25 * hour).isOver, false)
})

test.run()
