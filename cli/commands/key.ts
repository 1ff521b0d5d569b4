/** `ventanilla key …` */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import {
  type KeyDocument,
  keyList,
  keyRevoke,
  keyRotate,
  type RotatedKey,
} from '../../actors/operations/keys.ts'
import { keyRewrap, type RewrappedKeys } from '../../actors/operations/re-encryption.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addKeyCommands(terminal: Terminal, program: Command): void {
  const key = addGroup(program, 'key', 'Give parties new keys, revoke old ones, change the master key.')
  addOperationCommand(terminal, key, {
    operation: keyList,
    examples: ['key list "Demo Shop"'],
    show: ({ keys }) => (keys.length === 0 ? 'No keys.\n' : keyTable(keys)),
  })
  addOperationCommand(terminal, key, {
    operation: keyRotate,
    summary: 'Give a party a new key beside its present one: both are live until you revoke the old one.',
    examples: ['key rotate "Demo Shop"', 'key rotate "Demo Network" --key pk_demo_2 --reason "once a year"'],
    show: rotatedText,
  })
  addOperationCommand(terminal, key, {
    operation: keyRevoke,
    summary: 'Revoke a key at once: it signs nothing any more, neither requests nor webhooks.',
    examples: ['key revoke mk_demo --reason "leaked"', 'key revoke mk_demo --force'],
    show: (document) => keyTable([document]),
  })
  addOperationCommand(terminal, key, {
    operation: keyRewrap,
    summary: 'Put everything secret under a new master key, while the node runs; keys.file is replaced.',
    examples: ['key rewrap --new-key-file new.key', 'key rewrap --new-key-file /run/secrets/next.key --json'],
    adjust: ({ newKeyFile }) => ({ newKeyFile: resolve(terminal.cwd, newKeyFile) }),
    show: rewrappedText,
  })
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
