/** Opens a SQLite file with the settings money needs, and proves that they hold. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { ColumnValue } from '../binding.ts'
import { DatabaseUnusable } from '../database-errors.ts'
import { makeFolder, syncFolder } from '../durable-files.ts'
import { isFull, unusable } from './errors.ts'

export type Connection = Database.Database

export type SqliteRow = Record<string, ColumnValue>

/**
 * So long is the log before it is moved into the database. Twice the usual: a page that is written often goes there
 * less often. A much longer one would eat the ballast of a full disk.
 */
export const logPages = 2000

/**
 * How the settings read back once they hold. SQLite ignores a setting it does not know or cannot apply without
 * a word, and this driver is built to drop to `synchronous=NORMAL` in WAL mode unless told otherwise: with it,
 * power cuts lose acknowledged commits.
 */
const settings: Readonly<Record<string, bigint | string>> = {
  journal_mode: 'wal',
  synchronous: 2n,
  foreign_keys: 1n,
  trusted_schema: 0n,
  cell_size_check: 1n,
  temp_store: 2n,
  wal_autocheckpoint: BigInt(logPages),
  // A long read lets the log grow; begun anew, it gives back to the disk what is more than this.
  journal_size_limit: 16_777_216n,
  cache_size: -8000n,
  busy_timeout: 250n,
  // Only macOS looks at these two: its fsync alone does not reach the disk.
  fullfsync: 1n,
  checkpoint_fullfsync: 1n,
}

/** @throws DatabaseUnusable when the file cannot be opened, is no database, or a setting does not hold. */
export function openDatabase(file: string): Connection {
  createPrivately(file)
  assertOneName(file)
  let database: Connection | undefined
  try {
    database = new Database(file, { fileMustExist: true, timeout: 250 })
    database.defaultSafeIntegers(true)
    setUp(database)
    return database
  } catch (error) {
    database?.close()
    throw unusable(file, error)
  }
}

/** @throws DatabaseUnusable when a setting does not hold. */
export function setUp(database: Connection): void {
  for (const [name, value] of Object.entries(settings)) database.pragma(`${name} = ${value}`)
  // The drop mentioned above comes with the first statement: only after one is there anything to prove.
  database.prepare('SELECT count(*) FROM sqlite_schema').get()
  assertSettings(database)
}

/** The log and the lock lie beside a name: whoever opened the file by another one would not see them. */
export function assertOneName(file: string): void {
  const { nlink } = statSync(file)
  if (nlink <= 1) return
  throw new DatabaseUnusable(
    `database ${file}: the file has ${nlink} names (hard links). Remove the others, or copy it with \`backup\`: ` +
      'two nodes that open it by different names destroy it.',
  )
}

export function assertSettings(database: Connection): void {
  for (const [name, expected] of Object.entries(settings)) {
    const actual = database.pragma(name, { simple: true })
    if (actual !== expected) {
      throw new DatabaseUnusable(
        `database ${database.name}: SQLite does not keep the setting ${name}=${expected} (it is ${actual}). ` +
          'Put the database on a local disk whose file system supports locks and shared memory.',
      )
    }
  }
}

/**
 * Makes durable what the log holds, before anybody is told of it. A process that was killed may have written a
 * commit and not synced it, and a sync that failed once says nothing the next time; moving the log into the
 * database writes and syncs all of it again. To be called by who is alone: a reader would keep the log from it.
 */
export function secureLog(database: Connection): void {
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
  } catch (error) {
    // The log itself was synced first, and stays until there is room in the database.
    if (!isFull(error)) throw error
  }
}

/**
 * Makes the file, mode 0600, and its folder, mode 0700, where they are missing, durably. An existing file is never
 * opened here: closing any descriptor of it would release this process's locks on it (POSIX), so it is
 * created exclusively or not touched.
 */
export function createPrivately(file: string): void {
  try {
    makeFolder(dirname(file))
    if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600))
    syncFolder(dirname(file))
  } catch (error) {
    // Another process was faster; who of the two owns the database is decided by its lock.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(file)) return
    throw unusable(file, error)
  }
}
