/** Lists whose rows are all on the page, by any of their columns, both ways. What comes page by page is sorted where it is read. */
import type { Block, Cell, Column, Text } from './blocks.ts'
import { linkTo } from './cells.ts'
import { partName } from './list-parts.ts'
import type { PageRequest } from './page.ts'
import { say, type View } from './view.ts'

type Table = Extract<Block, { kind: 'table' }>

/** Of an address: `by=merchants-2`, and `way=down`. */
const byName = 'by'
const wayName = 'way'

export function withSorting(
  { query, view }: Pick<PageRequest, 'query' | 'view'>,
  path: string,
  blocks: readonly Block[],
): readonly Block[] {
  const isPart = query.has('cursor') || blocks.some((block) => block.kind === 'next' && block.href !== null)
  if (isPart) return blocks
  return blocks.map((block) => (isSortable(block) ? sorted(block, path, query, view) : block))
}

function isSortable(block: Block): block is Table & { list: string } {
  return block.kind === 'table' && block.list !== undefined && block.rows.length > 1
}

function sorted(table: Table & { list: string }, path: string, query: URLSearchParams, view: View): Table {
  const kept = new URLSearchParams(query)
  // A form that stands open beside it is closed.
  kept.delete('form')
  kept.delete(partName(table.list))
  const chosen = table.columns.findIndex((_, index) => query.get(byName) === `${table.list}-${index}`)
  const isDown = query.get(wayName) === 'down'
  const columns = table.columns.map((column, index): Column => {
    // Its page knows its own.
    if (column.sorted !== undefined) return column
    const way = index !== chosen ? 'none' : isDown ? 'descending' : 'ascending'
    const by = { [byName]: `${table.list}-${index}`, [wayName]: way === 'ascending' ? 'down' : 'up' }
    return { ...column, sorted: { href: linkTo(path, kept, by), way, isOfAll: true } }
  })
  if (chosen === -1) return { ...table, columns }
  const compare = comparison(view)
  const rows = table.rows.toSorted((left, right) => {
    const [one, other] = [left[chosen] ?? null, right[chosen] ?? null]
    // What is not there comes last, both ways.
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return (isDown ? -1 : 1) * compare(one, other)
  })
  return { ...table, columns, rows }
}

function comparison(view: View): (one: Exclude<Cell, null>, other: Exclude<Cell, null>) => number {
  const collator = new Intl.Collator(view.language, { numeric: true, sensitivity: 'base' })
  return (one, other) => {
    const [left, right] = [asText(one), asText(other)]
    if (left.figure !== undefined && right.figure !== undefined) return byAmount(left.figure, right.figure)
    if (left.time !== undefined && right.time !== undefined) return compareTexts(left.time, right.time)
    return collator.compare(say(left.text, view), say(right.text, view))
  }
}

function asText(cell: Exclude<Cell, null>): Text {
  return typeof cell === 'object' ? cell : { text: cell }
}

type Figure = NonNullable<Text['figure']>

/** Amounts of several currencies stand by their currency first: no rate is behind an order of them. */
function byAmount(one: Figure, other: Figure): number {
  return compareTexts(one.currency, other.currency) || Number(one.amount) - Number(other.amount)
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
