import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type AttemptOutcome,
  type EndedAttempt,
  gapMs,
  judgeStatus,
  nextAttemptAt,
  productionRetries,
  type RetryPolicy,
  retryAfterMs,
  sandboxRetries,
  verdicts,
} from '../../machines/retry.ts'

const start = Date.UTC(2026, 10, 27, 12)

/** Plays a whole schedule of attempts that fail after `durationMs`: the instants at which each was made. */
function playSchedule(policy: RetryPolicy, random: () => number, durationMs: (attempt: number) => number) {
  const attemptsAt: number[] = []
  let due: number | null = start
  while (due !== null) {
    attemptsAt.push(due)
    const attempts = attemptsAt.length
    const endedAt: number = due + durationMs(attempts)
    due = nextAttemptAt(
      policy,
      { attempts, firstAttemptAt: start, startedAt: due, endedAt, retryAfter: null },
      random(),
    )
  }
  return attemptsAt
}

function gapsOf(instants: number[]): number[] {
  return instants.slice(1).map((at, index) => at - (instants[index] ?? at))
}

const none = () => 0

test('production makes 600 attempts in 354,423 seconds, none more than 600 seconds after the one before', () => {
  const attemptsAt = playSchedule(productionRetries, none, none)
  assert.is(attemptsAt.length, 600)
  assert.is((attemptsAt.at(-1) ?? 0) - start, 354_423_000)
  const gaps = gapsOf(attemptsAt)
  assert.is(Math.max(...gaps), 600_000)
  assert.equal(
    gaps.slice(0, 12),
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map((s) => s * 1000),
  )
})

test('the policies are those of protocol 6.3', () => {
  const ages = { maxGapMs: 600_000, maxAgeMs: 354_423_000 }
  assert.equal(productionRetries, { ...ages, maxAttempts: 600, heedsRetryAfter: true })
  assert.equal(sandboxRetries, { ...ages, maxAttempts: 3, heedsRetryAfter: false })
})

test('the sandbox makes 3 attempts with gaps of 1 and 2 seconds', () => {
  assert.equal(
    playSchedule(sandboxRetries, none, none).map((at) => at - start),
    [0, 1000, 3000],
  )
})

test('jitter only shortens a gap, to nine tenths at the least', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 599 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, random) => {
        const due = nextAttemptAt(productionRetries, endedAt(start, { attempts }), random) ?? 0
        const gap = gapMs(productionRetries, attempts)
        assert.ok(due - start >= gap * 0.9, `${due - start} is less than nine tenths of ${gap}`)
        assert.ok(due - start <= gap)
      },
    ),
  )
})

test('with any jitter and any duration of the attempts no gap is over 600 s, no attempt after the age', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 15_000 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1 })),
      (ms, dice) => {
        const random = () => {
          const thrown = dice.next().value
          return typeof thrown === 'number' && !Number.isNaN(thrown) ? thrown : 0
        }
        const attemptsAt = playSchedule(productionRetries, random, () => ms)
        assert.ok(attemptsAt.length <= 600)
        assert.ok(Math.max(...gapsOf(attemptsAt)) <= 600_000)
        assert.ok((attemptsAt.at(-1) ?? 0) <= start + 354_423_000)
      },
    ),
    { numRuns: 20 },
  )
})

test('all 600 attempts are made although each takes its whole 15 s, the last when the time runs out', () => {
  const attemptsAt = playSchedule(productionRetries, none, () => 15_000)
  assert.is(attemptsAt.length, 600)
  assert.is((attemptsAt.at(-1) ?? 0) - start, 354_423_000)
})

test('an event past its age is given up with the attempt that ends then, however few were made', () => {
  const late = start + 10 * 86_400_000
  assert.is(nextAttemptAt(productionRetries, endedAt(late, { attempts: 4 }), 0), null)
  const atOnce = start + productionRetries.maxAgeMs
  assert.is(nextAttemptAt(productionRetries, endedAt(atOnce, { attempts: 4 }), 0), null)
  assert.is(nextAttemptAt(productionRetries, endedAt(atOnce - 1, { attempts: 4 }), 0), atOnce)
})

test('nothing is given up for its age while the clock is in doubt', () => {
  const late = start + 10 * 86_400_000
  const patient = { ...productionRetries, maxAgeMs: Number.POSITIVE_INFINITY }
  assert.is(nextAttemptAt(patient, endedAt(late, { attempts: 4 }), 0), late + 8000)
})

const now = Date.UTC(2026, 10, 27, 12, 0, 0)

// The gap after the fourth attempt is 8 s; Retry-After counts between it and 600 s.
const retryAfterTable: [header: string, waitMs: number][] = [
  ['30', 30_000],
  ['0', 8000],
  ['5', 8000],
  ['600', 600_000],
  ['601', 600_000],
  ['9999999999', 600_000],
  ['9'.repeat(400), 600_000],
  ['-1', 8000],
  ['NaN', 8000],
  ['Infinity', 8000],
  ['1e2', 8000],
  ['30.5', 8000],
  ['', 8000],
  ['0x20', 8000],
  ['30, 60', 8000],
  ['Fri, 27 Nov 2026 12:00:30 GMT', 30_000],
  ['Friday, 27-Nov-26 12:00:30 GMT', 30_000],
  ['Fri Nov 27 12:00:30 2026', 30_000],
  ['Tue Dec  1 00:00:00 2026', 600_000],
  ['Fri, 27 Nov 2026 11:00:00 GMT', 8000],
  ['Fri, 27 Nov 2999 12:00:00 GMT', 600_000],
  ['Fri, 27 Nil 2026 12:00:30 GMT', 8000],
  ['2026-11-27T12:00:30Z', 8000],
]

for (const [header, waitMs] of retryAfterTable)
  test(`a Retry-After of "${header.slice(0, 40)}" after a gap of 8 s waits ${waitMs / 1000} s`, () => {
    const due = nextAttemptAt(productionRetries, endedAt(now, { attempts: 4, retryAfter: header }), 0)
    assert.is(due, now + waitMs)
  })

test('no text whatever in Retry-After moves the next attempt out of the gap and 600 s', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)),
      fc.integer({ min: 1, max: 599 }),
      (retryAfter, attempts) => {
        const due = nextAttemptAt(productionRetries, endedAt(start, { attempts, retryAfter }), 1) ?? 0
        assert.ok(due - start >= gapMs(productionRetries, attempts) * 0.9)
        assert.ok(due - start <= 600_000)
      },
    ),
  )
})

for (const [header] of retryAfterTable)
  test(`a Retry-After of "${header.slice(0, 40)}" lengthens no gap of the sandbox`, () => {
    assert.is(nextAttemptAt(sandboxRetries, endedAt(now, { attempts: 1, retryAfter: header }), 0), now + 1000)
    assert.is(nextAttemptAt(sandboxRetries, endedAt(now, { attempts: 2, retryAfter: header }), 0), now + 2000)
  })

test('no text whatever in Retry-After changes the gaps of the sandbox', () => {
  const known = fc.constantFrom(...retryAfterTable.map(([header]) => header))
  fc.assert(
    fc.property(fc.oneof(known, fc.string(), fc.integer().map(String)), (retryAfter) => {
      for (const [attempts, gap] of [
        [1, 1000],
        [2, 2000],
      ] as const) {
        const due = nextAttemptAt(sandboxRetries, endedAt(start, { attempts, retryAfter }), 0)
        assert.is(due, start + gap)
      }
    }),
  )
})

test('a Retry-After is read as whole seconds or a date, and as nothing else', () => {
  assert.is(retryAfterMs('120', now), 120_000)
  assert.is(retryAfterMs('Fri, 27 Nov 2026 11:59:59 GMT', now), -1000)
  for (const text of [
    'soon',
    'Fri, 27 Nil 2026 12:00:30 GMT',
    ' Fri, 27 Nov 2026 12:00:30 GMT',
    'Fri, 27 Nov 2026 12:00:30 GMT;',
    'x Fri Nov 27 12:00:30 2026',
    'Fri Nov 27 12:00:30 20260',
    '12 ',
  ])
    assert.is(retryAfterMs(text, now), null, text)
})

test('a date in Retry-After may be of any month', () => {
  const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
  for (const [index, month] of months.entries())
    assert.is(retryAfterMs(`Mon, 15 ${month} 2027 00:00:00 GMT`, 0), Date.UTC(2027, index, 15), month)
})

const statusTable: [statuses: number[], judgement: AttemptOutcome][] = [
  [[200, 201], 'acknowledged'],
  [[500, 501, 502, 503, 504, 599, 408, 429], 'unavailable'],
  [
    [101, 202, 203, 204, 206, 299, 301, 302, 307, 308, 400, 401, 403, 404, 409, 410, 422, 600, 999],
    'refused',
  ],
]

for (const [statuses, judgement] of statusTable)
  for (const status of statuses)
    test(`an answer of ${status} is ${judgement}`, () => assert.is(judgeStatus(status), judgement))

test('time-outs and failures of the connection, of DNS and of TLS are retried; refusals are not', () => {
  const retried = (Object.keys(verdicts) as AttemptOutcome[]).filter((it) => verdicts[it] === 'retry')
  assert.equal(retried, ['unavailable', 'timeout', 'connection', 'dns', 'tls', 'unknown'])
  assert.is(verdicts.acknowledged, 'delivered')
  assert.is(verdicts.refused, 'dead')
  assert.is(verdicts.forbidden, 'dead')
})

/** An attempt that began and ended at `at`, of an event first tried at the test's start. */
function endedAt(at: number, rest: Partial<EndedAttempt>): EndedAttempt {
  return { attempts: 1, firstAttemptAt: start, startedAt: at, endedAt: at, retryAfter: null, ...rest }
}

test.run()
