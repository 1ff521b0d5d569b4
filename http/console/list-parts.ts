/** Tables whose rows are all on the page, part by part. What comes page by page is cut where it is read. */
import type { Block } from './blocks.ts'
import { linkTo } from './cells.ts'
import type { PageRequest } from './page.ts'

type Table = Extract<Block, { kind: 'table' }>

/** Two such parts, each with a column for every balance, are on a page of 60 KB. */
export const partLines = 30

/** Of an address: `merchants-after=30`. */
export const partName = (list: string) => `${list}-after`

export function withParts(
  { query, lines }: Pick<PageRequest, 'query' | 'lines'>,
  path: string,
  blocks: readonly Block[],
): readonly Block[] {
  // A file has all of it.
  if (lines !== null) return blocks
  const readInParts = new Set(
    blocks.flatMap((block, index) =>
      block.kind === 'next' ? (lastTable(blocks.slice(0, index)) ?? []) : [],
    ),
  )
  const tables = blocks.filter(isTable)
  return blocks.flatMap((block) => {
    if (!isTable(block) || block.rows.length <= partLines || readInParts.has(block)) return block
    const name = partName(block.list ?? `table${tables.indexOf(block) + 1}`)
    return partOf(block, startOf(query.get(name), block.rows.length), (after) =>
      linkTo(path, query, { [name]: String(after) }),
    )
  })
}

function partOf(table: Table, start: number, href: (after: number) => string): Block[] {
  const all = table.rows.length
  const end = Math.min(start + partLines, all)
  return [
    { ...table, rows: table.rows.slice(start, end) },
    {
      kind: 'next',
      part: ({ lists }, { number }) => lists.linesOf(number(start + 1), number(end), number(all)),
      before: start === 0 ? null : href(start - partLines),
      href: end === all ? null : href(end),
    },
  ]
}

/** @returns a multiple of `partLines` */
function startOf(text: string | null, all: number): number {
  const after = /^\d{1,7}$/.test(text ?? '') ? Number(text) : 0
  return Math.floor(Math.min(after, all - 1) / partLines) * partLines
}

const isTable = (block: Block): block is Table => block.kind === 'table'

const lastTable = (blocks: readonly Block[]) => blocks.findLast(isTable)
