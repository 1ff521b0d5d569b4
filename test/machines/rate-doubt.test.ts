import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Accepted,
  jumpProblem,
  jumpWindowMs,
  nextBase,
  readDoubt,
  usualMaxJumpPercent,
  writeDoubt,
} from '../../machines/rate-doubt.ts'

const now = Date.UTC(2026, 10, 27, 12)
const none: Accepted = { last: null, base: null, baseAt: null }

const table: [rate: string, last: string | null, percent: number, isDoubted: boolean][] = [
  ['17.25', null, 15, false],
  ['17.25', '17.25', 15, false],
  ['115', '100', 15, false],
  ['115.0000000001', '100', 15, true],
  ['85', '100', 15, false],
  ['84.9999999999', '100', 15, true],
  ['170.775', '17.25', 15, true],
  ['101.1', '100', 1, true],
  ['500', '100', 900, false],
]

for (const [rate, last, percent, isDoubted] of table)
  test(`${rate} after ${last} is ${isDoubted ? '' : 'not '}doubted at ${percent} %`, () =>
    assert.is(jumpProblem(rate, { ...none, last }, percent, now) !== null, isDoubted))

test('what is just beyond is told as beyond', () => {
  const problem = jumpProblem('115.0000000001', { ...none, last: '100' }, 15, now)
  assert.is(problem, '115.0000000001 is 15.1 % away from 100, the last one accepted; 15 % are allowed')
})

test('however little a rate is beyond, it is told as beyond', () => {
  const problem = jumpProblem('1150000.000000000000000001', { ...none, last: '1000000' }, 15, now)
  assert.match(problem ?? '', /is 15\.1 % away from 1000000/)
})

test('a rate may move by 15 percent in an hour where nothing else is said', () => {
  assert.equal([usualMaxJumpPercent, jumpWindowMs], [15, 60 * 60_000])
})

test('a doubt is read as it was written', () => {
  const doubt = { rate: '19.5', at: now, since: now - 60_000, readingJson: '{"a":1}' }
  assert.equal(readDoubt(writeDoubt(doubt)), doubt)
})

test('the hour’s beginning counts for an hour, and not before it', () => {
  const accepted = { last: '110', base: '100', baseAt: now }
  assert.match(jumpProblem('116', accepted, 15, now + jumpWindowMs - 1) ?? '', /less than an hour before/)
  assert.is(jumpProblem('116', accepted, 15, now + jumpWindowMs), null)
  assert.match(jumpProblem('116', accepted, 15, now) ?? '', /less than an hour before/)
  assert.is(jumpProblem('116', accepted, 15, now - 1), null)
  assert.equal(nextBase('116', accepted, now + jumpWindowMs), { base: '116', baseAt: now + jumpWindowMs })
  assert.equal(nextBase('112', accepted, now + 1), { base: '100', baseAt: now })
})

test('however a source creeps, in any hour it stays within the leaps of the two windows that the hour touches', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 40 })), {
    minLength: 50,
    maxLength: 400,
  })
  fc.assert(
    fc.property(steps, (moves) => {
      let accepted: Accepted = none
      let at = now
      let told = 1_000_000
      const history: { at: number; rate: number }[] = []
      for (const [percent, minutes] of moves) {
        at += minutes * 60_000
        told = Math.max(1, Math.round((Number(accepted.last ?? told) * (100 + percent)) / 100))
        const rate = String(told)
        if (jumpProblem(rate, accepted, 15, at) !== null) continue
        accepted = { last: rate, ...nextBase(rate, accepted, at) }
        history.push({ at, rate: told })
        for (const earlier of history.filter((it) => it.at > at - jumpWindowMs)) {
          const change = Math.abs(told / earlier.rate - 1)
          assert.ok(change <= 1.15 ** 3 / 0.85 - 1 + 1e-6, `${change}`)
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('fourteen percent a minute ends after the first', () => {
  let accepted: Accepted = { last: '100', base: '100', baseAt: now }
  const told: string[] = []
  for (let minute = 1; minute < 60; minute++) {
    const rate = (Number(accepted.last) * 1.14).toFixed(4)
    const at = now + minute * 60_000
    if (jumpProblem(rate, accepted, 15, at) !== null) continue
    accepted = { last: rate, ...nextBase(rate, accepted, at) }
    told.push(rate)
  }
  assert.equal(told, ['114.0000'])
})

test.run()
