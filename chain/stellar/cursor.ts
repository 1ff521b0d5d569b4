/** How far the deposits have been read: a JSON text that only this adapter understands. */
import type { Instant } from '../../machines/time.ts'

/** An operation by its paging token, which orders all operations of the chain, and its transaction. */
export interface Anchor {
  readonly token: string
  readonly transactionId: string
}

export interface Cursor {
  /** Every operation up to this paging token is stored. */
  readonly after: string
  /** The newest operation of the treasury that is known: an answer that begins with it has no gap. */
  readonly anchor: Anchor | null
  /** Every ledger up to this one has been read, and its close time; `null` before a first pass. */
  readonly ledger: number
  readonly readTo: Instant | null
  /** A head that was named, and is believed once it is deeper than the members of a pool disagree. */
  readonly head: { readonly ledger: number; readonly at: Instant }
}

export function writeCursor(cursor: Cursor): string {
  return JSON.stringify(cursor)
}

/** Throws on a text that no version of this adapter has written: the database holds something else. */
export function readCursor(text: string): Cursor {
  const cursor: unknown = JSON.parse(text)
  if (!isCursor(cursor)) throw new Error(`not a cursor of Stellar: ${text.slice(0, 100)}`)
  return cursor
}

function isCursor(value: unknown): value is Cursor {
  return (
    typeof value === 'object' &&
    value !== null &&
    'after' in value &&
    typeof value.after === 'string' &&
    /^\d+$/.test(value.after) &&
    'anchor' in value &&
    'ledger' in value &&
    typeof value.ledger === 'number' &&
    'readTo' in value &&
    'head' in value
  )
}

/** The ledger of a paging token: ledger, transaction and operation in 32, 20 and 12 bits. */
export function ledgerOf(token: string): number {
  return Number(BigInt(token) >> 32n)
}

/** The place of an operation in its transaction, from 0. */
export function operationIndex(token: string): number {
  return Number(BigInt(token) & 0xfffn) - 1
}

/** Behind every operation of a ledger. */
export function endOf(ledger: number): bigint {
  return (BigInt(ledger + 1) << 32n) - 1n
}
