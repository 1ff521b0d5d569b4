/** `ventanilla apply FILE` */
import type { Command } from 'commander'
import type { Field } from '../../actors/foundation/fields.ts'
import { parseJson } from '../../actors/foundation/json-text.ts'
import { apply, besidesFile } from '../../actors/provisioning/operations.ts'
import type { Applied } from '../../actors/provisioning/plan.ts'
import { counted } from '../../actors/terms/plan.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { addCommand, addOptions, answer, type CommonOptions, given, withOperations } from '../command.ts'
import { differenceText } from '../difference-text.ts'
import { inputName, readInputBytes } from '../input-file.ts'
import { section, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addApplyCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'apply <file>', {
    summary:
      'Set up parties, networks, limits, terms, deposits and rates from a file: all of it or nothing. ' +
      'What the file does not mention is left alone. - reads standard input.',
    examples: [
      'apply parties.json --dry-run',
      'apply parties.json',
      'apply parties.json --json',
      'apply - < parties.json',
    ],
  })
  addOptions(command, apply.fields)
  command.action(async () => {
    const options = command.opts<CommonOptions & { new?: boolean; dryRun?: boolean; digest?: string }>()
    const [file = ''] = command.args
    const document = await readDocument(terminal, file)
    const { new: areNew, dryRun, digest } = options
    const input = { ...document, ...given({ new: areNew, dryRun, digest }) }
    const applied = await withOperations(
      terminal,
      options,
      (operations) => operations.perform(apply, input),
      true,
    )
    const { merchants, providers, dryRun: wasDry, differences, problems, digest: shown } = applied
    if (!wasDry) return answer(terminal, options, { merchants, providers }, appliedText(applied))
    answer(terminal, options, { differences, problems, digest: shown }, previewText(applied))
    if (problems.length === 0) return
    throw new CommandError(exitCodes.failure, `${inputName(file)}: ${counted(problems.length, 'bad place')}`)
  })
}

async function readDocument(terminal: Terminal, file: string): Promise<Record<string, unknown>> {
  const name = inputName(file)
  const read = parseJson(await readInputBytes(terminal, file))
  if (!read.ok) throw new CommandError(exitCodes.failure, `${name}: ${read.problem}`)
  if (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value)) {
    throw new CommandError(exitCodes.failure, `${name}: must hold a JSON object`)
  }
  for (const [member, { option }] of Object.entries<Field>(besidesFile)) {
    if (!Object.hasOwn(read.value, member)) continue
    const instead = option === undefined ? '' : `; say ${option[0].split(' ')[0]}`
    throw new CommandError(exitCodes.failure, `${name}: ${member}: is no member of a file${instead}`)
  }
  return { ...read.value }
}

function appliedText({ merchants, providers, changes }: Applied): string {
  if (changes.length === 0) return 'Nothing to change.\n'
  const made = [...merchants, ...providers].flatMap(({ name, credentials, webhookSecret }) =>
    [...credentials, { key: 'Standard Webhooks', secret: webhookSecret }].flatMap(({ key, secret }) =>
      secret === undefined ? [] : [{ name, key, secret }],
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

function previewText({ differences, problems, digest }: Applied): string {
  const refused = problems.map((problem) => `  ${problem}\n`).join('')
  if (problems.length > 0) {
    return `${differenceText(differences)}${section('Refused, so that nothing of it would be changed', refused)}`
  }
  if (differences.length === 0) return 'Nothing to change.\n'
  return `${differenceText(differences)}\nNothing was changed. To apply exactly this: --digest ${digest}\n`
}
