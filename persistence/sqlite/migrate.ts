/** Brings a database to this version's tables: all migrations it lacks, in one transaction. */
import type { Instant } from '../../machines/time.ts'
import { DatabaseTooNew, DatabaseUnusable } from '../database-errors.ts'
import type { Migration } from '../migrations/index.ts'
import type { Connection } from './database.ts'
import { unusable } from './errors.ts'
import { openReadOnly } from './read-only.ts'

/**
 * @returns the names of the migrations it applied.
 * @throws DatabaseTooNew when the database has migrations this version does not know, DatabaseUnusable when it
 *   is another program's.
 */
export function migrate(database: Connection, migrations: readonly Migration[], at: Instant): string[] {
  const missing = missingMigrations(database, migrations)
  if (missing.length > 0) database.transaction(() => apply(database, missing, at)).immediate()
  return missing.map((migration) => migration.name)
}

/** Whether migrations would change tables that are there: a database of an earlier version. */
export function isEarlier(database: Connection, migrations: readonly Migration[]): boolean {
  return appliedMigrations(database).length > 0 && missingMigrations(database, migrations).length > 0
}

/** @throws DatabaseTooNew, DatabaseUnusable, as `migrate` does */
export function missingMigrations(database: Connection, migrations: readonly Migration[]): Migration[] {
  const applied = appliedMigrations(database)
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new DatabaseTooNew(
      `database ${database.name}: it was changed by a later version (${unknown.join(', ')}). ` +
        'Run that version, or restore a backup made before the update.',
    )
  }
  return migrations.filter((migration) => !applied.includes(migration.name))
}

/** What opening a store would apply, by name. @throws DatabaseTooNew, DatabaseUnusable */
export function pendingSqliteMigrations(file: string, migrations: readonly Migration[]): string[] {
  let database: Connection | undefined
  try {
    database = openReadOnly(file, 250)
    return missingMigrations(database, migrations).map(({ name }) => name)
  } catch (error) {
    throw unusable(file, error)
  } finally {
    database?.close()
  }
}

function appliedMigrations(database: Connection): string[] {
  const tables = database.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all()
  if (tables.includes('migrations')) {
    return database.prepare<[], string>('SELECT name FROM migrations ORDER BY name').pluck().all()
  }
  if (tables.length === 0) return []
  throw new DatabaseUnusable(
    `database ${database.name}: it belongs to another program (it has ${tables[0]}, but no migrations). ` +
      'Name another file.',
  )
}

function apply(database: Connection, missing: readonly Migration[], at: Instant): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  )
  const record = database.prepare('INSERT INTO migrations (name, applied_at) VALUES (?, ?)')
  for (const migration of missing) {
    database.exec(migration.sqlite + (migration.onlySqlite ?? ''))
    record.run(migration.name, at)
  }
}
