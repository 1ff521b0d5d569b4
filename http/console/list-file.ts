/**
 * Any list of the console as a table for a spreadsheet: what is seen, page after page, as whoever asks may see it. Amounts are numbers
 * with their currency beside them, times are UTC (ISO 8601), and ids are whole. Like all files it is the same in every language.
 */
import { setImmediate } from 'node:timers/promises'
import type { Context } from 'koa'
import { type Cell as CsvCell, csvHead, csvRows } from '../../actors/foundation/csv-table.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import type { Console, Visitor } from './answer.ts'
import { pageAt } from './answer-page.ts'
import type { Block, Cell, Text } from './blocks.ts'
import { ownPath } from './forms.ts'
import { withoutIsolates } from './isolated.ts'
import { maxLines } from './list-links.ts'
import type { PageRequest } from './page.ts'
import { say, type View, viewFor } from './view.ts'

/** Of a list that goes on over pages: fewer readings than a page's length would take, and none that others wait for. */
const linesAtOnce = 250

export interface Answering {
  console: Console
  context: Context
  visitor: Visitor
}

type Table = Extract<Block, { kind: 'table' }>

/**
 * A part a page of the list, so that none of it waits for the rest, and other requests are served between them.
 * @throws OperationError with the first part, so that what is refused is no file
 */
export async function* listFile(
  { query }: Pick<PageRequest, 'query'>,
  { console, context, visitor: { session } }: Answering,
): AsyncGenerator<string> {
  const view = viewFor({ language: 'en', timeZone: null }, '')
  const list = query.get('list') ?? ''
  let at: string | null = ownPath(query.get('page') ?? '', '/')
  let left = maxLines
  let kinds: readonly boolean[] | null = null
  while (at !== null && left > 0) {
    const blocks = await blocksAt(console, context, session, at)
    assertFound(blocks)
    const table = blocks.find((block): block is Table => block.kind === 'table' && block.list === list)
    if (table === undefined) throw new OperationError('not_found', 'There is no such list.')
    const rows = table.rows.slice(0, left)
    const isFirst = kinds === null
    kinds ??= table.columns.map((_, index) => rows.some((row) => hasCurrency(row[index])))
    const head = isFirst ? csvHead(headOf(table, kinds, view)) : ''
    yield head + csvRows(rows.map((row) => rowOf(row, kinds ?? [], view)))
    // SQLite answers at once, so that without it nobody else would be served until the last page.
    await setImmediate()
    left -= rows.length
    at = nextOf(blocks)
  }
}

async function blocksAt(
  console: Console,
  context: Context,
  session: Visitor['session'],
  path: string,
): Promise<readonly Block[]> {
  const shown = await pageAt(console, context, session, new URL(path, 'http://console'), linesAtOnce)
  return shown?.view.blocks ?? []
}

/** Of a filter that is wrong the page says so, and shows nothing; a file would say that there is nothing. */
function assertFound(blocks: readonly Block[]): void {
  const isWrong = blocks.some(
    (block) => block.kind === 'filters' && block.fields.some(({ problem }) => problem !== undefined),
  )
  if (isWrong) throw new OperationError('invalid', 'A filter of the list is wrong: its page says which.')
}

function nextOf(blocks: readonly Block[]): string | null {
  const next = blocks.find((block): block is Extract<Block, { kind: 'next' }> => block.kind === 'next')
  return next?.href ?? null
}

/** An amount has its currency beside it. */
function headOf({ columns }: Table, hasCurrencies: readonly boolean[], view: View): string[] {
  return columns.flatMap(({ label }, index) => {
    const said = say(label, view)
    return hasCurrencies[index] ? [said, say(({ common }) => common.currency, view)] : [said]
  })
}

function rowOf(row: readonly Cell[], hasCurrencies: readonly boolean[], view: View): CsvCell[] {
  return hasCurrencies.flatMap((isMoney, index) => {
    const cell = row[index] ?? null
    const value = fileCell(cell, view)
    return isMoney ? [value, currencyOf(cell)] : [value]
  })
}

const asText = (cell: Cell): Text | null =>
  cell === null ? null : typeof cell === 'string' || typeof cell === 'function' ? { text: cell } : cell

function hasCurrency(cell: Cell | undefined): boolean {
  return currencyOf(cell ?? null) !== ''
}

function currencyOf(cell: Cell): string {
  return asText(cell)?.figure?.currency ?? ''
}

function fileCell(cell: Cell, view: View): CsvCell {
  const shown = asText(cell)
  if (shown === null) return ''
  const { time, figure, bare, isCode, title, text, note } = shown
  if (bare !== undefined) return bare
  if (time !== undefined) return time
  if (figure !== undefined) return { number: figure.amount }
  // What is shown of an id are its last digits.
  const said = withoutIsolates(say(isCode && title !== undefined ? title : text, view))
  const more =
    note === undefined ? '' : withoutIsolates(say(typeof note === 'object' ? note.text : note, view))
  return more === '' ? said : `${said} (${more})`
}
