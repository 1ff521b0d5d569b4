/** The workers of a node's chains, with the settings that they go by. */
import type { Logger } from 'pino'
import { type ChainWorkers, createChainWorkers } from '../actors/chains/workers.ts'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import type { NodeChains } from './chains.ts'
import type { Core } from './core.ts'
import type { Settings } from './settings/config.ts'

/** A chain that is on has its settings; the adapters were opened with them. */
const usualPollSeconds = 5

export function chainWorkersOf(
  { settings, log }: { settings: Settings; log: Logger },
  core: Core,
  clock: NodeClock,
  treasuries: NodeChains['treasuries'],
): ChainWorkers {
  const { store, chains, condition, clockWatch, journalKey, urls } = core
  return createChainWorkers({
    store,
    chains,
    book: core.deposits,
    treasuriesOf(name) {
      const found = treasuries.get(name)
      if (found === undefined) throw new Error(`the chain ${name} is on without a treasury`)
      return found
    },
    clock,
    condition,
    clockWatch,
    journalKey,
    checkoutUrl: urls.checkoutUrl,
    log,
    pollMs: (name) => 1000 * (settings.chains[name]?.pollSeconds ?? usualPollSeconds),
  })
}
