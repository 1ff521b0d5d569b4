/** Pages of lists: the newest first, and a cursor that stays right while items are being added. */
import type { PageEnd, PageRequest } from '../../persistence/queries/operations.ts'
import { flag, type InputOf, optional, text, wholeNumber } from './fields.ts'
import { OperationError } from './operation.ts'

type PageInput = InputOf<typeof pageFields> & { oldestFirst?: boolean }

/** Members of an input. */
export const pageFields = {
  limit: optional(
    wholeNumber({
      description: 'At most this many; 100 by default.',
      minimum: 1,
      maximum: 1000,
      option: ['--limit <number>', 'at most this many (100)'],
    }),
  ),
  cursor: optional(
    text({
      description: 'The `next` of the previous page.',
      option: ['--cursor <next>', 'continue after the previous page'],
    }),
  ),
}

/** Of a list that an index gives in both directions. */
export const bothWays = {
  oldestFirst: optional(
    flag({
      description: 'The oldest first, instead of the newest.',
      option: ['--oldest-first', 'the oldest first, instead of the newest'],
    }),
  ),
}

export interface Page<Item> {
  items: Item[]
  /** The cursor of the page after this one; `null` when there is none. */
  next: string | null
}

/**
 * Reads one page from one or more sources that each know a part of the list. One more than asked for is read,
 * to know whether there is a next page.
 */
export async function readPage<Item>(
  { limit = 100, cursor, oldestFirst = false }: PageInput,
  end: (item: Item) => PageEnd,
  sources: readonly ((page: PageRequest) => Promise<Item[]>)[],
): Promise<Page<Item>> {
  const request = { after: cursor === undefined ? null : readCursor(cursor), limit: limit + 1, oldestFirst }
  const found = await Promise.all(sources.map((source) => source(request)))
  const sign = oldestFirst ? -1 : 1
  const sorted = found.flat().sort((a, b) => sign * newestFirst(end(a), end(b)))
  const items = sorted.slice(0, limit)
  const last = items.at(-1)
  return { items, next: sorted.length > limit && last !== undefined ? writeCursor(end(last)) : null }
}

function newestFirst(a: PageEnd, b: PageEnd): number {
  return b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}

function writeCursor({ at, id }: PageEnd): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

function readCursor(cursor: string): PageEnd {
  const end = pageEndOf(cursor)
  if (end !== null) return end
  throw new OperationError('invalid', 'The cursor is not the `next` of an earlier page.', {
    hint: 'Start again without a cursor.',
  })
}

/** Where the page of a cursor ended; `null` for what is no cursor. */
export function pageEndOf(cursor: string): PageEnd | null {
  const match = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString())
  return match?.[2] === undefined ? null : { at: Number(match[1]), id: match[2] }
}
