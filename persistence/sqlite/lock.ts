/**
 * One process owns a database, by an exclusive transaction on `<database file>.lock`.
 *
 * The lock is itself a SQLite file: Node has no flock, and the operating system lets go of SQLite's locks when
 * the process dies, however it dies. POSIX locks are also lost when the process closes *any* descriptor of the
 * file, so nothing may open the lock, the database, its -wal or its -shm through `fs`.
 */
import Database from 'better-sqlite3'
import { DatabaseLocked } from '../database-errors.ts'
import { createPrivately } from './database.ts'
import { isBusy, unusable } from './errors.ts'

export interface DatabaseLock {
  /** Lets the next owner in. The lock's file stays: removing it would let two owners hold two files. */
  release(): void
}

/** @throws DatabaseLocked when another process (or another store of this one) owns the database. */
export function lockDatabase(file: string): DatabaseLock {
  const lockFile = `${file}.lock`
  createPrivately(lockFile)
  let connection: Database.Database | undefined
  try {
    connection = new Database(lockFile, { fileMustExist: true, timeout: 250 })
    // With a log an exclusive transaction would let readers in; a journal on the disk could not be begun on a full one.
    connection.pragma('journal_mode = MEMORY')
    connection.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    connection?.close()
    if (isBusy(error)) {
      throw new DatabaseLocked(
        `database ${file}: another process owns it (it holds ${lockFile}). ` +
          'Stop that process, or give the command to the node that is running.',
        { cause: error },
      )
    }
    throw unusable(lockFile, error)
  }
  const held = connection
  return { release: () => held.close() }
}
