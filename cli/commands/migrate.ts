/** `ventanilla migrate` */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { DatabaseLocked, DatabaseTooNew, DatabaseUnusable } from '../../persistence/database-errors.ts'
import { addCommand, answer, type CommonOptions, settingsOf } from '../command.ts'
import type { Terminal } from '../terminal.ts'

interface MigrateOptions extends CommonOptions {
  dryRun?: boolean
}

export function addMigrateCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'migrate', {
    summary: 'Migrate the database to this version, as a start does; a copy of the old one is kept.',
    examples: ['migrate --dry-run', 'migrate'],
  }).option('--dry-run', 'show what would be applied, and change nothing')
  command.action(async () => {
    const options = command.opts<MigrateOptions>()
    const { database } = settingsOf(terminal, options)
    if (database.engine !== 'sqlite') {
      throw new CommandError(
        exitCodes.usage,
        'A PostgreSQL database is migrated by the first node that starts.',
      )
    }
    const { file } = database
    if (!existsSync(file)) throw new CommandError(exitCodes.database, `database ${file}: there is none.`)
    try {
      const { migrations, openStore, pendingSqliteMigrations } = await import('../../persistence/index.ts')
      const pending = pendingSqliteMigrations(file, migrations)
      const isDone = options.dryRun !== true && pending.length > 0
      if (isDone) {
        terminal.err(`applying ${pending.join(', ')}\n`)
        await (await openStore(`sqlite:${file}`, { clock: terminal.clock })).close()
      }
      const copy = isDone ? `${file}.before-${pending[0]}` : null
      const names = pending.join(', ')
      const text =
        pending.length === 0
          ? 'Nothing to do: the database is up to date.\n'
          : isDone
            ? `Applied ${names}. The old database is kept in ${copy}.\n`
            : `Would apply ${names}.\n`
      answer(terminal, options, { pending, isDone, copy }, text)
    } catch (error) {
      const isKnown =
        error instanceof DatabaseLocked ||
        error instanceof DatabaseTooNew ||
        error instanceof DatabaseUnusable
      if (!isKnown) throw error
      throw new CommandError(exitCodes.database, error.message, null, { cause: error })
    }
  })
}
