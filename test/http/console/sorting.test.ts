/** Lists that are on the page as a whole, by each of their columns. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Block, Cell } from '../../../http/console/blocks.ts'
import { money, time } from '../../../http/console/cells.ts'
import { withSorting } from '../../../http/console/sorting.ts'
import { viewFor } from '../../../http/console/view.ts'

const view = viewFor({ language: 'es', timeZone: null }, '')
const rows: readonly (readonly [name: string, sum: Cell, at: Cell])[] = [
  ['Óptica 10', money('900.00', 'MXN'), time('2026-03-01T00:00:00Z')],
  ['optica 9', money('1000.00', 'MXN'), null],
  ['Zapatería', money('5.00', 'ARS'), time('2026-02-01T00:00:00Z')],
]

function shown(query: string, more: readonly Block[] = []): Extract<Block, { kind: 'table' }> {
  const columns = ['name', 'sum', 'at'].map((label) => ({ label }))
  const table: Block = { kind: 'table', label: 'parties', list: 'parties', empty: '', columns, rows }
  const request = { query: new URLSearchParams(query), view }
  const [first] = withSorting(request, '/parties', [table, ...more])
  if (first?.kind !== 'table') throw new Error('it is a table')
  return first
}

const cases: readonly (readonly [query: string, names: string[]])[] = [
  ['', ['Óptica 10', 'optica 9', 'Zapatería']],
  ['by=parties-0', ['optica 9', 'Óptica 10', 'Zapatería']],
  ['by=parties-0&way=down', ['Zapatería', 'Óptica 10', 'optica 9']],
  ['by=parties-1', ['Zapatería', 'Óptica 10', 'optica 9']],
  ['by=parties-1&way=down', ['optica 9', 'Óptica 10', 'Zapatería']],
  ['by=parties-2', ['Zapatería', 'Óptica 10', 'optica 9']],
  ['by=parties-2&way=down', ['Óptica 10', 'Zapatería', 'optica 9']],
  ['by=others-1', ['Óptica 10', 'optica 9', 'Zapatería']],
]

for (const [query, names] of cases)
  test(`${query || 'nothing asked'} is ${names.join(', ')}`, () => {
    assert.equal(
      shown(query).rows.map(([name]) => name),
      names,
    )
  })

test('each head leads to the list by its column, and the one that it is by turns it round', () => {
  assert.equal(
    shown('by=parties-1&kind=x').columns.map(({ sorted }) => [sorted?.way, sorted?.href]),
    [
      ['none', '/parties?by=parties-0&kind=x&way=up'],
      ['ascending', '/parties?by=parties-1&kind=x&way=down'],
      ['none', '/parties?by=parties-2&kind=x&way=up'],
    ],
  )
})

test('what is only a part of a list is not sorted', () => {
  assert.is(shown('', [{ kind: 'next', href: '/parties?cursor=x' }]).columns[0]?.sorted, undefined)
  assert.is(shown('cursor=x').columns[0]?.sorted, undefined)
  assert.is.not(shown('', [{ kind: 'next', href: null }]).columns[0]?.sorted, undefined)
})

test.run()
