/** How far the deposits have been read: a JSON text that only this adapter understands. */
import type { Instant } from '../../machines/time.ts'

/** A place among signatures in the order they are handed over. */
export interface Place {
  readonly slot: number
  readonly signature: string
}

/** One reading from the floor to the head, which may take several pages. */
export interface Pass {
  /** What the floor becomes at its end. */
  readonly target: number
  readonly readTo: Instant | null
  readonly after: Place
}

export interface Cursor {
  /** Everything up to this slot has been read, deeper than the back ends of a pool disagree. */
  readonly floor: number
  /** Chain time of the floor. */
  readonly readTo: Instant | null
  /** For each token account the newest slot known to hold one of its transactions, not above the floor. */
  readonly anchors: Readonly<Record<string, number>>
  /** Balances of token accounts outside the settings, when they were last looked at, as of this slot. */
  readonly others: Readonly<Record<string, string>>
  readonly othersFloor: number
  readonly pass: Pass | null
}

export function writeCursor(cursor: Cursor): string {
  return JSON.stringify(cursor)
}

/** Throws on a text that no version of this adapter has written: the database holds something else. */
export function readCursor(text: string): Cursor {
  const cursor: unknown = JSON.parse(text)
  if (!isCursor(cursor)) throw new Error(`not a cursor of Solana: ${text.slice(0, 100)}`)
  return cursor
}

function isCursor(value: unknown): value is Cursor {
  return (
    typeof value === 'object' &&
    value !== null &&
    'floor' in value &&
    typeof value.floor === 'number' &&
    'anchors' in value &&
    'others' in value &&
    'othersFloor' in value &&
    'pass' in value
  )
}

/** The order in which signatures are handed over: stable over listings, restarts and endpoints. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.slot !== b.slot) return a.slot - b.slot
  return a.signature < b.signature ? -1 : a.signature > b.signature ? 1 : 0
}
