/** Amounts, currencies and countries as people write them into files. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { amountFromZero, amountOf, country, currency } from '../../../actors/foundation/money-reading.ts'
import { type Read, Wrong } from '../../../actors/foundation/reading.ts'

const rows: [what: string, read: Read<unknown>, value: unknown, expected: unknown][] = [
  ['a country', country, 'MX', 'MX'],
  ['no country of ISO 3166', country, 'XQ', new Wrong('is not a country such as "MX"')],
  ['the unknown country', country, 'ZZ', new Wrong('is not a country such as "MX"')],
  ['a country in small letters', country, 'mx', new Wrong('is not a country such as "MX"')],
  ['a country and more', country, 'MXN', new Wrong('is not a country such as "MX"')],
  ['a country behind something', country, ' MX', new Wrong('is not a country such as "MX"')],
  ['a currency', currency, 'MXN', 'MXN'],
  ['a slip of a currency', currency, 'MNX', new Wrong('is not a currency such as "MXN"')],
  ['a currency and more', currency, 'MXN ', new Wrong('is not a currency such as "MXN"')],
  ['a currency behind something', currency, 'AMXN', new Wrong('is not a currency such as "MXN"')],
  ['a number for a currency', currency, 484, new Wrong('is not a currency such as "MXN"')],
  ['an amount', amountOf('MXN'), '12.50', 1250n],
  ['an amount in a currency without decimals', amountOf('CLP'), '12', 12n],
  ['the least amount', amountOf('MXN'), '0.01', 1n],
  ['no amount', amountOf('MXN'), '0', new Wrong('is not above zero')],
  ['less than nothing', amountOf('MXN'), '-0.01', new Wrong('is not above zero')],
  ['nothing, where that will do', amountFromZero('MXN'), '0.00', 0n],
  ['less than nothing, where nothing will do', amountFromZero('MXN'), '-0.01', new Wrong('is below zero')],
  ['words', amountOf('MXN'), 'ten', new Wrong('is not an amount of MXN')],
  [
    'a number',
    amountOf('MXN'),
    12.5,
    new Wrong('is not an amount of MXN: write it as a text, such as "100.00"'),
  ],
  ['too many decimals', amountOf('CLP'), '12.5', new Wrong('has more decimals than CLP')],
  ['too much', amountOf('MXN'), '9'.repeat(20), new Wrong('is more than the ledger can hold')],
  // Of a currency that is wrong itself only the form is judged.
  ['any amount of what is no currency', amountOf(undefined), '-12.3456', 0n],
  ['any size of what is no currency', amountOf(undefined), '9'.repeat(20), 0n],
  ['words of what is no currency', amountOf(undefined), 'ten', new Wrong('is not an amount')],
  [
    'a number of what is no currency',
    amountOf(undefined),
    12,
    new Wrong('is not an amount: write it as a text, such as "100.00"'),
  ],
]

for (const [what, read, value, expected] of rows)
  test(`${what}, ${JSON.stringify(value)}, is read as ${expected instanceof Wrong ? 'wrong' : expected}`, () =>
    assert.equal(read(value), expected))

test.run()
