/**
 * Opens the store a database URL names. PostgreSQL's engine and its driver are loaded where one names it: nobody else has
 * memory to spare for them.
 */
import { resolve } from 'node:path'
import { DatabaseUnusable } from './database-errors.ts'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite/engine.ts'
import { openSqliteReader } from './sqlite/reader.ts'
import { openSqliteSource, openSqliteTarget } from './sqlite/transfer.ts'
import type { Reader, Store } from './store.ts'
import type { TransferOptions, TransferSource, TransferTarget } from './transfer.ts'

export { migrations } from './migrations/index.ts'
export { copySqliteDatabase } from './sqlite/copy.ts'
export { standardBallastBytes } from './sqlite/disk-room.ts'
export { lockDatabase } from './sqlite/lock.ts'
export { pendingSqliteMigrations } from './sqlite/migrate.ts'

export type StoreOptions = Omit<SqliteStoreOptions, 'file'>

/**
 * The file of a `sqlite:PATH` URL, a relative one under the working directory; null for any other URL.
 * Always absolute: SQLite would read a name that begins with `file:` as an URL of its own.
 */
export function sqliteFile(url: string): string | null {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : ''
  return path === '' || path === ':memory:' ? null : resolve(path)
}

/**
 * @example const store = await openStore('sqlite:data/ventanilla.db', { clock })
 * @throws DatabaseLocked, DatabaseTooNew, DatabaseUnusable
 */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  if (isPostgres(url)) {
    const { openPostgresStore } = await import('./postgres/engine.ts')
    return openPostgresStore({ ...options, url })
  }
  return openSqliteStore({ ...options, file: fileOf(url) })
}

/**
 * Opens a database for long reads, beside a store that has it open, in this process or another.
 * @throws DatabaseUnusable
 */
export async function openReader(url: string): Promise<Reader> {
  if (isPostgres(url)) {
    const { openPostgresReader } = await import('./postgres/reader.ts')
    return openPostgresReader(url)
  }
  return openSqliteReader(fileOf(url))
}

/** Opens a database to move all of it away. @throws DatabaseLocked, DatabaseTooNew, DatabaseUnusable */
export async function openTransferSource(url: string, options: TransferOptions): Promise<TransferSource> {
  if (!isPostgres(url)) return openSqliteSource(fileOf(url), options)
  const { openPostgresSource } = await import('./postgres/transfer.ts')
  return openPostgresSource(url, options)
}

/** Opens, or makes, a database to move another one into. @throws DatabaseLocked, DatabaseTooNew, DatabaseUnusable */
export async function openTransferTarget(url: string, options: TransferOptions): Promise<TransferTarget> {
  if (!isPostgres(url)) return openSqliteTarget(fileOf(url), options)
  const { openPostgresTarget } = await import('./postgres/transfer.ts')
  return openPostgresTarget(url, options)
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url)
}

function fileOf(url: string): string {
  const file = sqliteFile(url)
  if (file !== null) return file
  throw new DatabaseUnusable(
    // Not the URL itself: it may hold a password.
    'database: the setting names no database. Use sqlite:PATH, for example sqlite:data/ventanilla.db, or postgres://….',
  )
}
