/** Each movement of an order with all its postings, by what was agreed on with its merchant and its provider. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type FeeTerms, feeOf } from '../../machines/fees.ts'
import { currencyDecimals, parseAmount } from '../../machines/money.ts'
import type { Direction } from '../../machines/order.ts'
import { commissionLegs, legsOf, type OrderAmounts } from '../../machines/order-postings.ts'

/**
 * The price, the merchant's fee, the provider's commission, the movement, and its postings. Terms are `fixed+bps`, with
 * `least..most` and `tax bps` where there are any. What is right was reckoned with fractions by another program.
 */
const rows = `
  PAY_IN MXN 438.00 | 0.00+250 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | settle | provider→available 438.00, available→fee 10.95, available→tax_collected 1.75, commission→provider 8.50, tax_credited→provider 1.36
  PAY_IN MXN 438.00 | 0.00+250 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | honour | provider→available 438.00, available→fee 10.95, available→tax_collected 1.75, commission→provider 8.50, tax_credited→provider 1.36
  PAY_IN MXN 438.00 | 0.00+250 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | reclaim | provider→available 438.00, available→fee 10.95, available→tax_collected 1.75, commission→provider 8.50, tax_credited→provider 1.36
  PAY_IN MXN 438.00 | 0.00+250 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | suspend | nothing
  PAY_IN MXN 438.00 | 0.00+250 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | return | nothing
  PAY_IN MXN 438.00 | 0.00+250 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | reserve | nothing
  PAY_IN MXN 438.00 | 0.00+250 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | release | nothing
  PAY_OUT MXN 1250.50 | 0.00+150 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | reserve | available→reserved 1272.26
  PAY_OUT MXN 1250.50 | 0.00+150 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | release | reserved→available 1272.26
  PAY_OUT MXN 1250.50 | 0.00+150 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | settle | reserved→provider 1250.50, reserved→fee 18.76, reserved→tax_collected 3.00, commission→provider 15.00, tax_credited→provider 2.40
  PAY_OUT MXN 1250.50 | 0.00+150 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | suspend | reserved→suspense 1272.26
  PAY_OUT MXN 1250.50 | 0.00+150 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | honour | suspense→provider 1250.50, suspense→fee 18.76, suspense→tax_collected 3.00, commission→provider 15.00, tax_credited→provider 2.40
  PAY_OUT MXN 1250.50 | 0.00+150 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | return | suspense→available 1272.26
  PAY_OUT MXN 1250.50 | 0.00+150 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | reclaim | available→provider 1250.50, available→fee 18.76, available→tax_collected 3.00, commission→provider 15.00, tax_credited→provider 2.40
  PAY_OUT MXN 1000.00 | - | - | reserve | available→reserved 1000.00
  PAY_OUT MXN 1000.00 | - | - | release | reserved→available 1000.00
  PAY_OUT MXN 1000.00 | - | - | settle | reserved→provider 1000.00
  PAY_OUT MXN 1000.00 | - | - | suspend | reserved→suspense 1000.00
  PAY_OUT MXN 1000.00 | - | - | honour | suspense→provider 1000.00
  PAY_OUT MXN 1000.00 | - | - | return | suspense→available 1000.00
  PAY_OUT MXN 1000.00 | - | - | reclaim | available→provider 1000.00
  PAY_IN MXN 1000.00 | - | - | settle | provider→available 1000.00
  PAY_IN MXN 1000.00 | - | - | honour | provider→available 1000.00
  PAY_IN MXN 1000.00 | - | - | reclaim | provider→available 1000.00
  PAY_OUT MXN 1000.00 | 10.00+0 | - | reserve | available→reserved 1010.00
  PAY_OUT MXN 1000.00 | 10.00+0 | - | settle | reserved→provider 1000.00, reserved→fee 10.00
  PAY_OUT MXN 1000.00 | 10.00+0 | - | honour | suspense→provider 1000.00, suspense→fee 10.00
  PAY_OUT MXN 1000.00 | 10.00+0 | - | return | suspense→available 1010.00
  PAY_OUT MXN 1000.00 | - | 7.00+0 tax 1600 | reserve | available→reserved 1000.00
  PAY_OUT MXN 1000.00 | - | 7.00+0 tax 1600 | settle | reserved→provider 1000.00, commission→provider 7.00, tax_credited→provider 1.12
  PAY_OUT MXN 1000.00 | - | 7.00+0 tax 1600 | reclaim | available→provider 1000.00, commission→provider 7.00, tax_credited→provider 1.12
  PAY_IN MXN 1000.00 | 0.00+100 | - | settle | provider→available 1000.00, available→fee 10.00
  PAY_IN MXN 1000.00 | - | 0.00+100 | settle | provider→available 1000.00, commission→provider 10.00
  PAY_OUT MXN 0.50 | 0.00+100 | - | reserve | available→reserved 0.51
  PAY_OUT MXN 0.50 | 0.00+100 | - | settle | reserved→provider 0.50, reserved→fee 0.01
  PAY_OUT MXN 0.49 | 0.00+100 | - | reserve | available→reserved 0.49
  PAY_OUT MXN 1000.50 | 0.00+100 tax 50 | - | settle | reserved→provider 1000.50, reserved→fee 10.01, reserved→tax_collected 0.05
  PAY_IN MXN 1.50 | 0.00+100 tax 5000 | 0.00+100 tax 5000 | settle | provider→available 1.50, available→fee 0.02, available→tax_collected 0.01, commission→provider 0.02, tax_credited→provider 0.01
  PAY_OUT MXN 10.00 | 0.00+100 3.00..20.00 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | reserve | available→reserved 13.48
  PAY_OUT MXN 10.00 | 0.00+100 3.00..20.00 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | settle | reserved→provider 10.00, reserved→fee 3.00, reserved→tax_collected 0.48, commission→provider 5.08, tax_credited→provider 0.81
  PAY_OUT MXN 10000.00 | 0.00+100 3.00..20.00 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | reserve | available→reserved 10023.20
  PAY_OUT MXN 10000.00 | 0.00+100 3.00..20.00 tax 1600 | 5.00+80 5.00..60.00 tax 1600 | settle | reserved→provider 10000.00, reserved→fee 20.00, reserved→tax_collected 3.20, commission→provider 60.00, tax_credited→provider 9.60
  PAY_IN MXN 200.00 | 2.50+300 8.50.. tax 1600 | 0.00+0 1.00.. | settle | provider→available 200.00, available→fee 8.50, available→tax_collected 1.36, commission→provider 1.00
  PAY_IN MXN 200.00 | 2.50+300 ..8.49 tax 1600 | 9.00+900 ..10.00 | honour | provider→available 200.00, available→fee 8.49, available→tax_collected 1.36, commission→provider 10.00
  PAY_OUT CLP 12345 | 0+150 tax 1900 | 100+50 tax 1900 | reserve | available→reserved 12565
  PAY_OUT CLP 12345 | 0+150 tax 1900 | 100+50 tax 1900 | settle | reserved→provider 12345, reserved→fee 185, reserved→tax_collected 35, commission→provider 162, tax_credited→provider 31
  PAY_OUT CLP 12345 | 0+150 tax 1900 | 100+50 tax 1900 | suspend | reserved→suspense 12565
  PAY_OUT CLP 12345 | 0+150 tax 1900 | 100+50 tax 1900 | return | suspense→available 12565
  PAY_IN CLP 33 | 0+150 tax 1900 | 0+152 tax 5000 | settle | provider→available 33, commission→provider 1, tax_credited→provider 1
  PAY_IN PYG 1 | 0+5000 | 0+4999 | settle | provider→available 1, available→fee 1
  PAY_OUT CLP 1000 | 1+0 tax 5000 | - | settle | reserved→provider 1000, reserved→fee 1, reserved→tax_collected 1
  PAY_OUT KWD 12.345 | 0.250+75 tax 500 | 0.100+25 0.050..0.120 tax 500 | reserve | available→reserved 12.705
  PAY_OUT KWD 12.345 | 0.250+75 tax 500 | 0.100+25 0.050..0.120 tax 500 | release | reserved→available 12.705
  PAY_OUT KWD 12.345 | 0.250+75 tax 500 | 0.100+25 0.050..0.120 tax 500 | settle | reserved→provider 12.345, reserved→fee 0.343, reserved→tax_collected 0.017, commission→provider 0.120, tax_credited→provider 0.006
  PAY_OUT KWD 12.345 | 0.250+75 tax 500 | 0.100+25 0.050..0.120 tax 500 | honour | suspense→provider 12.345, suspense→fee 0.343, suspense→tax_collected 0.017, commission→provider 0.120, tax_credited→provider 0.006
  PAY_OUT KWD 12.345 | 0.250+75 tax 500 | 0.100+25 0.050..0.120 tax 500 | reclaim | available→provider 12.345, available→fee 0.343, available→tax_collected 0.017, commission→provider 0.120, tax_credited→provider 0.006
  PAY_IN TND 100.001 | 0.000+333 tax 700 | 0.001+1 tax 1 | settle | provider→available 100.001, available→fee 3.330, available→tax_collected 0.233, commission→provider 0.011
  PAY_IN TND 100.001 | 0.000+333 tax 700 | 0.001+1 tax 1 | reclaim | provider→available 100.001, available→fee 3.330, available→tax_collected 0.233, commission→provider 0.011
  PAY_IN TND 1.500 | 0.000+3 0.001.. tax 10000 | 0.000+0 tax 10000 | settle | provider→available 1.500, available→fee 0.001, available→tax_collected 0.001
  PAY_IN MXN 1.16 | 1.00+0 tax 1600 | - | settle | provider→available 1.16, available→fee 1.00, available→tax_collected 0.16
  PAY_IN MXN 10.00 | 0.00+10000 | 0.00+10000 | settle | provider→available 10.00, available→fee 10.00, commission→provider 10.00
  PAY_OUT COP 90071992547409.93 | 0.00+1 tax 1 | 0.00+1 | reserve | available→reserved 90081000647384.60
  PAY_OUT COP 90071992547409.93 | 0.00+1 tax 1 | 0.00+1 | settle | reserved→provider 90071992547409.93, reserved→fee 9007199254.74, reserved→tax_collected 900719.93, commission→provider 9007199254.74
`

type Movement = Parameters<typeof legsOf>[1]

const directions: Readonly<Record<string, Direction>> = { PAY_OUT: 'PAY_OUT', PAY_IN: 'PAY_IN' }
const movements: readonly Movement[] = [
  ...(['reserve', 'release', 'settle', 'suspend'] as const),
  ...(['honour', 'return', 'reclaim'] as const),
]

const parsed = rows
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((part) => part.trim()))

for (const [order = '', fee = '', commission = '', movement = '', expected = ''] of parsed) {
  test(`${order}, fee ${fee}, commission ${commission}: ${movement}`, () => {
    const [directionName = '', currency = '', price = ''] = order.split(' ')
    const decimals = currencyDecimals(currency)
    const minor = (text: string) => {
      const amount = parseAmount(text, decimals)
      if (typeof amount !== 'bigint') throw new Error(`${text}: ${amount}`)
      return amount
    }
    const direction = directions[directionName]
    const moved = movements.find((name) => name === movement)
    if (direction === undefined || moved === undefined) throw new Error(`no movement: ${order} ${movement}`)
    const legs = legsOf(
      direction,
      moved,
      amountsOf(minor(price), termsOf(fee, minor), termsOf(commission, minor)),
    )
    assert.equal(
      legs,
      expected === 'nothing' ? [] : expected.split(', ').map((leg) => legOf(leg, moved, minor)),
    )
  })
}

type Minor = (text: string) => bigint

function termsOf(text: string, minor: Minor): FeeTerms | null {
  if (text === '-') return null
  const match =
    /^(?<fixed>[\d.]+)\+(?<bps>\d+)(?: (?<least>[\d.]*?)\.\.(?<most>[\d.]*))?(?: tax (?<tax>\d+))?$/.exec(
      text,
    )
  const { fixed = '', bps, least = '', most = '', tax = '0' } = match?.groups ?? {}
  return {
    fixedMinor: minor(fixed),
    bps: Number(bps),
    minMinor: least === '' ? null : minor(least),
    maxMinor: most === '' ? null : minor(most),
    taxBps: Number(tax),
  }
}

function amountsOf(priceMinor: bigint, fee: FeeTerms | null, commission: FeeTerms | null): OrderAmounts {
  const charged = feeOf(fee, priceMinor)
  const earned = feeOf(commission, priceMinor)
  return {
    priceMinor,
    feeMinor: charged.feeMinor,
    feeTaxMinor: charged.taxMinor,
    commissionMinor: earned.feeMinor,
    commissionTaxMinor: earned.taxMinor,
  }
}

/** What is no fee, tax or commission is posted under the movement's own name. */
function legOf(text: string, movement: Movement, minor: Minor) {
  const [places = '', amount = ''] = text.split(' ')
  const [from = '', to = ''] = places.split('→')
  const kinds: Readonly<Record<string, string>> = {
    fee: 'fee',
    tax_collected: 'fee_tax',
    commission: 'commission',
    tax_credited: 'commission_tax',
  }
  return { kind: kinds[to] ?? kinds[from] ?? movement, from, to, amountMinor: minor(amount) }
}

test('what a provider earns by the cash of a foreign order is its commission and the tax on it', () => {
  const none = { priceMinor: 500n, feeMinor: 7n, feeTaxMinor: 1n }
  assert.equal(commissionLegs({ ...none, commissionMinor: 20n, commissionTaxMinor: 3n }), [
    { kind: 'commission', from: 'commission', to: 'provider', amountMinor: 20n },
    { kind: 'commission_tax', from: 'tax_credited', to: 'provider', amountMinor: 3n },
  ])
  assert.equal(commissionLegs({ ...none, commissionMinor: 0n, commissionTaxMinor: 0n }), [])
})

test.run()
