/** `ventanilla order evidence` and `ventanilla evidence …`: what is proved to others. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type CheckedEvidence, checkEvidence, readPublicKey } from '../../actors/evidence/manifest.ts'
import { evidenceKey, evidenceRotate, orderEvidence } from '../../actors/evidence/operations.ts'
import type { EvidenceKey } from '../../actors/evidence/signing-key.ts'
import { maxZipBytes } from '../../actors/evidence/zip.ts'
import { AlreadyTold, CommandError, exitCodes } from '../../node/exit-codes.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  addOptions,
  answer,
  type CommonOptions,
  withOperations,
  writtenInput,
} from '../command.ts'
import { writeNewFile } from '../output-file.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addOrderEvidenceCommand(terminal: Terminal, order: Command): void {
  const command = addCommand(order, 'evidence <id>', {
    summary: orderEvidence.summary,
    examples: ['order evidence 5f0c2a9e-…', 'order evidence 123456789012345 --out dispute-17.zip'],
  })
  addOptions(command, orderEvidence.fields)
  command.option('--out <file>', 'where to write it; evidence-ID.zip here unless given')
  command.action(async () => {
    const options = command.opts<CommonOptions & { out?: string }>()
    const input = writtenInput(orderEvidence, command)
    const { zip, ...made } = await withOperations(terminal, options, (operations) =>
      operations.perform(orderEvidence, input),
    )
    const file = resolve(terminal.cwd, options.out ?? made.name)
    writeNewFile(file, Buffer.from(zip, 'base64'))
    const document = { ...made, file }
    const text = fields([
      ['file', file],
      ['bytes', String(made.bytes)],
      ['sha-256', made.sha256],
      ['signed by', made.fingerprint],
    ])
    answer(terminal, options, document, text)
  })
}

export function addEvidenceCommands(terminal: Terminal, program: Command): void {
  const evidence = addGroup(program, 'evidence', 'The key that evidence is signed with, and its check.')
  addOperationCommand(terminal, evidence, {
    operation: evidenceKey,
    show: ({ current, before }) =>
      current === null ? 'There is none yet.\n' : keyText(current) + section('Before it', keyTable(before)),
  })
  addOperationCommand(terminal, evidence, { operation: evidenceRotate, show: keyText })
  const check = addCommand(evidence, 'check <file>', {
    summary: 'Check an evidence file, without a node or a database.',
    examples: ['evidence check evidence-5f0c2a9e.zip --key node.pem', 'evidence check evidence-5f0c2a9e.zip'],
  })
  check.option(
    '--key <file>',
    "the operator's public key (PEM); without it, it is only told which key has signed",
  )
  check.action(() => {
    const options = check.opts<CommonOptions & { key?: string }>()
    const [file = ''] = check.args
    const key = options.key === undefined ? null : readKey(terminal, options.key)
    const checked = checkEvidence(readBounded(terminal, file, maxZipBytes), key)
    answer(terminal, options, checked, checkText(file, checked, key !== null))
    if (!checked.ok) throw new AlreadyTold()
  })
}

function readKey(terminal: Terminal, file: string) {
  const key = readPublicKey(readBounded(terminal, file, 16_384))
  if (key !== null) return key
  throw new CommandError(
    exitCodes.usage,
    `${file}: it is no Ed25519 public key in PEM.`,
    'evidence key prints one.',
  )
}

function readBounded(terminal: Terminal, file: string, maxBytes: number): Buffer {
  const path = resolve(terminal.cwd, file)
  try {
    const { size } = statSync(path)
    if (size <= maxBytes) return readFileSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const cause = code === 'ENOENT' ? 'no such file' : `it cannot be read (${code})`
    throw new CommandError(exitCodes.usage, `${file}: ${cause}.`, null, { cause: error })
  }
  throw new CommandError(
    exitCodes.failure,
    `${file}: it is larger than ${maxBytes} bytes, and no evidence file.`,
  )
}

function keyText({ fingerprint, publicKey, since }: EvidenceKey): string {
  return `${fields([
    ['fingerprint', fingerprint],
    ['since', shortTime(since)],
  ])}\n${publicKey}`
}

function keyTable(keys: readonly EvidenceKey[]): string {
  if (keys.length === 0) return ''
  return table(keys, [
    { title: 'FINGERPRINT', value: (it) => it.fingerprint },
    { title: 'SINCE', value: (it) => shortTime(it.since) },
    { title: 'UNTIL', value: (it) => shortTime(it.until) },
  ])
}

function checkText(
  file: string,
  { ok, fingerprint, problems, entries }: CheckedEvidence,
  isKeyKnown: boolean,
): string {
  if (!ok) return problems.map((problem) => `${file}: ${problem}.\n`).join('')
  const whose = isKeyKnown
    ? 'Signed by that key, and unchanged.\n'
    : 'Unchanged since it was signed. Whose key this is only the operator can say: compare the fingerprint, or check with --key.\n'
  return (
    whose +
    fields([
      ['signed by', fingerprint],
      ['entries', entries.map(({ name }) => name).join(', ')],
    ])
  )
}
