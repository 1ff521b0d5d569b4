/** Fees and commissions by terms: protocol 15.1. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { feeOf, noFee } from '../../machines/fees.ts'
import { currencyDecimals, parseAmount } from '../../machines/money.ts'

type Row = [
  currency: string,
  price: string,
  fixed: string,
  bps: number,
  min: string | null,
  max: string | null,
  taxBps: number,
  fee: string,
  tax: string,
]

const rows: Row[] = [
  // The two examples that are worked out in the protocol.
  ['MXN', '438.00', '0.00', 250, null, null, 1600, '10.95', '1.75'],
  ['MXN', '438.00', '5.00', 80, '5.00', '60.00', 1600, '8.50', '1.36'],
  ['MXN', '1250.50', '0.00', 150, null, null, 1600, '18.76', '3.00'],
  ['MXN', '1250.50', '5.00', 80, '5.00', '60.00', 1600, '15.00', '2.40'],
  // Nothing agreed on but a fixed amount, or but a share.
  ['MXN', '100.00', '3.00', 0, null, null, 0, '3.00', '0.00'],
  ['MXN', '100.00', '0.00', 100, null, null, 0, '1.00', '0.00'],
  ['MXN', '100.00', '0.00', 0, null, null, 1600, '0.00', '0.00'],
  // Half a centavo is rounded up, less than half is not; the fixed part is never rounded.
  ['MXN', '0.50', '0.00', 100, null, null, 0, '0.01', '0.00'],
  ['MXN', '0.49', '0.00', 100, null, null, 0, '0.00', '0.00'],
  ['MXN', '49.99', '0.00', 1, null, null, 0, '0.00', '0.00'],
  ['MXN', '10.49', '1.00', 50, null, null, 0, '1.05', '0.00'],
  ['MXN', '10.50', '1.00', 50, null, null, 0, '1.05', '0.00'],
  ['MXN', '11.00', '1.00', 50, null, null, 0, '1.06', '0.00'],
  // Bounds come before tax, and the tax is on the rounded fee.
  ['MXN', '1.00', '0.00', 100, '5.00', null, 1600, '5.00', '0.80'],
  ['MXN', '100000.00', '0.00', 100, null, '60.00', 1600, '60.00', '9.60'],
  ['MXN', '500.00', '0.00', 100, '5.00', '5.00', 1600, '5.00', '0.80'],
  ['MXN', '0.10', '0.03', 0, null, null, 1600, '0.03', '0.00'],
  ['MXN', '0.10', '0.04', 0, null, null, 1600, '0.04', '0.01'],
  ['MXN', '0.10', '0.00', 10000, null, null, 10000, '0.10', '0.10'],
  // Currencies without decimals, and with three.
  ['CLP', '49', '0', 100, null, null, 1900, '0', '0'],
  ['CLP', '50', '0', 100, null, null, 1900, '1', '0'],
  ['CLP', '12500', '100', 150, null, null, 1900, '288', '55'],
  ['CLP', '999999999', '0', 1, null, null, 1900, '100000', '19000'],
  ['KWD', '10.005', '0.000', 100, null, null, 500, '0.100', '0.005'],
  ['KWD', '10.050', '0.000', 100, null, null, 500, '0.101', '0.005'],
  // Exact beyond what a float could say.
  ['MXN', '90071992547409.93', '0.01', 1, null, null, 1, '9007199254.75', '900719.93'],
]

for (const [currency, price, fixed, bps, min, max, taxBps, fee, tax] of rows) {
  test(`${price} ${currency} at ${fixed} and ${bps} bps, ${min ?? '–'} to ${max ?? '–'}: ${fee} and ${tax}`, () => {
    const minor = (text: string) => {
      const amount = parseAmount(text, currencyDecimals(currency))
      if (typeof amount === 'string') throw new Error(`${text}: ${amount}`)
      return amount
    }
    const terms = {
      fixedMinor: minor(fixed),
      bps,
      minMinor: min === null ? null : minor(min),
      maxMinor: max === null ? null : minor(max),
      taxBps,
    }
    assert.equal(feeOf(terms, minor(price)), { feeMinor: minor(fee), taxMinor: minor(tax) })
  })
}

test('without terms there is no fee', () => {
  assert.equal(feeOf(null, 100n), { feeMinor: 0n, taxMinor: 0n })
  assert.equal(noFee, { feeMinor: 0n, taxMinor: 0n })
})

test.run()
