/** What all commands have in common: their options, how they reach the operations, how they answer. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Field, Fields } from '../actors/foundation/fields.ts'
import { type Operation, wordsOf } from '../actors/foundation/operation.ts'
import { CommandError, exitCodes } from '../node/exit-codes.ts'
import { loadSettings, type Settings } from '../node/settings/config.ts'
import { connect, type Operations } from './connect.ts'
import { printable, printableJson } from './printable.ts'
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
  if (options.json && options.field === undefined) {
    terminal.out(`${printableJson(document, 2)}\n`)
    return
  }
  const shown = options.field === undefined ? text : `${fieldOf(document, options.field)}\n`
  // A program gets the exact bytes: what it keeps may be a file with a digest.
  terminal.out(terminal.isTerminal ? printable(shown) : shown)
}

function fieldOf(document: unknown, path: string): string {
  let value: unknown = document
  for (const name of path.split('.')) {
    value = typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined
  }
  if (value === undefined) throw new CommandError(exitCodes.failure, `The answer has no ${path}.`)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export interface OperationCommand<Input, Output> {
  operation: Operation<Input, Output>
  /** The operation's own, unless a command needs more words. */
  summary?: string
  /** The operation's own, unless they are said here: whole command lines, without the program's name. */
  examples?: readonly string[]
  /** The input, where it has changed since it was written. */
  adjust?(input: Input): Input
  show(output: Output): string
}

/** Adds the command that is one operation, named by its verb; its arguments and options are the operation's. */
export function addOperationCommand<Input, Output>(
  terminal: Terminal,
  parent: Command,
  {
    operation,
    summary = operation.summary,
    examples = operation.examples ?? [],
    adjust,
    show,
  }: OperationCommand<Input, Output>,
): void {
  const names = operation.arguments.map((name) => argumentText(name, operation.fields[name]))
  const command = addCommand(parent, [wordsOf(operation).at(-1), ...names].join(' '), { summary, examples })
  addOptions(command, operation.fields)
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    const written = writtenInput(operation, command)
    const input = adjust === undefined ? written : adjust(written)
    const output = await withOperations(terminal, options, (operations) =>
      operations.perform(operation, input),
    )
    answer(terminal, options, output, show(output))
  })
}

function argumentText(name: string, field: Field | undefined): string {
  const text = field?.kind === 'texts' ? `${name}...` : name
  return field?.isOptional ? `[${text}]` : `<${text}>`
}

/** The options of those fields that have one. */
export function addOptions(command: Command, fields: Fields): Command {
  for (const field of Object.values(fields)) {
    if (field.option !== undefined) command.addOption(optionOf(field, field.option))
  }
  return command
}

function optionOf(
  { kind, isOptional, values, read }: Field,
  [flags, help]: readonly [string, string],
): Option {
  const option = new Option(flags, help).makeOptionMandatory(!isOptional)
  if (values !== undefined) option.choices(values)
  if (kind === 'number') {
    option.argParser((written) => {
      const number = read(written)
      if (number === undefined) throw new InvalidArgumentError('It must be a positive whole number.')
      return number
    })
  }
  return option
}

/** What was written as arguments and options; whether it is an input, the operation's schema says. */
export function writtenInput<Input, Output>(
  { fields, arguments: names }: Operation<Input, Output>,
  command: Command,
): Input {
  const options = command.opts<Record<string, unknown>>()
  const members = Object.entries(fields).map(([name, { kind, option, read }]) => {
    const place = names.indexOf(name)
    if (place === -1) return [name, option && options[new Option(...option).attributeName()]]
    const rest = command.args.slice(place)
    const [first] = rest
    if (kind === 'number' && first !== undefined) return [name, read(first) ?? first]
    return [name, kind === 'texts' && rest.length > 0 ? rest : first]
  })
  // Each member is what its field's option makes of a text, or the dispatcher refuses it.
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Input
}

/** Without the members that were not given. */
export function given<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  // What is left has the members' own types, without undefined.
  return Object.fromEntries(entries) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> }
}

/** The line under a table that is not the whole list. */
export function more(next: string | null): string {
  return next === null ? '' : `\nThere are more: --cursor ${next}\n`
}
