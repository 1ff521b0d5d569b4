/** How far each chain has been read. */
import type { ChainDepositPage } from '../../chain/chain-deposits.ts'
import type { Instant } from '../../machines/time.ts'
import { type Decision, row, type Store, type Write } from '../../persistence/store.ts'

/** `superseded`: the stored cursor is another one than the page was read from. */
export type CursorMove = 'recorded' | 'superseded'

/** Nothing where reading has begun already. */
export async function beginReading(store: Store, blockchain: string, cursor: string): Promise<void> {
  await store.step({
    rows: { present: row('chain_cursors', { blockchain }) },
    decide: ({ present }, at): Decision<null> => {
      if (present !== null) return { answer: null, writes: [] }
      const values = { blockchain, cursor, scanned_to_at: null, read_at: at }
      return { answer: null, writes: [{ insert: 'chain_cursors', values }] }
    },
  })
}

/** Moves on from `from`; `superseded` where somebody else has moved it meanwhile. */
export async function moveCursor(
  store: Store,
  blockchain: string,
  from: string,
  { cursor, scannedTo }: ChainDepositPage,
): Promise<CursorMove> {
  const result = await store.step({
    rows: { present: row('chain_cursors', { blockchain }) },
    decide: ({ present }, at): Decision<CursorMove> => {
      if (present === null || present.cursor !== from) return { answer: 'superseded', writes: [] }
      const scanned_to_at = laterOf(present.scanned_to_at, scannedTo)
      const set = { cursor, scanned_to_at, read_at: at }
      const write: Write = { update: 'chain_cursors', key: { blockchain }, set }
      return { answer: 'recorded', writes: [write], wake: ['orders'] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A cursor violated ${result.constraint}.`)
  return result.answer
}

function laterOf(known: Instant | null, read: Instant | null): Instant | null {
  if (known === null || read === null) return known ?? read
  return Math.max(known, read)
}
