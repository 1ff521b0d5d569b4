/**
 * The deposit scanner of one chain: page after page of final deposits, each recorded in one step with the cursor
 * that stands behind it. Whatever happens in between, a page is recorded whole or read again.
 */
import type { ChainAdapter, DepositPage } from '../../chain/chain.ts'
import type { Instant } from '../../machines/time.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { ChainStanding } from './chain-standing.ts'

export interface DepositsOptions {
  readonly chain: Pick<ChainAdapter, 'startCursor' | 'deposits'>
  readonly clock: { now(): Instant }
  readonly standing: ChainStanding
  /** The pause between two looks. */
  readonly pollMs: number
  /** How far the chain was read; `null` when it never was. */
  cursor(): Promise<string | null>
  /** Reading begins here, unless somebody has begun meanwhile. */
  begin(cursor: string): Promise<void>
  /** Records a page that was read from `from`, unless somebody has moved the cursor meanwhile. */
  record(page: DepositPage, from: string): Promise<void>
}

/** Nothing is payable before reading has begun, so that it begins soon after an outage. */
const maxPauseMs = 10_000

export function createDepositScanner(options: DepositsOptions) {
  const { chain, clock, standing, pollMs } = options

  return async function pass(): Promise<PassResult> {
    const from = await options.cursor()
    if (from === null) {
      const start = await chain.startCursor()
      if (!start.ok) return { more: false, nextAt: standing.failed('deposits', start.failure, maxPauseMs) }
      await options.begin(start.value)
      return { more: true }
    }
    const page = await chain.deposits(from)
    if (!page.ok) return { more: false, nextAt: standing.failed('deposits', page.failure) }
    await options.record(page.value, from)
    standing.answered('deposits')
    const { deposits, more, scannedTo } = page.value
    const seen = { deposits: deposits.length, ...(scannedTo === null ? {} : { scannedTo }) }
    return { more, nextAt: clock.now() + pollMs, seen }
  }
}
