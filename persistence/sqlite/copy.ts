/** A copy of a SQLite database as of one moment, made while its node goes on writing. */
import { closeSync, fsyncSync, openSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { syncFolder } from '../durable-files.ts'
import { unusable } from './errors.ts'
import { openReadOnly } from './read-only.ts'

/**
 * Writes the copy to a new file, mode 0600, and makes it durable. It is one read: what is committed meanwhile is not in
 * it, and the log cannot be cleared before it ends.
 * @throws DatabaseUnusable
 */
export function copySqliteDatabase(file: string, target: string): void {
  let database: Database.Database | undefined
  try {
    // SQLite writes into an empty file as into none, and the file has its mode before anything is in it.
    closeSync(openSync(target, 'wx', 0o600))
    database = openReadOnly(realpathSync(file), 5_000)
    database.prepare('VACUUM INTO ?').run(target)
  } catch (error) {
    throw unusable(file, error)
  } finally {
    database?.close()
  }
  const written = openSync(target, 'r+')
  try {
    fsyncSync(written)
  } finally {
    closeSync(written)
  }
  syncFolder(dirname(target))
}
