/** The clock of a sandbox, told on the world's and back, and durations as people write them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { worldAge, worldAgo, worldNow } from '../../../actors/foundation/clock.ts'
import { type ClockSpan, clockOfMode, createSandboxClock, movedAhead } from '../../../actors/sandbox/clock.ts'
import { formatDuration, readDuration } from '../../../actors/sandbox/duration.ts'
import { fakeClock } from '../../support/clock.ts'

const start = 1_000_000
/** Ahead by 500 since 1,000 after the beginning, and by 2,500 since 3,000. */
const spans: readonly ClockSpan[] = [
  { from: start + 1_000, aheadMs: 500 },
  { from: start + 3_000, aheadMs: 2_500 },
]

function movedClock() {
  const machine = fakeClock(start + 4_000)
  const clock = createSandboxClock(machine)
  clock.follow({ spans, movingTo: null })
  return { clock, machine }
}

test('it shows the machine’s time, and as much more as it was moved', () => {
  const { clock, machine } = movedClock()
  assert.is(clock.now(), start + 6_500)
  assert.is(worldNow(clock), start + 4_000)
  machine.advance(10)
  assert.is(clock.now(), start + 6_510)
})

const instants: [shown: number, instant: number][] = [
  [0, 0],
  [1_000, 1_000],
  // Skipped when it was moved first.
  [1_200, 1_000],
  [1_500, 1_000],
  [2_000, 1_500],
  [3_400, 2_900],
  // Skipped when it was moved again.
  [4_000, 3_000],
  [5_500, 3_000],
  [6_500, 4_000],
  [9_500, 7_000],
]
for (const [shown, instant] of instants) {
  test(`what it showed as ${shown} was at ${instant} in the world`, () => {
    const { clock } = movedClock()
    assert.is(clock.world.of(start + shown), start + instant)
    assert.is(worldAge(clock, start + shown), 4_000 - instant)
  })
}

test('an instant of the world was shown as it was then', () => {
  const { clock } = movedClock()
  for (const [instant, shown] of [
    [500, 500],
    [1_000, 1_500],
    [2_999, 3_499],
    [3_000, 5_500],
    [5_000, 7_500],
  ] as const)
    assert.is(clock.world.shownAt(start + instant), start + shown)
  assert.is(worldAgo(clock, 2_000), start + 2_500)
})

test('what one advance moves is one span, and it never goes back', () => {
  const first = movedAhead([], { at: 10, aheadMs: 100, since: 5 })
  const second = movedAhead(first, { at: 12, aheadMs: 300, since: 5 })
  assert.equal(second, [{ from: 10, aheadMs: 300 }])
  assert.equal(movedAhead(second, { at: 40, aheadMs: 400, since: 30 }), [
    { from: 10, aheadMs: 300 },
    { from: 40, aheadMs: 400 },
  ])
  assert.throws(() => movedAhead(second, { at: 40, aheadMs: 299, since: 30 }), /never less/)
})

test('production has no other clock than the machine’s', () => {
  const machine = fakeClock()
  assert.is(clockOfMode('production', machine), machine)
  const sandbox = clockOfMode('sandbox', machine)
  assert.is.not(sandbox, machine)
  assert.is(clockOfMode('sandbox', sandbox), sandbox)
})

const durations: [written: string, ms: number | null][] = [
  ['3d', 259_200_000],
  ['36h', 129_600_000],
  ['1d 12h', 129_600_000],
  ['1d12h', 129_600_000],
  [' 2W ', 1_209_600_000],
  ['90s', 90_000],
  ['5m', 300_000],
  ['0d', null],
  ['', null],
  ['3', null],
  ['3 days', null],
  ['-3d', null],
  ['1.5d', null],
  ['3d and', null],
  ['9999999999d', null],
]
for (const [written, ms] of durations) {
  test(`“${written}” is ${ms ?? 'no duration'}`, () => assert.is(readDuration(written), ms))
}

test('durations are told in their two largest units', () => {
  assert.equal([0, 400, 59_000, 3_600_000, 2_606_400_000, 90_061_000].map(formatDuration), [
    '0 s',
    '0 s',
    '59 s',
    '1 h',
    '30 d 4 h',
    '1 d 1 h',
  ])
})

test.run()
