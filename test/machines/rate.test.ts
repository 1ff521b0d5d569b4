import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatDecimal, formatRate, parseDecimal } from '../../machines/rate.ts'

/** What is read, as the one way it is written; `null` for what is no rate. */
const decimals: [text: string, written: string | null][] = [
  ['17.25', '17.25'],
  ['17.250', '17.25'],
  ['017.25', '17.25'],
  [' 17.25\n', '17.25'],
  ['17', '17'],
  ['0', '0'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['0.0000000000000000001', null],
  ['999999999999999.999999999999999999', '999999999999999.999999999999999999'],
  ['1000000000000000', null],
  ['-17.25', null],
  ['+17.25', null],
  ['17.', null],
  ['.25', null],
  ['17,25', null],
  ['1.7e1', null],
  ['1_000', null],
  ['0x10', null],
  ['NaN', null],
  ['Infinity', null],
  ['１７', null],
  ['', null],
]

for (const [text, written] of decimals)
  test(`${JSON.stringify(text)} is ${written ?? 'no rate'}`, () => {
    const decimal = parseDecimal(text)
    assert.is(decimal === null ? null : formatDecimal(decimal), written)
  })

test('a rate is shown with all its decimals, and two at least', () => {
  const shown = { '17': '17.00', '17.5': '17.50', '0.25': '0.25', '17.1234': '17.1234' }
  for (const [rate, text] of Object.entries(shown)) assert.is(formatRate(rate), text)
})

test('no digit of a rate is lost, and equal rates are equal texts', () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,14}\.\d{0,17}[1-9]$/)
  fc.assert(
    fc.property(digits, fc.nat(15), (text, zeros) => {
      const [whole = '', fraction = ''] = text.split('.')
      const padded = `${whole.padStart(Math.min(15, whole.length + zeros), '0')}.${fraction.padEnd(18, '0')}`
      for (const one of [text, padded]) {
        const decimal = parseDecimal(one)
        assert.is(decimal === null ? null : formatDecimal(decimal), text)
      }
    }),
  )
})

test.run()
