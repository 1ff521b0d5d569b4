import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { probeCapacity, probeTimes, type WaitingWebhook } from '../../../actors/webhooks/probes.ts'

const spacing = { attemptMs: 15_000, maxGapMs: 600_000 }
const now = 1_000_000

/** `due` and `since` in seconds from now. */
function times(...webhooks: [due: number, since: number][]): number[] {
  const waiting = webhooks.map(([due, since]) => ({
    dueAt: now + due * 1000,
    waitsSince: now + since * 1000,
  }))
  return probeTimes(waiting, now, spacing).map((at) => (at - now) / 1000)
}

test('forty attempts of 15 s fit into ten minutes', () => {
  assert.is(probeCapacity(spacing), 40)
  assert.is(probeCapacity({ ...spacing, attemptMs: 120_000 }), 5)
})

test('what is due now or soon goes one after the other, the longest due first', () => {
  assert.equal(times([-90, -100], [-60, -100], [5, -10]), [0, 15, 30])
})

test('what is due later keeps its time', () => {
  assert.equal(times([100, 0], [500, 0], [590, 0]), [100, 500, 590])
})

test('two that are due together do not go together', () => {
  assert.equal(times([100, 0], [100, 0], [107, 0]), [100, 115, 130])
})

test('one that would be late goes before those that are due', () => {
  // The third has to go within 20 s: after one of the two that are due, and before the other.
  assert.equal(times([-30, -40], [-20, -40], [10, -580]), [0, 30, 15])
})

test('of several that would be late each begins early enough for the others', () => {
  assert.equal(times([590, 0], [595, 0], [600, 0]), [570, 585, 600])
})

const anyWaiting = fc.record({
  waitsSince: fc.integer({ min: now - 540_000, max: now }),
  gap: fc.integer({ min: 1000, max: 600_000 }),
})

test('no two go together, and none is late where each could be in time', () => {
  fc.assert(
    fc.property(fc.array(anyWaiting, { minLength: 1, maxLength: 38 }), (drawn) => {
      const waiting: WaitingWebhook[] = drawn.map(({ waitsSince, gap }) => ({
        waitsSince,
        dueAt: waitsSince + gap,
      }))
      const given = probeTimes(waiting, now, spacing)
      const inOrder = given.toSorted((a, b) => a - b)
      assert.ok(
        inOrder.every(
          (at, index) => at >= (inOrder[index - 1] ?? -Infinity) + spacing.attemptMs || index === 0,
        ),
      )
      assert.ok((inOrder[0] ?? 0) >= now)
      const latest = waiting.map(({ waitsSince }) => waitsSince + spacing.maxGapMs).toSorted((a, b) => a - b)
      const isPossible = latest.every((at, index) => now + index * spacing.attemptMs <= at)
      if (!isPossible) return
      for (const [index, { waitsSince }] of waiting.entries())
        assert.ok((given[index] ?? 0) <= waitsSince + spacing.maxGapMs)
    }),
    { numRuns: 300 },
  )
})

test.run()
