/** The front of a node, as its core sees it: on the core's own thread, or on one of its own. */
import type { Logger } from 'pino'
import type { NodeClock } from '../../actors/condition/clock-watch.ts'
import type { Limits } from '../../http/limits/limits.ts'
import type { Core } from '../core.ts'
import type { StopTimes } from '../listeners.ts'
import type { LogTarget } from '../log.ts'
import type { Settings } from '../settings/config.ts'
import type { FrontFacts } from './application.ts'
import type { CoreCalls } from './core-calls.ts'

export interface FrontOptions {
  settings: Settings
  clock: NodeClock
  log: Logger
  /** Where another thread writes what `log` has of this one: standard error unless said otherwise. */
  logTarget?: LogTarget
  /** What one caller may ask; by the settings unless said otherwise. */
  limits?: Limits
}

/** What a front is given once the core is open. */
export interface FrontService {
  facts: FrontFacts
  core: Pick<Core, 'store' | 'condition' | 'drainWatch' | 'clockWatch'>
  calls: CoreCalls
}

export interface Front {
  /** Of the public listener. */
  readonly port: number
  /** To be called after each commit, before anybody is answered; says whether it has changed a reference table. */
  committed(isOfReference: boolean): void
  /** Until then everybody is told that the node is not ready. */
  serve(service: FrontService): Promise<void>
  /** What it has counted, in the form that Prometheus reads. */
  metrics(): Promise<string>
  /** Answers what is under way, then ends. */
  stop(times: FrontTimes): Promise<void>
}

export type FrontTimes = Pick<StopTimes, 'acceptMs' | 'graceMs'>
