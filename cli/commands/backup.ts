/** `ventanilla backup` and `ventanilla restore` */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { backupDrill, backupList, backupMake } from '../../actors/condition/backup-operations.ts'
import type { Drill } from '../../actors/condition/backups.ts'
import { readJournalKey } from '../../actors/keys/node-secrets.ts'
import { createVault, parseMasterKey } from '../../actors/keys/vault.ts'
import { anchorsFileOfNode } from '../../node/anchors-file.ts'
import type { BackupManifest } from '../../node/backup/manifest.ts'
import { AlreadyTold, CommandError, exitCodes } from '../../node/exit-codes.ts'
import type { Settings } from '../../node/settings/config.ts'
import { addCommand, answer, type CommonOptions, settingsOf, withOperations } from '../command.ts'
import type { Operations } from '../connect.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addBackupCommands(terminal: Terminal, program: Command): void {
  const backup = addCommand(program, 'backup [folder]', {
    summary: 'Write a verified copy of the database, whether or not the node runs.',
    examples: ['backup', 'backup /mnt/backups', 'backup --list'],
  }).option('--list', 'list the backups in the configured folder instead')
  backup.action(async () => {
    const options = backup.opts<CommonOptions & { list?: boolean }>()
    const settings = settingsOf(terminal, options)
    if (options.list) return list(terminal, options)
    // In the folder of the settings the node makes it; elsewhere who asks may be allowed to write what it may not.
    if (backup.args.length === 0 && settings.backups.folder !== null) return makeByNode(terminal, options)
    const [folder = 'backups'] = backup.args
    const { makeBackup } = await import('../../node/backup/make.ts')
    const database = sqliteFileOf(settings)
    const { folder: written, manifest } = await makeBackup(
      {
        database,
        anchorsFile: anchorsFileOfNode(settings),
        folder: resolve(terminal.cwd, folder),
        encryptTo: settings.backups.encryptTo,
        journalKey: await journalKeyOf(settings, database),
        at: terminal.clock.now(),
      },
      (text) => terminal.err(`${text}\n`),
    )
    answer(terminal, options, { folder: written, ...manifest }, madeText(written, manifest))
  })

  // `backup drill --json`: what follows the command's name is the command's.
  addDrillCommand(terminal, backup.enablePositionalOptions())

  const restore = addCommand(program, 'restore <folder>', {
    summary: 'Restore a backup to the configured place; there must be no database there.',
    examples: [
      'restore /mnt/backups/ventanilla-2026-03-01T02-23-00-000Z',
      'restore /mnt/backups/ventanilla-2026-03-01T02-23-00-000Z --identity backups.key',
    ],
  }).option('--identity <file>', 'the age identity that decrypts the backup')
  restore.action(async () => {
    const options = restore.opts<CommonOptions & { identity?: string }>()
    const settings = settingsOf(terminal, options)
    const [folder = ''] = restore.args
    const { restore: run } = await import('../../node/backup/restore.ts')
    const restored = await run({
      folder: resolve(terminal.cwd, folder),
      database: postgresRefused(settings),
      keyFile: settings.keys.file,
      identity: options.identity === undefined ? null : resolve(terminal.cwd, options.identity),
      clock: terminal.clock,
    })
    const { manifest, quarantined, paused, lost, oldAnchors } = restored
    const lines = [
      `${restored.database} is what it was at ${manifest.made}: ${manifest.orders} orders, ${manifest.journal} entries of the journal, verified.`,
      lost === null
        ? 'There were no anchors, so how much is lost is not known.'
        : `Lost: at least ${lost.entries} entries of the journal, up to ${lost.until}. The anchors that tell of them: ${oldAnchors}.`,
      `Quarantined: ${quarantined} orders that were not final. Ask the providers what they paid since, then \`order clear\`, or \`order cancel\`.`,
      `Paused: the webhooks of ${paused} merchants. Resume them with \`webhook resume NAME\`.`,
      'Stopped: closings and payments. Book what the banks report since, then `settlement resume`.',
    ]
    answer(terminal, options, restored, `${lines.join('\n')}\n`)
  })
}

function addDrillCommand(terminal: Terminal, backup: Command): void {
  const drill = addCommand(backup, 'drill [folder]', {
    summary: 'Restore a backup, by default the newest, into a folder that is thrown away, and verify it.',
    examples: [
      'backup drill',
      'backup drill --identity backups.key',
      'backup drill /mnt/backups/ventanilla-2026-03-01T02-23-00-000Z',
    ],
  }).option('--identity <file>', 'the age identity that decrypts the backup')
  drill.action(async () => {
    const options = drill.opts<CommonOptions & { identity?: string }>()
    const found = await drillAsked(terminal, options, drill.args[0] ?? null)
    answer(terminal, options, found, drillText(found))
    if (!found.ok) throw new AlreadyTold()
  })
}

/** By the node, unless a file is named that it has no business with. */
async function drillAsked(
  terminal: Terminal,
  options: CommonOptions & { identity?: string },
  named: string | null,
): Promise<Drill> {
  const { identity } = options
  const settings = settingsOf(terminal, options)
  if (named === null && identity === undefined)
    return withOperations(terminal, options, (operations) => operations.perform(backupDrill, {}))
  const path = named === null ? null : resolve(terminal.cwd, named)
  const folder = path === null ? settings.backups.folder : dirname(path)
  if (folder === null)
    throw new CommandError(exitCodes.usage, 'No backup folder is configured.', 'Name the backup.')
  const { drillBackup } = await import('../../node/backup/drill.ts')
  return drillBackup({
    folder,
    backup: path === null ? null : basename(path),
    keyFile: settings.keys.file,
    identity: identity === undefined ? null : resolve(terminal.cwd, identity),
    at: terminal.clock.now(),
  })
}

function drillText({ backup, problem, isOpened, orders, journal, quarantined, seconds }: Drill): string {
  if (problem !== null) return `${backup} could not be restored: ${problem}\n`
  if (!isOpened) {
    return (
      `${backup}: whole, by its digests: ${orders} orders, ${journal} entries of the journal. It is encrypted and was not opened.\n` +
      'With the identity it is: `ventanilla backup drill --identity FILE`.\n'
    )
  }
  return (
    `${backup}: restored and verified in ${seconds} s, then thrown away: ${orders} orders, ${journal} entries of the journal.\n` +
    `A restoration would quarantine ${quarantined} orders that were not final.\n`
  )
}

type Told = Pick<BackupManifest, 'orders' | 'journal' | 'keyFingerprint'>

function madeText(folder: string, { orders, journal, keyFingerprint }: Told): string {
  return (
    `${folder}: ${orders} orders, ${journal} entries of the journal, verified.\n` +
    `It opens under master key ${keyFingerprint} (keys.file), which is not in it: keep a copy elsewhere.\n`
  )
}

async function makeByNode(terminal: Terminal, options: CommonOptions): Promise<void> {
  const made = await withOperations(terminal, options, (operations) =>
    withBackupProgress(terminal, operations, () => operations.perform(backupMake, {})),
  )
  answer(terminal, options, made, madeText(made.folder, made))
}

const progressEveryMs = 500

/** Shows on a terminal how far it has come. */
async function withBackupProgress<Result>(
  terminal: Terminal,
  operations: Operations,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!terminal.isTerminal) return work()
  const timer = setInterval(async () => {
    const told = await operations.perform(backupList, {}).catch(() => null)
    if (told?.running) terminal.err(`\r\x1b[K${told.running.told}`)
  }, progressEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    terminal.err('\r\x1b[K')
  }
}

async function list(terminal: Terminal, options: CommonOptions): Promise<void> {
  const document = await withOperations(terminal, options, (operations) => operations.perform(backupList, {}))
  const { folder, running, backups } = document
  const now = running === null ? '' : `A backup has been running since ${running.since}: ${running.told}.\n`
  const known =
    backups.length === 0
      ? `There is none in ${folder ?? 'any folder: backups.folder is not set'}.\n`
      : table(backups, [
          { title: 'BACKUP', value: ({ name }) => name },
          { title: 'AGE', value: ({ ageSeconds }) => `${Math.floor(ageSeconds / 3600)} h` },
          { title: 'MIB', value: ({ bytes }) => (bytes / 1024 / 1024).toFixed(1) },
          { title: 'ORDERS', value: ({ orders }) => String(orders) },
          { title: 'VERIFIED', value: () => 'yes' },
        ])
  answer(terminal, options, document, `${now}${known}`)
}

function postgresRefused({ database }: Settings): string {
  if (database.engine === 'sqlite') return database.file
  throw new CommandError(
    exitCodes.usage,
    'A PostgreSQL database is backed up and restored by its own tools.',
    'Use pg_dump or continuous archiving, and keep the master key and the settings with the backup.',
  )
}

function sqliteFileOf(settings: Settings): string {
  const file = postgresRefused(settings)
  if (existsSync(file)) return file
  throw new CommandError(exitCodes.database, `database ${file}: there is none.`, 'Is --config missing?')
}

async function journalKeyOf(settings: Settings, database: string): Promise<string> {
  const { openReader } = await import('../../persistence/index.ts')
  const reader = await openReader(`sqlite:${database}`)
  try {
    return await readJournalKey(reader, createVault(parseMasterKey(readFileSync(settings.keys.file))))
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new CommandError(exitCodes.key, `${settings.keys.file}: ${cause}`, null, { cause: error })
  } finally {
    await reader.close()
  }
}
