/** What a spreadsheet makes of our tables, in whichever language it runs. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Cell, csvHead, csvRows } from '../../../actors/foundation/csv-table.ts'

type Seen = { is: 'formula' | 'number' | 'text'; text: string }

/**
 * Reads as spreadsheets do: a quote at the beginning of a field opens it, a line break or separator outside of quotes
 * ends it, and what stands behind the closing quote is added as it is.
 */
function fieldsOf(file: string, separator: string, knowsQuotes: boolean): string[][] {
  const rows: string[][] = [[]]
  let field = ''
  let isQuoted = false
  let isFresh = true
  const end = () => {
    rows.at(-1)?.push(field)
    field = ''
    isFresh = true
  }
  const text = file.replace(/^\ufeff/, '')
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isQuoted) {
      if (sign !== '"') field += sign
      else if (text[at + 1] === '"') field += text[++at]
      else isQuoted = false
    } else if (sign === '"' && isFresh && knowsQuotes) {
      isQuoted = true
      isFresh = false
    } else if (sign === separator) end()
    else if (sign === '\r' && text[at + 1] === '\n') continue
    else if (/[\r\n\v\f\u0085\u2028\u2029]/.test(sign)) {
      end()
      rows.push([])
    } else {
      field += sign
      isFresh = false
    }
  }
  end()
  return rows
}

function seen(field: string): Seen {
  const text = field.trim()
  const bare = text.replace(/^["\s]+/, '')
  if (/^-?\d+(\.\d+)?$/.test(text) || /^\+?[\d.,]*\d[\d.,]*(e[+-]?\d+)?%?$/i.test(text))
    return { is: 'number', text }
  return { is: /^[=+\-@|＝＋－＠]/.test(bare) ? 'formula' : 'text', text: field }
}

const separators = [',', ';', '\t']
const everywhere = separators.flatMap((separator) => [true, false].map((quotes) => ({ separator, quotes })))

/** Texts that are made of what is dangerous, and of anything. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        ...'=+-@|＝＋,;\t\r\n\v\f"\' 017aE.x/'.split(''),
        '=1+41',
        '""',
        '\r\n',
        '\u2028',
        '=cmd|',
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join('')),
)

test('whichever sign a spreadsheet splits at, no cell is a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (rows) => {
      const file = csvHead(['id', 'code']) + csvRows(rows)
      for (const { separator, quotes } of everywhere) {
        const formulas = fieldsOf(file, separator, quotes)
          .flat()
          .filter((field) => seen(field).is === 'formula')
        assert.equal(formulas, [], JSON.stringify({ separator, quotes, rows }))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('texts stay texts and numbers numbers where the file is split at commas', () => {
  const number = fc
    .integer({ min: -999, max: 9_999_999 })
    .map((cents) => ({ number: (cents / 100).toFixed(2) }))
  fc.assert(
    fc.property(fc.array(fc.oneof(text, number), { minLength: 1, maxLength: 6 }), (row: Cell[]) => {
      const [fields = [], ...rest] = fieldsOf(csvRows([row]), ',', true)
      assert.equal(rest, [['']])
      const expected = row.map((cell) => (typeof cell === 'string' ? 'text' : 'number'))
      assert.equal(
        fields.map((field) => seen(field).is),
        expected,
      )
    }),
    { numRuns: 2_000 },
  )
})

test('what identifies something is no number, date or truth value', () => {
  const rows = [
    ['012345678901234', "'012345678901234"],
    ['00012345', "'00012345"],
    ['1E5', "'1E5"],
    ['123e-7', "'123e-7"],
    ['3/4', "'3/4"],
    ['10:30', "'10:30"],
    ['1-2', "'1-2"],
    ['MAR1', "'MAR1"],
    ['12 de', '12 de'],
    ['3 Septiembre 2026', "'3 Septiembre 2026"],
    ['TRUE', "'TRUE"],
    ['-5.00', "'-5.00"],
    ['x;=1+41;y', "x;'=1+41;y"],
    ['a\t=2+40\tb', "a\t'=2+40\tb"],
    ["'quoted", "''quoted"],
    ['•••1234', '•••1234'],
    ['order-0012', 'order-0012'],
    ['mayoreo-1', 'mayoreo-1'],
    ['March of dimes', 'March of dimes'],
    ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z'],
    ['5b9a1c10-2f0e-4c55-8d31-0a4f6b1c2d3e', '5b9a1c10-2f0e-4c55-8d31-0a4f6b1c2d3e'],
  ]
  for (const [given = '', expected] of rows) assert.is(csvRows([[given]]), `"${expected}"\r\n`)
  assert.is(
    csvRows([[{ number: '-5.00' }, 'a,b\n"c"', { number: 'no number' }]]),
    '-5.00,"a,b\n""c""","no number"\r\n',
  )
  assert.is(csvHead(['id', 'code']), '\ufeff"id","code"\r\n')
})

test.run()
