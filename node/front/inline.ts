/** The front on the thread of the core: what it asks is called, and what it reads is the store's. */
import type { Logger } from 'pino'
import { createLimits, type Limits } from '../../http/limits/limits.ts'
import type { Core } from '../core.ts'
import type { StopTimes } from '../listeners.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Settings } from '../settings/config.ts'
import { createFrontApplication, type FrontFacts } from './application.ts'
import type { CoreCalls } from './core-calls.ts'
import { openPublicListener } from './listener.ts'

/** What a front is given once the core is open. */
export interface FrontService {
  facts: FrontFacts
  core: Pick<Core, 'store' | 'condition' | 'drainWatch' | 'clockWatch'>
  calls: CoreCalls
  metrics: Pick<Metrics, 'observe'>
}

export interface Front {
  /** Of the public listener. */
  readonly port: number
  /** Until then everybody is told that the node is not ready. */
  serve(service: FrontService): Promise<void>
  /** Answers what is under way, then ends. */
  stop(times: Pick<StopTimes, 'acceptMs' | 'graceMs'>): Promise<void>
}

export interface FrontOptions {
  settings: Settings
  clock: { now(): number }
  log: Logger
  /** What one caller may ask; by the settings unless said otherwise. */
  limits?: Limits
}

/** @throws CommandError with exit code 5. */
export async function openInlineFront(options: FrontOptions): Promise<Front> {
  const { settings, clock, log, limits = createLimits(settings.limits) } = options
  const listener = await openPublicListener({ http: settings.http, clock, log })
  const { addresses } = listener
  return {
    port: listener.port,
    async serve({ facts, core, calls, metrics }) {
      const { store, drainWatch, clockWatch } = core
      const conditions = { isDrained: drainWatch.isDrained, mayExpire: clockWatch.isTrusted }
      const { observe } = metrics
      const parts = { facts, conditions, calls, store, clock, log, limits, addresses, observe }
      listener.serve(createFrontApplication(parts), limits)
    },
    stop: listener.stop,
  }
}
