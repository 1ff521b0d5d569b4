/**
 * The watch of one chain's latest blocks, that are not final yet: an order whose money is on its way is offered no
 * further transaction, and is offered one again when the money has vanished. Nothing is credited for a sighting.
 */

import type { ChainAdapter } from '../../chain/chain.ts'
import type { ChainDeposit } from '../../chain/chain-deposits.ts'
import type { Instant } from '../../machines/time.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { ChainStanding } from './chain-standing.ts'

export interface SightingsOptions {
  readonly chain: Pick<ChainAdapter, 'unfinalizedChainDeposits'>
  readonly clock: { now(): Instant }
  readonly standing: ChainStanding
  readonly pollMs: number
  /** Whether any order can still be paid, or has money on its way. */
  isWatched(now: Instant): Promise<boolean>
  /** Takes all that is not final yet: what is no longer among it has become final, or has vanished. */
  mark(deposits: readonly ChainDeposit[]): Promise<void>
}

export function createSightings(options: SightingsOptions) {
  const { chain, clock, standing, pollMs } = options

  return async function pass(): Promise<PassResult> {
    const next = { more: false, nextAt: clock.now() + pollMs }
    if (!(await options.isWatched(clock.now()))) {
      standing.answered('sightings')
      return next
    }
    const read = await chain.unfinalizedChainDeposits()
    if (!read.ok) return { more: false, nextAt: standing.failed('sightings', read.failure) }
    await options.mark(read.value)
    standing.answered('sightings')
    return { ...next, seen: { notFinalYet: read.value.length } }
  }
}
