/** `ventanilla backup` and `ventanilla restore` */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { readJournalKey } from '../../actors/keys/node-secrets.ts'
import { createVault, parseMasterKey } from '../../actors/keys/vault.ts'
import { anchorsFileOfNode } from '../anchors-file.ts'
import { addCommand, answer, type CommonOptions, settingsOf } from '../command.ts'
import type { Settings } from '../config.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

export function addBackupCommands(terminal: Terminal, program: Command): void {
  const backup = addCommand(program, 'backup [folder]', {
    summary: 'Write a verified copy of the database, whether a node runs or not.',
    examples: ['backup', 'backup /mnt/backups'],
  })
  backup.action(async () => {
    const options = backup.opts<CommonOptions>()
    const settings = settingsOf(terminal, options)
    const [folder = settings.backups.folder ?? 'backups'] = backup.args
    const { makeBackup } = await import('../backup/make.ts')
    const database = sqliteFileOf(settings)
    const { folder: written, manifest } = await makeBackup(
      {
        database,
        anchorsFile: anchorsFileOfNode(settings),
        folder: resolve(terminal.cwd, folder),
        journalKey: await journalKeyOf(settings, database),
        at: terminal.clock.now(),
      },
      (text) => terminal.err(`${text}\n`),
    )
    const text =
      `${written}: ${manifest.orders} orders, ${manifest.journal} entries of the journal, verified.\n` +
      `It opens under master key ${manifest.keyFingerprint} (${settings.keys.file}), which is not in it: keep a copy elsewhere.\n`
    answer(terminal, options, { folder: written, ...manifest }, text)
  })

  const restore = addCommand(program, 'restore <folder>', {
    summary: 'Put a backup where the database of the settings was; that must not be there any more.',
    examples: ['restore /mnt/backups/ventanilla-2026-03-01T02-23-00-000Z'],
  })
  restore.action(async () => {
    const options = restore.opts<CommonOptions>()
    const settings = settingsOf(terminal, options)
    const [folder = ''] = restore.args
    const { restore: run } = await import('../backup/restore.ts')
    const restored = await run({
      folder: resolve(terminal.cwd, folder),
      database: postgresRefused(settings),
      keyFile: settings.keys.file,
      clock: terminal.clock,
    })
    const { manifest, held, paused, lost, oldAnchors } = restored
    const lines = [
      `${restored.database} is what it was at ${manifest.made}: ${manifest.orders} orders, ${manifest.journal} entries of the journal, verified.`,
      lost === null
        ? 'No anchors were in the place, so how much is lost is not known.'
        : `Lost: at least ${lost.entries} entries of the journal, up to ${lost.until}. The anchors that tell of them: ${oldAnchors}.`,
      `Held: ${held} orders that were not final. Ask the providers what they paid since, then \`order unhold\`, or \`order cancel\`.`,
      `Paused: the webhooks of ${paused} merchants. \`webhook resume NAME\` lets them go.`,
    ]
    answer(terminal, options, restored, `${lines.join('\n')}\n`)
  })
}

function postgresRefused({ database }: Settings): string {
  if (database.engine === 'sqlite') return database.file
  throw new CommandError(
    exitCodes.usage,
    'A PostgreSQL database is backed up and restored by its own tools.',
    'Use pg_dump, or its continuous archiving; docs/backups.md says what else belongs to it.',
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
    return await readJournalKey(reader, createVault(parseMasterKey(readFileSync(settings.keys.file, 'utf8'))))
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new CommandError(exitCodes.key, `${settings.keys.file}: ${cause}`, null, { cause: error })
  } finally {
    await reader.close()
  }
}
