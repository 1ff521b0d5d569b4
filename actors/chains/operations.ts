/** How far each blockchain has been read. */

import type { Chains } from '../../chain/chain.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { chainCursors } from '../../persistence/queries/foreign-orders.ts'
import type { Condition } from '../condition/condition.ts'
import { defineOperation, type OperationContext } from '../foundation/operation.ts'

/** What the operations on chains need of the node. */
export interface ChainContext extends OperationContext {
  /** Those that a running node has on; none for a command that works on the database itself. */
  chains: Chains
  condition: Condition
}

export interface ChainLag {
  chain: string
  /** When it was last read; `null` when it never was. */
  readAt: string | null
  /** Time of the chain before which no deposit can be missing. */
  scannedTo: string | null
  /** How far that is behind this node's clock. */
  lagSeconds: number | null
  /** What its workers are in trouble with; a stopped node has none. */
  problem: string | null
}

export const chainLag = defineOperation({
  name: 'chain.lag',
  summary: 'Show how far each blockchain has been read, and what is in the way.',
  fields: {},
  isRead: true,
  async run({ store, chains, clock, condition }: ChainContext): Promise<{ chains: readonly ChainLag[] }> {
    const { reasons } = condition.getSnapshot().context
    const cursors = new Map((await store.query(chainCursors, {})).map((row) => [row.blockchain, row]))
    const names = new Set([...chains.keys(), ...cursors.keys()])
    const instant = (at: Instant | null | undefined) => (at == null ? null : formatInstant(at))
    return {
      chains: [...names].map((chain) => {
        const { read_at: readAt = null, scanned_to_at: scannedTo = null } = cursors.get(chain) ?? {}
        return {
          chain,
          readAt: instant(readAt),
          scannedTo: instant(scannedTo),
          lagSeconds: scannedTo === null ? null : Math.round((clock.now() - scannedTo) / 1000),
          problem: reasons[`chain:${chain}`] ?? null,
        }
      }),
    }
  },
})
