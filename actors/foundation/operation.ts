/**
 * Operations: what an operator may ask of the node. Each exists once, and is reached over the operator
 * listener, from the command line with the node running, and with it stopped.
 */
import type { Store } from '../../persistence/store.ts'
import type { Clock } from './clock.ts'
import { type Fields, type InputOf, schemaOf } from './fields.ts'

/** What every operation is given; one that needs more of the node says so in its own context. */
export interface OperationContext {
  store: Store
  clock: Clock
  /** Chains the journals. */
  journalKey: string
  /** Who asks, for journal and audit log. */
  operator: string
}

/** JSON Schema (draft 2020-12) of an operation's input. */
export type InputSchema = Readonly<Record<string, unknown>>

/** A form, in words: its fields are the operation's. */
export interface Offer {
  readonly title: string
  readonly lead?: string
  readonly button: string
  readonly isDanger?: boolean
  /** Names of those that are asked for, in their order. */
  readonly fields: readonly string[]
  /** Of fields that have a better label for what is shown. */
  readonly labels?: Readonly<Record<string, string>>
  /** What is not asked for, since it is known. */
  readonly known?: Readonly<Record<string, string>>
}

interface Described<Input, Output, Context extends OperationContext, Name extends string> {
  /** `noun.verb`, for example `order.cancel`. */
  readonly name: Name
  /** One sentence, shown in help. */
  readonly summary: string
  /** Whole command lines for its help, without the program's name. */
  readonly examples?: readonly string[]
  /** What the console says once it is done. Without it, its form is answered by a page of its own. */
  readonly done?: string
  /** It was asked for, and may still fail: it is no success yet. */
  readonly isOnlyBegun?: true
  /** Its form on the page of what it answers; `null` while that cannot be asked. */
  offer?(shown: Output): Offer | null
  /** Whether it only reads: such operations are not audited. */
  readonly isRead: boolean
  /** @throws OperationError */
  run(context: Context, input: Input): Promise<Output>
  /** What viewers are answered, where that is not all of it: codes are worth cash, and bodies name consumers. */
  forViewers?(output: Output): Output
  /** What the audit log keeps of the input, where that is not all of it: no secret may be in it. */
  audited?(input: Input): unknown
  /** What an approval keeps of the input, where that is more than the audit log keeps: no secret may be in it. */
  kept?(input: Input): unknown
  /** What the audit log says of how it went, besides that it was done: no secret may be in it. */
  concluded?(output: Output): string
}

/** @typeParam Context what it needs of the node: a subject names its own parts, and whoever performs it has them all. */
export interface Operation<
  Input,
  Output,
  Context extends OperationContext = OperationContext,
  Name extends string = string,
> extends Described<Input, Output, Context, Name> {
  /** The members of its input. */
  readonly fields: Fields
  /** Those that are arguments of its command, in their order; the others are options. */
  readonly arguments: readonly string[]
  /** What its input has to pass before it is run. */
  readonly input: InputSchema
}

/** An operation of what is described; its input's type and schema follow from its fields. */
export function defineOperation<
  Members extends Fields,
  Output,
  const Name extends string,
  Context extends OperationContext = OperationContext,
>(
  described: Described<InputOf<Members>, Output, Context, Name> & {
    readonly fields: Members
    readonly arguments?: readonly (keyof Members & string)[]
  },
): Operation<InputOf<Members>, Output, Context, Name> {
  return { arguments: [], ...described, input: schemaOf(described.fields) }
}

/** `node.acceptRestore` is `node accept-restore` to those who write commands and paths. */
export function wordsOf({ name }: { name: string }): string[] {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split('.')
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
  /** Whoever asks may, once they have proved their second factor again. */
  | 'unproved'
  /** Somebody else has to approve it, and is asked to; nothing was done. */
  | 'asked'

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
