/** What the core's thread and a front's thread send each other: data alone. */
import type { Topic } from '../../persistence/store.ts'
import type { ExitCode } from '../exit-codes.ts'
import type { LogTarget } from '../log.ts'
import type { Settings } from '../settings/config.ts'
import type { FrontFacts } from './application.ts'
import type { FrontTimes } from './front.ts'
import type { Call, Reply } from './port.ts'

/** What a thread begins with. */
export interface FrontTask {
  http: Settings['http']
  log: LogTarget
  /** Where a clock is set that is not this machine's. */
  clock: SharedArrayBuffer | null
  /** How far a sandbox's clock is ahead of it; `null` where it is the node's own. */
  ahead: SharedArrayBuffer | null
  /** See `shared-state.ts`. */
  state: SharedArrayBuffer
}

/** What it serves with, once the core is open. */
export interface FrontWork {
  facts: FrontFacts
  /** The database's. */
  file: string
}

export type ToFront =
  | { kind: 'serve'; work: FrontWork }
  | { kind: 'replies'; replies: readonly Reply[] }
  | { kind: 'wake'; topics: readonly Topic[] }
  | { kind: 'metrics' }
  | { kind: 'stop'; times: FrontTimes }

export type FromFront =
  | { kind: 'listening'; port: number }
  /** A CommandError: it cannot listen. */
  | { kind: 'refused'; exitCode: ExitCode; message: string; hint: string | null }
  | { kind: 'serving' }
  | { kind: 'calls'; calls: readonly Call[] }
  | { kind: 'metrics'; text: string }
