/** `ventanilla apply FILE` */
import type { Command } from 'commander'
import { parseJson } from '../../actors/foundation/json-text.ts'
import { apply } from '../../actors/provisioning/operations.ts'
import type { Applied } from '../../actors/provisioning/plan.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { addCommand, addOptions, answer, type CommonOptions, withOperations } from '../command.ts'
import { inputName, readInputBytes } from '../input-file.ts'
import { section, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addApplyCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'apply <file>', {
    summary:
      'Set up parties, networks, limits, terms, deposits and rates from a file: all of it or nothing. ' +
      'What the file does not mention is left alone. - reads standard input.',
    examples: ['apply parties.json', 'apply parties.json --json', 'apply - < parties.json'],
  })
  addOptions(command, apply.fields)
  command.action(async () => {
    const options = command.opts<CommonOptions & { new?: boolean }>()
    const [file = ''] = command.args
    const document = await readDocument(terminal, file)
    const input = options.new === true ? { ...document, new: true } : document
    const applied = await withOperations(
      terminal,
      options,
      (operations) => operations.perform(apply, input),
      true,
    )
    const { merchants, providers } = applied
    answer(terminal, options, { merchants, providers }, appliedText(applied))
  })
}

async function readDocument(terminal: Terminal, file: string): Promise<Record<string, unknown>> {
  const name = inputName(file)
  const read = parseJson(await readInputBytes(terminal, file))
  if (!read.ok) throw new CommandError(exitCodes.failure, `${name}: ${read.problem}`)
  if (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value)) {
    throw new CommandError(exitCodes.failure, `${name}: must hold a JSON object`)
  }
  if (Object.hasOwn(read.value, 'new')) {
    throw new CommandError(exitCodes.failure, `${name}: new: is no member of a file; say --new`)
  }
  return { ...read.value }
}

function appliedText({ merchants, providers, changes }: Applied): string {
  if (changes.length === 0) return 'Nothing to change.\n'
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
    section('Secrets, shown only once', made.length === 0 ? '' : secrets)
  )
}
