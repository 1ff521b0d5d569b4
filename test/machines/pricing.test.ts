import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { priceQuote } from '../../machines/pricing.ts'

/** send, asset decimals, fee fixed, bps, rate, target decimals, increment → fee, price, rounding. */
const rows: [bigint, number, string, number, string, number, bigint, bigint, bigint, bigint][] = [
  // 100 USDC, 0.50 + 1 %: 98.5 × 17.25 = 1699.125 → 1699.12, the half centavo is nobody's.
  [100_000_000n, 6, '0.50', 100, '17.25', 2, 1n, 1_500_000n, 169_912n, 0n],
  // In steps of 50 centavos: 1699.00, and 12 centavos over.
  [100_000_000n, 6, '0.50', 100, '17.25', 2, 50n, 1_500_000n, 169_900n, 12n],
  // CLP has no decimals.
  [10_000_000n, 6, '0', 0, '950.75', 0, 1n, 0n, 9507n, 0n],
  // The fee is rounded up: one unit at 1 bps is a whole unit, and nothing is left.
  [1n, 6, '0', 1, '17.25', 2, 1n, 1n, 0n, 0n],
  // A fee above what is sent leaves nothing, and never a negative price.
  [400_000n, 6, '0.50', 0, '17.25', 2, 1n, 500_000n, 0n, 0n],
  // Where a unit of the asset is worth much, neither does what is left of a unit.
  [1n, 0, '2', 0, '17.25', 2, 1n, 2n, 0n, 0n],
  // Seven decimals, as on Stellar; a fixed fee finer than the asset is rounded up too.
  [10_000_000n, 7, '0.00000001', 0, '1', 2, 1n, 1n, 99n, 0n],
  // Exact beyond what a float could say.
  [9_007_199_254_740_993n, 0, '0', 0, '1.000000000000000001', 2, 1n, 0n, 900_719_925_474_099_300n, 0n],
]

for (const [send, decimals, fixed, bps, rate, target, increment, fee, price, rounding] of rows) {
  test(`${send} at ${rate} less ${fixed} and ${bps} bps comes to ${price}`, () => {
    const priced = priceQuote({
      sendUnits: send,
      assetDecimals: decimals,
      feeFixed: fixed,
      feeBps: bps,
      rate,
      targetDecimals: target,
      cashIncrementMinor: increment,
    })
    assert.equal(priced, { feeUnits: fee, orderPriceMinor: price, roundingMinor: rounding })
  })
}

test('a rate that is no plain decimal is a fault', () => {
  const terms = {
    sendUnits: 1n,
    assetDecimals: 0,
    feeFixed: '0',
    feeBps: 0,
    targetDecimals: 2,
    cashIncrementMinor: 1n,
  }
  for (const rate of ['1e3', '-1', '', '1.'])
    assert.throws(() => priceQuote({ ...terms, rate }), /plain decimal/)
})

test.run()
