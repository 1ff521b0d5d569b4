/**
 * Operations: what an operator may ask of the node. Each exists once, and is reached over the operator
 * listener, from the command line with the node running, and with it stopped.
 */
import type { Chains } from '../../chain/chain.ts'
import type { Store } from '../../persistence/store.ts'
import type { Backups } from '../condition/backups.ts'
import type { ClockWatch } from '../condition/clock-watch.ts'
import type { Condition } from '../condition/condition.ts'
import type { DrainWatch } from '../condition/drain-watch.ts'
import type { ChangingVault } from '../keys/changing-vault.ts'
import type { MasterKeyFile } from '../keys/master-key.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import type { Role } from '../people/roles.ts'
import type { RateBook } from '../rates/live-table.ts'
import type { Verifier } from '../verification/verifier.ts'
import type { Surroundings } from './surroundings.ts'

export interface OperationContext {
  store: Store
  orders: OrderRegistry
  vault: ChangingVault
  masterKey: MasterKeyFile
  /** Chains the journals. */
  journalKey: string
  clock: { now(): number }
  clockWatch: Pick<ClockWatch, 'show' | 'accept'>
  drainWatch: Pick<DrainWatch, 'show' | 'drain' | 'undrain'>
  condition: Condition
  verification: Verifier
  backups: Backups
  /** What its sources of rates tell, and whom it may ask. */
  rates: RateBook
  /** Those that a running node has on; none for a command that works on the database itself. */
  chains: Chains
  /** What the settings and the host say. */
  surroundings: Surroundings
  /** Who asks, for journal and audit log. */
  operator: string
}

/** JSON Schema (draft 2020-12) of an operation's input. */
export type InputSchema = Readonly<Record<string, unknown>>

export interface Operation<Input, Output> {
  /** `noun.verb`, for example `order.cancel`. */
  readonly name: string
  /** One sentence, shown in help. */
  readonly summary: string
  readonly input: InputSchema
  /** Whether it only reads: such operations are not audited. */
  readonly isRead: boolean
  /**
   * The least role that may ask for it. Unless it is said viewers may ask for what only reads, and nobody but an
   * administrator for what changes something.
   */
  readonly role?: Role
  /** What viewers are answered, where that is not all of it: codes are worth cash, and bodies name consumers. */
  forViewers?(output: Output): Output
  /** What the audit log keeps of the input, where that is not all of it: no secret may be in it. */
  audited?(input: Input): unknown
  /** What the audit log says of how it went, besides that it was done: no secret may be in it. */
  concluded?(output: Output): string
  /** @throws OperationError */
  run(context: OperationContext, input: Input): Promise<Output>
}

/** Why an operation was not done; the operator listener maps each to a status, the command line to words. */
export type OperationErrorCode =
  | 'invalid'
  | 'not_found'
  /** Somebody else changed it since the caller looked. */
  | 'conflict'
  /** Understood, and refused for the state things are in. */
  | 'refused'
  /** Whoever asks may not ask for this. */
  | 'forbidden'

export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly code: OperationErrorCode
  /** What to do about it. */
  readonly hint: string | undefined
  /** Each bad place of the input, one line each. */
  readonly details: readonly string[]

  constructor(
    code: OperationErrorCode,
    message: string,
    more: { hint?: string; details?: readonly string[] } = {},
  ) {
    super(message)
    this.code = code
    this.hint = more.hint
    this.details = more.details ?? []
  }
}
