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
  const key = addGroup(program, 'key', "Rotate and revoke parties' keys, and change the master key.")
  addOperationCommand(terminal, key, {
    operation: keyList,
    examples: ['key list "Demo Shop"'],
    show: ({ keys }) => (keys.length === 0 ? 'No keys.\n' : keyTable(keys)),
  })
  addOperationCommand(terminal, key, {
    operation: keyRotate,
    summary: 'Give a party a second key: both are live until you revoke the old one.',
    examples: ['key rotate "Demo Shop"', 'key rotate "Demo Network" --key pk_demo_2 --reason "once a year"'],
    show: rotatedText,
  })
  addOperationCommand(terminal, key, {
    operation: keyRevoke,
    summary: 'Revoke a key at once, for requests and webhooks.',
    examples: ['key revoke mk_demo --reason "leaked"', 'key revoke mk_demo --force'],
    show: (document) => keyTable([document]),
  })
  addOperationCommand(terminal, key, {
    operation: keyRewrap,
    summary: 'Re-encrypt all secrets under a new master key while the node runs; keys.file is replaced.',
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
    `${party} has a new key. Its secret is shown only once:\n\n`,
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
    `All secrets are now encrypted under master key ${fingerprint}; before it was ${fingerprintBefore}; ` +
    `${credentials} party keys were re-encrypted.\n` +
    `${keyFile} holds the new key. Existing backups open only with the previous key, which is kept in\n` +
    `${keptFile}; destroy that with the last of those backups.\n`
  )
}
