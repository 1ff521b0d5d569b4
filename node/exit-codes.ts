/**
 * How a command ends when it fails: one number for each cause, so that a supervisor can tell which a restart
 * may cure.
 */
export const exitCodes = {
  /** Anything else. */
  failure: 1,
  /** Usage or settings. */
  usage: 2,
  /** The database, or its lock. */
  database: 3,
  /** A key file. */
  key: 4,
  /** A port that cannot be listened on. */
  port: 5,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What an operator reads when a command fails: the thing and the cause, and in `hint` the next step. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  readonly hint: string | null

  constructor(exitCode: ExitCode, message: string, hint: string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.hint = hint
  }
}

/** The command has failed, and has said so itself. */
export class AlreadyTold extends CommandError {
  constructor() {
    super(exitCodes.failure, 'The command has failed.')
    this.name = 'AlreadyTold'
  }
}
