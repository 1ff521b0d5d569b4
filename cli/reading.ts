/** Reads the database itself, whether a node runs on it or not, on a connection that cannot write. */
import { existsSync } from 'node:fs'
import { CommandError, exitCodes } from '../node/exit-codes.ts'
import type { Settings } from '../node/settings/config.ts'
import { databaseUrl } from '../node/settings/database-url.ts'
import type { Reader } from '../persistence/store.ts'

export async function withReader<Result>(
  settings: Settings,
  run: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const { openReader } = await import('../persistence/index.ts')
  const reader = await openReader(databaseOf(settings))
  try {
    return await run(reader)
  } finally {
    await reader.close()
  }
}

function databaseOf({ database }: Settings): string {
  if (database.engine === 'postgres' || existsSync(database.file)) return databaseUrl(database)
  throw new CommandError(
    exitCodes.database,
    `database ${database.file}: there is none.`,
    'Is --config missing?',
  )
}
