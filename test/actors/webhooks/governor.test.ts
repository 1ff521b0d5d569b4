import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  allot,
  governorLimits,
  isHanging,
  type LaneHealth,
  type LaneView,
  laneAfter,
  laneReleasesAt,
  newLane,
  releaseEveryMs,
  roomIn,
} from '../../../actors/webhooks/governor.ts'
import type { AttemptOutcome } from '../../../machines/retry.ts'
import { type Receiving, simulatedEvent, WebhookSimulation } from '../../support/webhook-simulation.ts'

const start = Date.UTC(2026, 10, 27, 12)
const well: LaneHealth = { ...newLane(start), failures: 0 }
const hanging: LaneHealth = { ...newLane(start), failures: 7, timeouts: 7 }

interface Waiting {
  backlog?: number
  fresh?: number
}

function lane(
  merchantId: string,
  { backlog = 0, fresh = 100, ...rest }: Waiting & Partial<Omit<LaneView, 'backlog' | 'fresh'>> = {},
): LaneView {
  const waiting = { backlog: { length: backlog }, fresh: { length: fresh } }
  return { merchantId, host: `${merchantId}.example`, health: well, inFlight: 0, ...waiting, ...rest }
}

function given(lanes: LaneView[], busy: LaneView[] = [], now = start): Record<string, number> {
  return Object.fromEntries(
    allot(lanes, [...lanes, ...busy], now).map(({ lane: { merchantId, host }, backlog, fresh }) => [
      `${merchantId} ${host}`,
      backlog + fresh,
    ]),
  )
}

const roomOf = (health: LaneHealth) => roomIn({ health, inFlight: 0 })

function after(health: LaneHealth, outcomes: AttemptOutcome[], durationMs = 20): LaneHealth {
  return outcomes.reduce(
    (it, outcome) => laneAfter(it, { outcome, startedAt: start, endedAt: start + durationMs }),
    health,
  )
}

test('a lane that nothing is known of sends one alone, and more once that was answered', () => {
  assert.is(roomOf(newLane(start)), 1)
  for (const outcome of ['acknowledged', 'refused'] as const)
    assert.is(roomOf(after(newLane(start), [outcome])), governorLimits.perLane, outcome)
})

test('a receiver that has answered quickly 64 times in a row bears twice as much, until it fails or is slow', () => {
  const answers = (count: number) => Array.from({ length: count }, () => 'acknowledged' as const)
  const proven = after(well, answers(64), 999)
  assert.is(roomOf(after(well, answers(63), 999)), governorLimits.perLane)
  assert.is(roomOf(proven), governorLimits.perLane * 2)
  assert.is(roomOf(after(well, answers(64), 1000)), governorLimits.perLane)
  assert.is(roomOf(after(proven, ['acknowledged'], 1000)), governorLimits.perLane)
  assert.is(roomOf(after(proven, ['unavailable'])), 1)
  assert.is(roomOf(after(proven, ['unavailable', 'acknowledged'])), governorLimits.perLane)
  assert.is(roomOf(after(proven, ['forbidden', 'unknown'])), governorLimits.perLane * 2)
})

test('a lane whose receiver fails has one attempt under way', () => {
  for (const outcome of ['unavailable', 'timeout', 'connection', 'dns', 'tls'] as const)
    assert.is(roomOf(after(well, [outcome])), 1, outcome)
})

test('an attempt that says nothing about the receiver changes nothing', () => {
  for (const outcome of ['forbidden', 'unknown'] as const) {
    assert.equal(after(well, [outcome]), well)
    assert.equal(after(hanging, [outcome]), hanging)
  }
})

test('a lane hangs after five time-outs in a row, until an answer', () => {
  const four = after(well, ['timeout', 'timeout', 'timeout', 'timeout'])
  assert.is(isHanging(four), false)
  assert.is(isHanging(after(four, ['timeout'])), true)
  assert.is(isHanging(after(four, ['unavailable', 'timeout'])), false)
  assert.is(isHanging(after(four, ['timeout', 'acknowledged'])), false)
})

test('failing slowly is hanging too', () => {
  const five: AttemptOutcome[] = ['dns', 'unavailable', 'connection', 'dns', 'tls']
  assert.is(isHanging(after(well, five, 3000)), true)
  assert.is(isHanging(after(well, five, 2999)), false)
})

test('recovery from five failures leaves a backlog, from fewer it does not', () => {
  const failures = (count: number) => Array.from({ length: count }, () => 'unavailable' as const)
  const recovered = after(well, [...failures(5), 'acknowledged'], 70)
  assert.is(recovered.backlogUntil, start + 70)
  assert.is(after(well, [...failures(4), 'acknowledged'], 70).backlogUntil, start)
})

test('a backlog is released in bursts of ten at the most, and a hundred a second', () => {
  let view = lane('m', { backlog: 1000, fresh: 0, health: { ...well, releaseAt: start } })
  const release = (now: number) => {
    const [allotment] = allot([view], [], now)
    if (allotment) view = { ...view, health: allotment.health }
    return allotment?.backlog ?? 0
  }
  assert.is(release(start), 1)
  assert.is(laneReleasesAt(view, start), start + 10)
  assert.is(release(start), 0)
  assert.is(release(start + 10), 1)
  assert.is(release(start + 40), 3)
  assert.is(release(start + 3_600_000), governorLimits.perLane)
  assert.is(release(start + 3_600_000), 2)
  assert.is(release(start + 3_600_000), 0)
})

test('a backlog that is too long for that is released within ten minutes', () => {
  assert.equal([1, 50_000, 100_000].map(releaseEveryMs), [10, 10, 5])
  const view = lane('m', { backlog: 100, fresh: 0, health: { ...well, releaseEveryMs: 5 } })
  assert.is(allot([view], [], start)[0]?.health.releaseAt, start + 5)
})

test('what fell due since is sent at once, also while a backlog waits', () => {
  const view = lane('m', { backlog: 1000, fresh: 3, health: { ...well, releaseAt: start + 50 } })
  assert.equal(allot([view], [], start), [
    { lane: view, backlog: 0, fresh: 3, health: { ...view.health, attemptedAt: start } },
  ])
  assert.is(laneReleasesAt(view, start), null)
})

test('ten requests at the most are under way to a host, eight of one merchant', () => {
  const host = 'shared.example'
  assert.equal(given([lane('a', { host }), lane('b', { host })]), { [`a ${host}`]: 5, [`b ${host}`]: 5 })
  assert.equal(given([lane('a', { host })]), { [`a ${host}`]: 8 })
  assert.equal(given([lane('a', { host, inFlight: 8 }), lane('b', { host })]), { [`b ${host}`]: 2 })
})

test('of receivers that have proved quick it is twice as many, and still not the whole host', () => {
  const host = 'shared.example'
  const proven = { ...well, quick: 64 }
  assert.equal(given([lane('a', { host, health: proven })]), { [`a ${host}`]: 16 })
  assert.equal(
    given([lane('a', { host, health: proven, inFlight: 16 }), lane('b', { host, health: proven })]),
    {
      [`b ${host}`]: 4,
    },
  )
})

test('a merchant with many hosts has no more than its share', () => {
  const many = Array.from({ length: 200 }, (_, index) => lane('a', { host: `h${index}` }))
  const shares = Object.values(given([...many, lane('b')]))
  assert.is(
    shares.reduce((a, b) => a + b),
    governorLimits.perMerchant + governorLimits.perLane,
  )
})

test('the places are shared among the merchants, first to those with the least under way', () => {
  const merchants = Array.from({ length: 600 }, (_, index) => lane(`m${index}`))
  const shares = given(merchants, [lane('m0', { host: 'other', inFlight: 3 })])
  assert.is(Object.keys(shares).length, governorLimits.inFlight - 3)
  assert.is(shares['m0 m0.example'], undefined)
})

test('lanes that hang leave most places to the others, and take turns', () => {
  const lanes = Array.from({ length: 100 }, (_, index) =>
    lane(`h${index}`, { health: { ...hanging, attemptedAt: start - index } }),
  )
  const shares = given([...lanes, lane('well')])
  assert.is(Object.keys(shares).length, governorLimits.hanging + 1)
  assert.is(shares['well well.example'], governorLimits.perLane)
  assert.is(shares['h99 h99.example'], 1)
  assert.is(shares['h0 h0.example'], undefined)
})

test('with no place left nothing is given', () => {
  assert.equal(given([lane('a')], [lane('b', { inFlight: governorLimits.inFlight })]), {})
})

function run(
  events: ReturnType<typeof simulatedEvent>[],
  receive: Receiving,
  seconds: number,
): WebhookSimulation {
  const simulation = new WebhookSimulation(events, receive, start)
  simulation.run(start + seconds * 1000)
  return simulation
}

const acknowledges: ReturnType<Receiving> = { outcome: 'acknowledged', afterMs: 20 }
const hangs: ReturnType<Receiving> = { outcome: 'timeout', afterMs: 15_000 }

/** The 99th percentile of the time from an event to its acknowledgement. */
function p99(events: ReturnType<typeof simulatedEvent>[]): number {
  const waits = events.map(({ createdAt, settledAt }) => (settledAt || Number.POSITIVE_INFINITY) - createdAt)
  return waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * 0.99) - 1] ?? 0
}

function manyEvents(count: number, host: string, at: (index: number) => number, merchant = 'bad') {
  return Array.from({ length: count }, (_, index) => simulatedEvent(merchant, host, at(index)))
}

test('a merchant that hangs with 5,000 due events delays nobody else', () => {
  const others = manyEvents(300, 'good.example', (index) => start + index * 100, 'good')
  const stuck = manyEvents(5000, 'bad.example', () => start - 1000)
  const { peaks } = run(
    [...stuck, ...others],
    ({ merchantId }) => (merchantId === 'bad' ? hangs : acknowledges),
    60,
  )
  assert.ok(p99(others) < 1000, `${p99(others)} ms`)
  assert.is(peaks.get('bad.example'), 1)
})

test('a merchant that begins to hang on a shared host delays nobody else there', () => {
  const host = 'shared.example'
  const others = manyEvents(300, host, (index) => start + 10_000 + index * 100, 'good')
  const busy = manyEvents(3000, host, (index) => start + index * 10)
  const receive: Receiving = ({ merchantId }, at) =>
    merchantId === 'bad' && at >= start + 10_000 ? hangs : { outcome: 'acknowledged', afterMs: 90 }
  const { peaks } = run([...busy, ...others], receive, 60)
  assert.ok(p99(others) < 1000, `${p99(others)} ms`)
  assert.ok((peaks.get(host) ?? 0) <= governorLimits.perHost * governorLimits.proven)
})

test('a merchant that hangs on hundreds of hosts, or hundreds that hang, delay nobody else', () => {
  const others = manyEvents(100, 'good.example', (index) => start + index * 100, 'good')
  const hosts = Array.from({ length: 300 }, (_, index) => simulatedEvent('bad', `h${index}`, start - 1000))
  const merchants = Array.from({ length: 150 }, (_, index) =>
    simulatedEvent(`bad${index}`, `m${index}`, start),
  )
  const receive: Receiving = ({ merchantId }) => (merchantId === 'good' ? acknowledges : hangs)
  const { peaks } = run([...hosts, ...merchants, ...others], receive, 60)
  assert.ok(p99(others) < 1000, `${p99(others)} ms`)
  assert.is(peaks.get('bad'), governorLimits.perMerchant)
})

for (const count of [2, 20, 38])
  test(`of ${count} events in a lane that hangs one at a time is tried, each at least every ten minutes`, () => {
    const events = manyEvents(count, 'bad.example', (index) => start + 1 + index * 700)
    const { peaks } = run(events, () => hangs, 86_400)
    assert.is(peaks.get('bad.example'), 1)
    for (const { createdAt, attemptsAt } of events) {
      assert.ok(attemptsAt.length >= 86_400 / 600 - 1)
      for (const [index, at] of attemptsAt.entries())
        assert.ok(at - (attemptsAt[index - 1] ?? createdAt) <= 600_000, `attempt ${index + 1}`)
      // The probes are no reason to try it more often than its schedule has it.
      assert.ok(attemptsAt.length < 86_400 / 540 + 20, `${attemptsAt.length} attempts`)
    }
  })

test('webhooks that join a lane that hangs have their turn too, and the others stay in time', () => {
  const early = manyEvents(20, 'bad.example', (index) => start + index)
  const late = manyEvents(10, 'bad.example', (index) => start + 3_600_000 + index * 1000)
  run([...early, ...late], () => hangs, 6 * 3600)
  for (const { createdAt, attemptsAt } of [...early, ...late])
    for (const [index, at] of attemptsAt.entries())
      assert.ok(at - (attemptsAt[index - 1] ?? createdAt) <= 600_000, `attempt ${index + 1}`)
})

test('a receiver that comes back is found by the probe, and gets its backlog at a bounded rate', () => {
  const back = start + 600_000
  const events = manyEvents(5000, 'bad.example', (index) => start + index)
  const attempts = new Map<number, number>()
  const receive: Receiving = (_, at) => {
    const second = Math.floor((at - back) / 1000)
    attempts.set(second, (attempts.get(second) ?? 0) + 1)
    return at < back ? hangs : acknowledges
  }
  run(events, receive, 1200)
  const settled = events.map(({ settledAt }) => settledAt).toSorted((a, b) => a - b)
  assert.ok((settled[0] ?? 0) > back && (settled[0] ?? 0) <= back + 15_000 + acknowledges.afterMs)
  assert.ok((settled.at(-1) ?? 0) <= back + 600_000)
  assert.ok(Math.max(...attempts.values()) <= 110, `${Math.max(...attempts.values())} in a second`)
  // Nothing was counted that was not sent: the probes are all the attempts there were before.
  assert.ok(events.reduce((sum, { attemptsAt }) => sum + attemptsAt.length, 0) <= 5000 + 41)
})

test('a restart with many due events is no stampede', () => {
  const events = manyEvents(5000, 'good.example', (index) => start - 60_000 + index)
  const firstSecond = () =>
    events.filter(({ attemptsAt }) => (attemptsAt[0] ?? Infinity) < start + 1000).length
  const { peaks } = run(events, () => acknowledges, 60)
  assert.ok(firstSecond() <= 110, `${firstSecond()} in the first second`)
  assert.ok((peaks.get('good.example') ?? 0) <= governorLimits.perLane)
  assert.ok(events.every(({ settledAt }) => settledAt > 0))
})

test('what falls due while the node runs is sent as fast as the receiver takes it', () => {
  const events = manyEvents(1000, 'good.example', (index) => start + 1000 + index)
  run(events, () => ({ outcome: 'acknowledged', afterMs: 3 }), 60)
  assert.ok(p99(events) < 50, `${p99(events)} ms`)
})

test.run()
