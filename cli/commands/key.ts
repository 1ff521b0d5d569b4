/** `ventanilla key …` */
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import {
  type KeyDocument,
  keyList,
  keyRevoke,
  keyRotate,
  type RotatedKey,
} from '../../actors/operations/keys.ts'
import { keyRewrap, type RewrappedKeys } from '../../actors/operations/re-encryption.ts'
import { addGroup, addOperationCommand, type CommonOptions, given } from '../command.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface PartyOptions extends CommonOptions {
  kind?: KeyDocument['kind']
}

interface RotateOptions extends PartyOptions {
  key?: string
  reason?: string
}

interface RevokeOptions extends CommonOptions {
  force?: boolean
  reason?: string
}

export function addKeyCommands(terminal: Terminal, program: Command): void {
  const key = addGroup(program, 'key', 'Give parties new keys, revoke old ones, change the master key.')
  addOperationCommand(
    terminal,
    key,
    'list <party>',
    {
      summary: keyList.summary,
      examples: ['key list "Demo Shop"'],
      operation: keyList,
      input: ([party = ''], command) => ({ party, ...given({ kind: command.opts<PartyOptions>().kind }) }),
      show: ({ keys }) => (keys.length === 0 ? 'No keys.\n' : keyTable(keys)),
    },
    addKindOption,
  )
  addOperationCommand(
    terminal,
    key,
    'rotate <party>',
    {
      summary: 'Give a party a new key beside its present one: both are live until you revoke the old one.',
      examples: [
        'key rotate "Demo Shop"',
        'key rotate "Demo Network" --key pk_demo_2 --reason "once a year"',
      ],
      operation: keyRotate,
      input: ([party = ''], command) => {
        const { kind, key: name, reason } = command.opts<RotateOptions>()
        return { party, ...given({ kind, key: name, reason }) }
      },
      show: rotatedText,
    },
    (command) =>
      addKindOption(command)
        .option('--key <key>', "the new key's name; one is made up unless it is given")
        .option('--reason <text>', 'why; kept in the audit log'),
  )
  addOperationCommand(
    terminal,
    key,
    'revoke <key>',
    {
      summary: 'Revoke a key at once: it signs nothing any more, neither requests nor webhooks.',
      examples: ['key revoke mk_demo --reason "leaked"', 'key revoke mk_demo --force'],
      operation: keyRevoke,
      input: ([name = ''], command) => {
        const { force, reason } = command.opts<RevokeOptions>()
        return { key: name, ...given({ force, reason }) }
      },
      show: (document) => keyTable([document]),
    },
    (command) =>
      command
        .option('--force', "also the party's last live key: nothing it sends is accepted then")
        .option('--reason <text>', 'why; kept in the audit log'),
  )
  addOperationCommand(
    terminal,
    key,
    'rewrap',
    {
      summary: 'Put everything secret under a new master key, while the node runs; keys.file is replaced.',
      examples: [
        'key rewrap --new-key-file new.key',
        'key rewrap --new-key-file /run/secrets/next.key --json',
      ],
      operation: keyRewrap,
      input: (_, command) => {
        const { newKeyFile } = command.opts<CommonOptions & { newKeyFile: string }>()
        return { newKeyFile: resolve(terminal.cwd, newKeyFile) }
      },
      show: rewrappedText,
    },
    (command) =>
      command.requiredOption(
        '--new-key-file <file>',
        '32 random bytes as one line of base64: head -c 32 /dev/urandom | base64 > new.key',
      ),
  )
}

function addKindOption(command: Command): Command {
  return command.addOption(
    new Option('--kind <kind>', 'where a merchant and a provider share the name').choices([
      'merchant',
      'provider',
    ]),
  )
}

function keyTable(keys: readonly KeyDocument[]): string {
  return table(keys, [
    { title: 'KEY', value: (it) => it.key },
    { title: 'PARTY', value: (it) => it.party },
    { title: 'STATE', value: (it) => it.state },
    { title: 'CREATED', value: (it) => shortTime(it.created) },
    { title: 'FIRST USED', value: (it) => shortTime(it.firstUsed) },
    { title: 'LAST USED', value: (it) => shortTime(it.lastUsed) },
    { title: 'REVOKED', value: (it) => shortTime(it.revoked) },
  ])
}

function rotatedText({ key, secret, party, others }: RotatedKey): string {
  const [old] = others
  const next =
    old === undefined
      ? ''
      : `\nOnce ${party} signs with the new key, revoke the old one: key revoke ${old.key}\n`
  return [
    `${party} has a new key. Its secret is shown this once:\n\n`,
    fields([
      ['key', key],
      ['secret', secret],
    ]),
    section('Live besides it', others.length === 0 ? '' : keyTable(others)),
    next,
  ].join('')
}

function rewrappedText({
  fingerprintBefore,
  fingerprint,
  credentials,
  keyFile,
  keptFile,
}: RewrappedKeys): string {
  return (
    `Everything secret is under master key ${fingerprint} now, before it was ${fingerprintBefore}; ` +
    `${credentials} keys of parties were sealed anew.\n` +
    `${keyFile} holds the new key. What was backed up until now opens only with the one before: it is kept in\n` +
    `${keptFile}; destroy that with the last of those backups.\n`
  )
}
