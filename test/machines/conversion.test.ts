/** What the proceeds of a sold asset are made of, and its postings: protocol 15.12. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ConversionLeg, proceedsOf, sentLegs, soldLegs } from '../../machines/conversion.ts'

// Of the asset, what is of fees, the proceeds; what was booked: the part, of so many, at so much. Then booked, fee and result.
const proceeds = `
  100   0  2000 | 100  1000  19000 | 1900    0   100
  100   0  1800 | 100  1000  19000 | 1900    0  -100
  100   0  1900 | 100  1000  19000 | 1900    0     0
  100  25  2000 |  75  1000  19000 | 1425  500    75
  100 100  2000 |   0  1000  19000 |    0 2000     0
  100 100  2000 |   0     0      0 |    0 2000     0
  # Both quotients are rounded half up, once: 1.5, 1.4 and 2.5.
    4   1     6 |   3     6      3 |    2    2     2
    5   1     7 |   4    10      3 |    1    1     5
    2   1     5 |   1     2      5 |    3    3    -1
    3   1     1 |   2     3      1 |    1    0     0
`

for (const row of rowsOf(proceeds)) {
  test(`proceeds, booked, fee and result: ${row}`, () => {
    const [sale = [], booked = [], expected = []] = row
      .split('|')
      .map((part) => part.trim().split(/ +/).map(BigInt))
    const [amountMinor = 0n, feePartMinor = 0n, proceedsMinor = 0n] = sale
    const [partUnits = 0n, units = 0n, minor = 0n] = booked
    const found = proceedsOf({ amountMinor, feePartMinor, proceedsMinor }, { partUnits, units, minor })
    assert.equal([found.bookedMinor, found.feeMinor, found.resultMinor], expected)
  })
}

test('what has left waits no longer in suspense', () => {
  assert.is(written(sentLegs(7n)), 'asset conversion_sent transit→suspense 7')
})

// The sale, its booked part, fee and result, and what is posted: each currency sums to zero.
const sold = `
  100  25  2000  1425 500   75 | asset conversion exchange→transit 75, asset conversion_fee fee→transit 25, money conversion bank→exchange 1425, money conversion_fee bank→fee 500, money conversion_result bank→fx_result 75
  100  25  1900  1425 500  -25 | asset conversion exchange→transit 75, asset conversion_fee fee→transit 25, money conversion bank→exchange 1400, money conversion_fee bank→fee 500, money conversion_result fx_result→exchange 25
  100   0  1900  1900   0    0 | asset conversion exchange→transit 100, money conversion bank→exchange 1900
  100 100  2000     0 2000   0 | asset conversion_fee fee→transit 100, money conversion_fee bank→fee 2000
    1   0     1     0   0    1 | asset conversion exchange→transit 1, money conversion_result bank→fx_result 1
    1   0     0     1   0   -1 | asset conversion exchange→transit 1, money conversion_result fx_result→exchange 1
`

for (const row of rowsOf(sold)) {
  test(`postings: ${row}`, () => {
    const [numbers = '', expected] = row.split('|').map((part) => part.trim())
    const [amountMinor = 0n, feePartMinor = 0n, proceedsMinor = 0n, ...rest] = numbers.split(/ +/).map(BigInt)
    const [bookedMinor = 0n, feeMinor = 0n, resultMinor = 0n] = rest
    const legs = soldLegs(
      { amountMinor, feePartMinor, proceedsMinor },
      { bookedMinor, feeMinor, resultMinor },
    )
    assert.is(written(legs), expected)
  })
}

function written(legs: readonly ConversionLeg[]): string {
  return legs
    .map(
      ({ kind, in: currency, from, to, amountMinor }) => `${currency} ${kind} ${from}→${to} ${amountMinor}`,
    )
    .join(', ')
}

function rowsOf(table: string): string[] {
  return table
    .trim()
    .split('\n')
    .filter((line) => !line.includes('#'))
}

test.run()
