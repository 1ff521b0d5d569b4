import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type AmountProblem,
  assetCurrency,
  currencyDecimals,
  currencyName,
  formatAmount,
  formatPrice,
  formatUnits,
  maxMinorUnits,
  parseAmount,
} from '../../machines/money.ts'
import { processorMs } from '../support/processor-time.ts'

const amounts: [text: string, decimals: number, minor: bigint | AmountProblem][] = [
  ['100', 2, 10_000n],
  ['100.00', 2, 10_000n],
  ['100.5', 2, 10_050n],
  ['0.01', 2, 1n],
  ['0', 2, 0n],
  ['0.00', 2, 0n],
  ['-0', 2, 0n],
  ['-0.01', 2, -1n],
  ['-100.50', 2, -10_050n],
  // Leading zeros, trailing zeros and blanks around are harmless.
  ['007.50', 2, 750n],
  ['100.000000', 2, 10_000n],
  [`1.${'0'.repeat(1000)}`, 0, 1n],
  ['  100.00  ', 2, 10_000n],
  ['\t100\n', 2, 10_000n],
  ['\u00a0100\u2003', 2, 10_000n],
  // More significant decimals than the currency has are not.
  ['100.001', 2, 'too_many_decimals'],
  ['100.010', 2, 10_001n],
  ['0.009', 2, 'too_many_decimals'],
  [`0.${'0'.repeat(1000)}1`, 2, 'too_many_decimals'],
  // Zero, three and nine decimals.
  ['1000', 0, 1000n],
  ['1000.00', 0, 1000n],
  ['1000.5', 0, 'too_many_decimals'],
  ['1.234', 3, 1234n],
  ['1.2345', 3, 'too_many_decimals'],
  ['0.000000001', 9, 1n],
  // What the ledger holds ends at 2^63 − 1.
  ['9223372036854775807', 0, maxMinorUnits],
  ['9223372036854775808', 0, 'too_large'],
  ['92233720368547758.07', 2, maxMinorUnits],
  ['92233720368547758.08', 2, 'too_large'],
  ['92233720368547758.070', 2, maxMinorUnits],
  ['-9223372036854775807', 0, -maxMinorUnits],
  ['-9223372036854775808', 0, 'too_large'],
  ['9'.repeat(60_000), 2, 'too_large'],
  [`${'0'.repeat(60_000)}1`, 2, 100n],
]

for (const [text, decimals, minor] of amounts)
  test(`"${text.slice(0, 30)}" with ${decimals} decimals is ${String(minor).slice(0, 30)}`, () =>
    assert.is(parseAmount(text, decimals), minor))

const notNumbers = [
  ['nothing', ['', ' ', '.', '-', '-.5', '. 5']],
  ['half a number', ['50.', '.50', '1.2.3', '5-', '- 5', '1 000', '10 .00']],
  ['a sign other than minus', ['+5', '−5', '--5', '+-5']],
  ['an exponent or another base', ['1e3', '1E3', '0x10', '0b1', '0o7', '1n']],
  ['a grouped number', ['1_000', '1,000', '12,34', "1'000", '1.000,00']],
  ['no finite number', ['NaN', 'Infinity', '-Infinity', 'null', 'undefined']],
  ['digits of another script', ['１００', '١٠٠', '५०', '1２']],
  ['money', ['$100', '100 MXN', '100%']],
  ['a number and more', ['100\u0000', '100;', '1\n2', '100\r\n100']],
] as const

for (const [what, texts] of notNumbers)
  for (const text of texts)
    test(`${what}, ${JSON.stringify(text)}, is not a number`, () =>
      assert.is(parseAmount(text, 2), 'not_a_number'))

const written: [minor: bigint, decimals: number, text: string][] = [
  [0n, 2, '0.00'],
  [1n, 2, '0.01'],
  [10n, 2, '0.10'],
  [10_050n, 2, '100.50'],
  [-1n, 2, '-0.01'],
  [-10_050n, 2, '-100.50'],
  // At least two decimals, although CLP has none.
  [1000n, 0, '1000.00'],
  [0n, 0, '0.00'],
  [-7n, 0, '-7.00'],
  [15n, 1, '1.50'],
  [1234n, 3, '1.234'],
  [1n, 9, '0.000000001'],
  [maxMinorUnits, 2, '92233720368547758.07'],
  [maxMinorUnits, 0, '9223372036854775807.00'],
]

for (const [minor, decimals, text] of written)
  test(`${minor} minor units with ${decimals} decimals are written ${text}`, () =>
    assert.is(formatAmount(minor, decimals), text))

const anyMinor = fc.bigInt({ min: -maxMinorUnits, max: maxMinorUnits })
const anyDecimals = fc.integer({ min: 0, max: 9 })

test('what is written is read again as the same amount', () => {
  fc.assert(
    fc.property(anyMinor, anyDecimals, (minor, decimals) => {
      assert.is(parseAmount(formatAmount(minor, decimals), decimals), minor)
    }),
  )
})

test('a written amount has as many decimals as the currency, and never fewer than two', () => {
  fc.assert(
    fc.property(anyMinor, anyDecimals, (minor, decimals) => {
      const [, fraction = ''] = /^-?(?:0|[1-9]\d*)\.(\d+)$/.exec(formatAmount(minor, decimals)) ?? []
      assert.is(fraction.length, Math.max(2, decimals))
    }),
  )
})

test('zeros in front, zeros behind and blanks around change no amount', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: maxMinorUnits }),
      anyDecimals,
      fc.nat(40),
      fc.stringMatching(/^\s{0,5}$/),
      (minor, decimals, zeros, blanks) => {
        const text = `${blanks}${'0'.repeat(zeros)}${formatAmount(minor, decimals)}${'0'.repeat(zeros)}${blanks}`
        assert.is(parseAmount(text, decimals), minor)
      },
    ),
  )
})

test('no text whatever throws or gives an amount beyond the ledger', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^-?\d*\.?\d*$/)), (text) => {
      const minor = parseAmount(text, 2)
      assert.ok(typeof minor === 'string' || (minor <= maxMinorUnits && minor >= -maxMinorUnits))
    }),
  )
})

// A body may be 64 KiB: each of these took seconds, or would, where the time grows with the square.
const hostile = [
  ['zeros that end in another digit', `0.${'0'.repeat(65_000)}1`],
  ['zeros and a letter', `${'0'.repeat(65_000)}x`],
  ['decimals and a letter', `0.${'0'.repeat(65_000)}x`],
  ['blanks and a letter', `1${' '.repeat(65_000)}x`],
  ['blanks alone', ' '.repeat(65_000)],
] as const

for (const [what, text] of hostile)
  test(`64 KiB of ${what} are judged at once`, () => {
    const tookMs = processorMs(() => assert.type(parseAmount(text, 2), 'string'))
    assert.ok(tookMs < 500, `${tookMs} ms`)
  })

test('each currency has its own number of decimals, two where ISO 4217 names no other', () => {
  const decimals = {
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    2: 'MXN ARS USD EUR BRL COP PEN UYU',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }
  for (const [expected, currencies] of Object.entries(decimals))
    for (const currency of currencies.split(' '))
      assert.is(currencyDecimals(currency), Number(expected), currency)
})

test('a text that is no currency has two decimals, whatever objects are made of', () => {
  for (const currency of ['', 'XYZ', 'clp', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])
    assert.is(currencyDecimals(currency), 2, currency)
})

test('amounts of assets are written with the decimals they need, and two at least', () => {
  const rows: [units: bigint, decimals: number, text: string][] = [
    [100_000_000n, 6, '100.00'],
    [100_500_000n, 6, '100.50'],
    [1_505_000n, 6, '1.505'],
    [1n, 9, '0.000000001'],
    [0n, 6, '0.00'],
    [100n, 0, '100.00'],
    [1205n, 1, '120.50'],
    [-1_250_000n, 6, '-1.25'],
  ]
  for (const [units, decimals, text] of rows) assert.is(formatUnits(units, decimals), text)
})

test('prices are written with at least two decimals in every currency', () => {
  assert.is(formatPrice(1000n, 'CLP'), '1000.00')
  assert.is(formatPrice(100_050n, 'MXN'), '1000.50')
  assert.is(formatPrice(1000n, 'KWD'), '1.000')
  assert.is(formatPrice(1_500_000n, 'USDC.SOLANA/6'), '1.50')
  assert.is(formatPrice(-1n, 'USDC.STELLAR/7'), '-0.0000001')
})

test('an asset is a currency of the ledger whose name says its decimals', () => {
  const currency = assetCurrency('USDC', 'SOLANA', 6)
  assert.equal(
    [currency, currencyDecimals(currency), currencyName(currency)],
    ['USDC.SOLANA/6', 6, 'USDC.SOLANA'],
  )
  assert.is(currencyDecimals(assetCurrency('USDC', 'STELLAR', 7)), 7)
  for (const other of ['MXN', 'USDC', 'USDC.SOLANA', 'USDC.SOLANA/10', '/6', ' USDC.SOLANA/6']) {
    assert.equal([currencyDecimals(other), currencyName(other)], [2, other])
  }
})

test.run()
