/** `ventanilla apply FILE` */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { apply } from '../../actors/provisioning/operations.ts'
import type { Applied } from '../../actors/provisioning/plan.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { parseJson } from '../../node/json-text.ts'
import { addCommand, answer, type CommonOptions, withOperations } from '../command.ts'
import { section, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addApplyCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'apply <file>', {
    summary:
      'Make parties, networks, limits, deposits and rates what a file says, whole or not at all. ' +
      'What it does not mention stays; - reads standard input.',
    examples: ['apply parties.json', 'apply parties.json --json', 'apply - < parties.json'],
  })
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    const [file = ''] = command.args
    const document = await readDocument(terminal, file)
    const applied = await withOperations(
      terminal,
      options,
      (operations) => operations.perform(apply, document),
      true,
    )
    const { merchants, providers } = applied
    answer(terminal, options, { merchants, providers }, appliedText(applied))
  })
}

async function readDocument(terminal: Terminal, file: string): Promise<Record<string, unknown>> {
  const bytes = file === '-' ? await terminal.readInput() : readInputFile(terminal, file)
  const name = file === '-' ? 'standard input' : file
  const read = parseJson(bytes.toString())
  if ('problem' in read) {
    throw new CommandError(exitCodes.failure, `${name}: is not JSON: ${read.problem}`)
  }
  if (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value)) {
    throw new CommandError(exitCodes.failure, `${name}: must hold a JSON object`)
  }
  return { ...read.value }
}

/** @throws CommandError */
export function readInputFile(terminal: Terminal, file: string): Buffer {
  try {
    return readFileSync(resolve(terminal.cwd, file))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const causes: Record<string, string> = { ENOENT: 'no such file', EISDIR: 'it is a folder' }
    const cause = causes[code] ?? (code || 'it cannot be read')
    throw new CommandError(exitCodes.usage, `${file}: ${cause}`, null, { cause: error })
  }
}

function appliedText({ merchants, providers, changes }: Applied): string {
  if (changes.length === 0) return 'Nothing to change: everything was so already.\n'
  const made = [...merchants, ...providers].flatMap((party) =>
    party.credentials.flatMap(({ key, secret }) =>
      secret === undefined ? [] : [{ name: party.name, key, secret }],
    ),
  )
  const secrets = table(made, [
    { title: 'PARTY', value: (it) => it.name },
    { title: 'KEY', value: (it) => it.key },
    { title: 'SECRET', value: (it) => it.secret },
  ])
  return (
    `${changes.map((change) => `${change}\n`).join('')}` +
    section('Secrets, shown this once', made.length === 0 ? '' : secrets)
  )
}
