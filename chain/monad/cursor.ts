/** How far the deposits have been read: a JSON text that only this adapter understands. */
import type { Instant } from '../../machines/time.ts'

export interface Cursor {
  /** Every block up to this one has been read, deeper than the back ends of a pool disagree. */
  readonly settled: number
  /** Where the next page begins; behind `settled` while the latest blocks take several pages. */
  readonly read: number
  /** Chain time before which nothing can be missing. */
  readonly readTo: Instant
  /** Counts the pages with deposits, so that a cursor says which of them its caller has stored. */
  readonly pages: number
}

export function writeCursor(cursor: Cursor): string {
  return JSON.stringify(cursor)
}

/** Throws on a text that no version of this adapter has written: the database holds something else. */
export function readCursor(text: string): Cursor {
  const cursor: unknown = JSON.parse(text)
  if (!isCursor(cursor)) throw new Error(`not a cursor of Monad: ${text.slice(0, 100)}`)
  return cursor
}

function isCursor(value: unknown): value is Cursor {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['settled', 'read', 'readTo', 'pages'].every((name) => Number.isSafeInteger(Reflect.get(value, name)))
  )
}
