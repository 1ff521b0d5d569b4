/** Looks at the health of each chain, and lets the clock watch hear what its endpoints say of the time. */

import type { Chains } from '../../chain/chain.ts'
import type { Blockchain } from '../../machines/blockchains.ts'
import type { ClockWatch } from '../condition/clock-watch.ts'
import type { PassResult } from '../foundation/worker.ts'
import type { ChainStanding } from './chain-standing.ts'

export interface HealthOptions {
  readonly chains: Chains
  readonly standings: ReadonlyMap<Blockchain, ChainStanding>
  readonly clockWatch: Pick<ClockWatch, 'hear'>
}

export function createChainHealth({ chains, standings, clockWatch }: HealthOptions) {
  return async function pass(): Promise<PassResult> {
    const all = await Promise.all(
      [...chains.values()].map(async (chain) => [chain, await chain.health()] as const),
    )
    const seen: Record<string, number> = {}
    for (const [{ blockchain }, { ok, endpoint, problems, lagMs }] of all) {
      const standing = standings.get(blockchain)
      const [message = `${endpoint} cannot be used.`] = problems
      if (ok) standing?.answered('health')
      else standing?.failed('health', { kind: 'unavailable', endpoint, message, retryAfterMs: null })
      if (lagMs !== null) seen[`lagMs:${blockchain}`] = lagMs
    }
    await clockWatch.hear(all.flatMap(([, { clockOffsetMs }]) => clockOffsetMs ?? []))
    return { more: false, seen }
  }
}
