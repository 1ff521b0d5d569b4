/** What all commands have in common: their options, how they reach the operations, how they answer. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Operation } from '../actors/foundation/operation.ts'
import { CommandError, exitCodes } from '../node/exit-codes.ts'
import { loadSettings, type Settings } from '../node/settings/config.ts'
import { connect, type Operations } from './connect.ts'
import type { Terminal } from './terminal.ts'

/** What every command takes. */
export interface CommonOptions {
  config?: string
  json?: boolean
  field?: string
}

export interface Description {
  summary: string
  /** Whole command lines, without the program's name. */
  examples: readonly string[]
}

/** Adds a command with the options that all have. */
export function addCommand(parent: Command, signature: string, { summary, examples }: Description): Command {
  return parent
    .command(signature)
    .description(summary)
    .option('--config <file>', 'read the settings from this file')
    .option('--json', 'print one JSON document')
    .option('--field <path>', 'print one value of the JSON document, for example orders.0.code')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ventanilla ${line}`).join('\n')}`)
}

export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary)
}

export function settingsOf(terminal: Terminal, { config }: CommonOptions): Settings {
  const { env, cwd } = terminal
  return loadSettings({ env, cwd, ...(config === undefined ? {} : { configFile: config }) })
}

/** Runs `work` with the operations of the running node, or of the database. */
export async function withOperations<Result>(
  terminal: Terminal,
  options: CommonOptions,
  work: (operations: Operations, settings: Settings) => Promise<Result>,
  mayCreate = false,
): Promise<Result> {
  const settings = settingsOf(terminal, options)
  const { clock, user } = terminal
  const operations = await connect(settings, { clock, operator: user, mayCreate })
  try {
    return await work(operations, settings)
  } finally {
    await operations.close()
  }
}

/** Prints the document, a part of it, or what people read, as the options say. */
export function answer(terminal: Terminal, options: CommonOptions, document: unknown, text: string): void {
  if (options.field !== undefined) terminal.out(`${fieldOf(document, options.field)}\n`)
  else if (options.json) terminal.out(`${JSON.stringify(document, null, 2)}\n`)
  else terminal.out(text)
}

function fieldOf(document: unknown, path: string): string {
  let value: unknown = document
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined
  }
  if (value === undefined) throw new CommandError(exitCodes.failure, `The answer has no ${path}.`)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export interface OperationCommand<Input, Output> extends Description {
  operation: Operation<Input, Output>
  input(args: readonly string[], command: Command): Input
  show(output: Output): string
}

/** Adds a command that is one operation. `addOptions` may add what it takes besides. */
export function addOperationCommand<Input, Output>(
  terminal: Terminal,
  parent: Command,
  signature: string,
  spec: OperationCommand<Input, Output>,
  addOptions: (command: Command) => Command = (command) => command,
): void {
  const command = addOptions(addCommand(parent, signature, spec))
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    const input = spec.input(command.args, command)
    const output = await withOperations(terminal, options, (operations) =>
      operations.perform(spec.operation, input),
    )
    answer(terminal, options, output, spec.show(output))
  })
}

/** Without the members that were not given. */
export function given<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  // What is left has the members' own types, without undefined.
  return Object.fromEntries(entries) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> }
}

/** For `--limit N` and `--revision N`. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number above zero.')
}

export interface PageOptions extends CommonOptions {
  limit?: number
  cursor?: string
}

export function addPageOptions(command: Command): Command {
  return command
    .option('--limit <number>', 'at most so many (100)', wholeNumber)
    .option('--cursor <next>', 'go on where the page before ended')
}

/** The line under a table that is not the whole list. */
export function more(next: string | null): string {
  return next === null ? '' : `\nThere are more: --cursor ${next}\n`
}
