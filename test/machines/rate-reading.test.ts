import BigNumber from 'bignumber.js'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { combineRates, leapProblem, rateFrom } from '../../machines/rate-reading.ts'

/** What a source told, how it is read, and the rate; or the problem. */
const readings: [told: string | null, inverse: boolean, spreadBps: number, rate: string, problem?: string][] =
  [
    ['17.25', false, 0, '17.25'],
    ['17.2500000000', false, 0, '17.25'],
    [' 017.25 ', false, 0, '17.25'],
    ['4000', false, 0, '4000'],
    ['17.5', false, 0, '17.5'],
    // As many digits as are read, and one more.
    [`${'0'.repeat(28)}17.${'5'.repeat(60)}`, false, 0, '17.5555555555'],
    [`${'0'.repeat(29)}17`, false, 0, '', `it tells "${'0'.repeat(29)}17", which is no plain decimal`],
    [`17.${'0'.repeat(61)}`, false, 0, '', `it tells "17.${'0'.repeat(37)}…, which is no plain decimal`],
    // 17.25 less 0.5 %.
    ['17.25', false, 50, '17.16375'],
    ['17.123456789012345', false, 0, '17.123456789'],
    // Rounded down, never up.
    ['1.99999999999', false, 0, '1.9999999999'],
    ['0.058', true, 0, '17.2413793103'],
    ['0.00024', true, 100, '4125'],
    ['0.00024154589371980677', true, 0, '4139.9999999999'],
    ['3', true, 0, '0.3333333333'],
    // A hair below two.
    [`0.5${'0'.repeat(29)}1`, true, 0, '1.9999999999'],
    [null, false, 0, '', 'it tells null'],
    ['0', false, 0, '', 'it tells zero'],
    ['0.000', true, 0, '', 'it tells zero'],
    ['-0', false, 0, '', 'it tells zero'],
    ['-17.25', false, 0, '', 'it tells "-17.25", which is below zero'],
    ['1.7e1', false, 0, '', 'it tells "1.7e1", which is no plain decimal'],
    ['17,25', false, 0, '', 'it tells "17,25", which is no plain decimal'],
    ['', false, 0, '', 'it tells "", which is no plain decimal'],
    ['NaN', false, 0, '', 'it tells "NaN", which is no plain decimal'],
    ['\u001b[2J', false, 0, '', 'it tells "\\u001b[2J", which is no plain decimal'],
    ['x'.repeat(40), false, 0, '', `it tells "${'x'.repeat(40)}", which is no plain decimal`],
    ['x'.repeat(41), false, 0, '', `it tells "${'x'.repeat(40)}…, which is no plain decimal`],
    ['x'.repeat(500), false, 0, '', `it tells "${'x'.repeat(40)}…, which is no plain decimal`],
    ['1000000000000000', false, 0, '', 'it tells "1000000000000000", which no rate can be made of'],
    ['0.00000000001', false, 0, '', 'it tells "0.00000000001", which no rate can be made of'],
  ]

for (const [told, inverse, spreadBps, rate, problem] of readings)
  test(`${JSON.stringify(told)}${inverse ? ' inverse' : ''} less ${spreadBps} bps is ${rate || 'no rate'}`, () => {
    const expected = problem === undefined ? { ok: true, rate } : { ok: false, problem }
    assert.equal(rateFrom(told, { inverse, spreadBps }), expected)
  })

/** Rates of several sources, what they come to, and which of them counted. */
const medians: [rates: string[], rate: string | null, used: number[]][] = [
  [['17.25'], '17.25', [0]],
  [['17.20', '17.30'], '17.25', [0, 1]],
  [['17.30', '17.10', '17.20'], '17.2', [0, 1, 2]],
  [['17.1', '17.2', '17.3', '17.5'], '17.25', [0, 1, 2, 3]],
  // The mean of two is rounded down.
  [['1.0000000001', '1.0000000002'], '1.0000000001', [0, 1]],
  // One that is far off is left out, whichever way.
  [['17.2', '17.3', '172.5'], '17.25', [0, 1]],
  [['1.72', '17.2', '17.3'], '17.25', [1, 2]],
  [['17.2', '18.93', '17.3'], '17.3', [0, 1, 2]],
  [['17.2', '19.04', '17.3'], '17.25', [0, 2]],
  // Nobody can tell who is right.
  [['17.25', '18.97'], '18.11', [0, 1]],
  [['17.25', '18.98'], null, []],
  [['100', '110'], '105', [0, 1]],
  [['100', '110.005'], null, []],
  [['10', '17', '30'], null, []],
  [['10', '10.1', '20', '20.1'], null, []],
]

for (const [rates, rate, used] of medians)
  test(`${rates.join(', ')} come to ${rate ?? 'nothing'}`, () => {
    const combined = combineRates(rates)
    assert.equal(
      combined,
      rate === null
        ? { ok: false, problem: `the sources disagree: ${rates.join(', ')}` }
        : { ok: true, rate, used },
    )
  })

const leaps: [rate: string, last: string | null, isLeap: boolean][] = [
  ['17.25', null, false],
  ['17.25', '17.25', false],
  ['172.49', '17.25', false],
  ['172.5', '17.25', true],
  ['1.725', '17.25', true],
  ['1.726', '17.25', false],
  ['0.0000000001', '17.25', true],
]

for (const [rate, last, isLeap] of leaps)
  test(`${rate} ${isLeap ? 'cannot' : 'can'} follow ${last ?? 'nothing'}`, () => {
    assert.is(leapProblem(rate, last), isLeap ? `${rate} is 10 times away from ${last}, or further` : null)
  })

const numbers = fc.tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 9 }))
const decimals = numbers.map(([digits, shift]) => new BigNumber(digits).shiftedBy(-shift).toFixed())

test('a rate is never more than what was told, and less by no more than it is rounded', () => {
  fc.assert(
    fc.property(decimals, fc.boolean(), fc.integer({ min: 0, max: 5_000 }), (told, inverse, spreadBps) => {
      const result = rateFrom(told, { inverse, spreadBps })
      if (!result.ok) return
      // told × rate × 10,000 against 10,000 − bps, or the like: products are exact.
      const share = new BigNumber(10_000 - spreadBps)
      const exact = inverse ? share : new BigNumber(told).times(share)
      const scale = (inverse ? new BigNumber(told) : new BigNumber(1)).times(10_000)
      const rate = new BigNumber(result.rate)
      assert.ok(rate.times(scale).lte(exact))
      assert.ok(rate.plus('0.0000000001').times(scale).gt(exact))
    }),
  )
})

test('a median lies among what it was made of, in whatever order they are told', () => {
  fc.assert(
    fc.property(fc.array(decimals, { minLength: 1, maxLength: 9 }), (rates) => {
      const combined = combineRates(rates)
      const backwards = combineRates(rates.toReversed())
      assert.is(backwards.ok ? backwards.rate : null, combined.ok ? combined.rate : null)
      if (!combined.ok) return
      const used = combined.used.map((place) => new BigNumber(rates[place] ?? ''))
      assert.ok(used.length * 2 > rates.length)
      const step = '0.0000000001'
      assert.ok(
        BigNumber.min(...used)
          .minus(step)
          .lte(combined.rate),
      )
      assert.ok(BigNumber.max(...used).gte(combined.rate))
    }),
  )
})

test.run()
