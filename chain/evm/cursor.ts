/** How far the deposits have been read: a JSON text that only this adapter understands. */
import type { Instant } from '../../machines/time.ts'

export interface Mark {
  readonly height: number
  readonly at: Instant
}

export interface Cursor {
  /** Every block up to this one has been read when it was older than back ends disagree. */
  readonly settled: Mark
  /** Behind which block the next page begins; above `settled` while the latest blocks take several pages. */
  readonly read: number
  /** Blocks above `settled` whose times are known: one of them settles next. */
  readonly marks: readonly Mark[]
  /** Counts the pages with deposits, so that a cursor says which of them its caller has stored. */
  readonly pages: number
}

export function writeCursor(cursor: Cursor): string {
  return JSON.stringify(cursor)
}

/** Throws on a text that no version of this adapter has written: the database holds something else. */
export function readCursor(text: string): Cursor {
  const cursor: unknown = JSON.parse(text)
  if (!isCursor(cursor)) throw new Error(`not a cursor of an EVM chain: ${text.slice(0, 100)}`)
  return cursor
}

function isCursor(value: unknown): value is Cursor {
  if (typeof value !== 'object' || value === null) return false
  const { settled, read, marks, pages }: Partial<Record<keyof Cursor, unknown>> = value
  const areMarks = Array.isArray(marks) && marks.every(isMark)
  return isMark(settled) && Number.isSafeInteger(read) && areMarks && Number.isSafeInteger(pages)
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== 'object' || value === null) return false
  const { height, at }: Partial<Record<keyof Mark, unknown>> = value
  return Number.isSafeInteger(height) && Number.isSafeInteger(at)
}

/** What a page has read: whole blocks from the cursor's place on. */
export interface PageRead {
  readonly head: Mark
  readonly to: Mark
  readonly hasChainDeposits: boolean
}

/**
 * The cursor behind a page. A block settles when it has been read at a head that is `disagreementMs` later.
 * Only a page that begins where the settled blocks end can settle more of them: what an earlier page of the
 * same pass read, it read at an earlier head.
 */
export function advance(
  cursor: Cursor,
  { head, to, hasChainDeposits }: PageRead,
  disagreementMs: number,
): Cursor {
  const isNext = cursor.read === cursor.settled.height
  const end = { height: to.height, at: to.at }
  const ripe = [...cursor.marks, end].filter(
    ({ height, at }) => height <= end.height && at <= head.at - disagreementMs,
  )
  const settled = (isNext ? ripe.at(-1) : undefined) ?? cursor.settled
  return {
    settled,
    read: to.height < head.height ? to.height : settled.height,
    marks: withMark(cursor.marks, end).filter(({ height }) => height > settled.height),
    pages: cursor.pages + (hasChainDeposits ? 1 : 0),
  }
}

const markMs = 2_000

/** Marks too close to the one before them say little, and are left out. */
function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  const before = marks.findLast(({ height }) => height <= mark.height)
  if (before !== undefined && mark.at - before.at < markMs) return marks
  return [...marks, mark].toSorted((a, b) => a.height - b.height)
}
