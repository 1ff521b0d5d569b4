/**
 * What a node is made of once its core is open: what the public listener asks of it, and the workers, without listeners. Whoever
 * has other ways to it than sockets, such as the simulator, puts it together in the same way.
 */
import type { Anchoring } from '../actors/anchors/anchoring.ts'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import { chainWorkersOf } from './chain-workers.ts'
import type { NodeChains } from './chains.ts'
import type { Core } from './core.ts'
import type { FrontFacts } from './front/application.ts'
import { type CoreCalls, createCoreCalls } from './front/core-calls.ts'
import { pingSender, startWorkers, type WorkersOptions } from './node-workers.ts'
import { targetRules } from './webhook-rules.ts'

/** Clients give up after 15 s. */
const pingMs = 10_000

export type AssemblyOptions = WorkersOptions

export interface AssemblyParts {
  treasuries: NodeChains['treasuries']
  anchoring: Anchoring
}

export interface Assembly {
  calls: CoreCalls
  /** Starts the workers: to be called once requests are served. */
  start(): ReturnType<typeof startWorkers>
}

export function assemble(
  options: AssemblyOptions,
  core: Core,
  clock: NodeClock,
  { treasuries, anchoring }: AssemblyParts,
): Assembly {
  const { settings, exemptOrigins = {} } = options
  const chains = chainWorkersOf(options, core, clock, treasuries)
  const pinging = {
    sender: pingSender(options, core, pingMs),
    rulesFor: targetRules(settings, exemptOrigins, core.sandbox?.isInbox),
  }
  return {
    calls: createCoreCalls(settings, core, clock, chains.fresh, pinging),
    start: () => startWorkers(options, core, clock, { chains, anchoring }),
  }
}

export function frontFacts({ settings, exemptOrigins = {} }: AssemblyOptions, core: Core): FrontFacts {
  const assets = [...core.chains].flatMap(([blockchain, { assets }]) =>
    assets.map(({ symbol, decimals }) => [`${blockchain} ${symbol}`, decimals] as const),
  )
  const { publicUrl, checkoutUrl } = core.urls
  const { chainExpiry } = core.orders
  return {
    settings,
    publicUrl,
    checkoutUrl,
    exemptOrigins,
    chainExpiry,
    assets: new Map(assets),
    inboxKey: core.sandbox?.inboxKey ?? null,
  }
}
