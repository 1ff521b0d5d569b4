/**
 * The deposit scanner of one chain: page after page of final deposits, each recorded in one step with the cursor
 * that stands behind it. Whatever happens in between, a page is recorded whole or read again.
 */
import type { ChainDepositPage } from '../../chain/chain-deposits.ts'
import type { Instant } from '../../machines/time.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { ChainProblem, ChainStanding } from './chain-standing.ts'
import type { LostPlaces } from './lost-places.ts'
import type { TreasuryReading } from './treasuries.ts'

export interface ChainDepositScannerOptions {
  readonly reading: Pick<TreasuryReading, 'startCursor' | 'deposits' | 'unplacedIn' | 'strangersIn'>
  readonly clock: { now(): Instant }
  readonly standing: ChainStanding
  /** The pause between two looks. */
  readonly pollMs: number
  /** How far the chain was read; `null` when it never was. */
  cursor(): Promise<string | null>
  /** Reading begins here, unless somebody has begun meanwhile. */
  begin(cursor: string): Promise<void>
  /** Records a page that was read from `from`, unless somebody has moved the cursor meanwhile. */
  record(page: ChainDepositPage, from: string): Promise<void>
  readonly lost: Pick<LostPlaces, 'find'>
  /** Of these treasuries those that open orders name. */
  namedByOrders(treasuries: readonly string[]): Promise<readonly string[]>
  /** Where former treasuries are listed, for what an operator is told. */
  readonly setting: string
}

/** Nothing is payable before reading has begun, so that it begins soon after an outage. */
const maxPauseMs = 10_000

export function createChainDepositScanner(options: ChainDepositScannerOptions) {
  const { reading, clock, standing, pollMs } = options

  return async function pass(): Promise<PassResult> {
    const from = await options.cursor()
    const unplaced = reading.unplacedIn(from)
    if (from === null || unplaced.length > 0) return await begin(from, unplaced)
    const page = await reading.deposits(from)
    if (!page.ok) return { more: false, nextAt: standing.failed('deposits', page.failure) }
    const unread = await unreadIn(from)
    // Something may be missing of what nobody reads here: no order ends by what was read.
    await options.record(unread === null ? page.value : { ...page.value, scannedTo: null }, from)
    const problem = page.value.problem ?? unread
    const { deposits, more, scannedTo } = page.value
    if (problem !== null) return { more, nextAt: standing.failed('deposits', problem) }
    standing.answered('deposits')
    const seen = { deposits: deposits.length, ...(scannedTo === null ? {} : { scannedTo }) }
    return { more, nextAt: clock.now() + pollMs, seen }
  }

  async function begin(from: string | null, unplaced: readonly string[]): Promise<PassResult> {
    const known = await options.lost.find({ treasuries: unplaced, isAll: from === null })
    const start = known.ok ? await reading.startCursor(from, known.value) : known
    if (!start.ok) return { more: false, nextAt: standing.failed('deposits', start.failure, maxPauseMs) }
    if (from === null) await options.begin(start.value)
    else await options.record({ deposits: [], cursor: start.value, more: true, scannedTo: null }, from)
    return { more: true }
  }

  /** Another node offers treasuries that these settings do not know: only one that knows them all should read. */
  async function unreadIn(cursor: string): Promise<ChainProblem | null> {
    const strangers = reading.strangersIn(cursor)
    const named = strangers.length === 0 ? [] : await options.namedByOrders(strangers)
    if (named.length === 0) return null
    const message =
      `Open orders name the treasury ${named.join(', ')}, which this node does not read. ` +
      `List it in ${options.setting} on every node, and restart this one.`
    return { kind: 'refused', endpoint: 'this node', message, retryAfterMs: null }
  }
}
