/**
 * Opens a database on a connection that cannot write.
 *
 * A process that was killed while the file had a rollback journal (the moment in which a database is turned to a log)
 * leaves it to be undone by the next one, which has to be able to write. So what only reads lets that be done first.
 */
import { realpathSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Connection } from './database.ts'
import { isHalfWritten, unusable } from './errors.ts'

/** @throws what SQLite says where there is no such file, it is no database, or nobody may write what has to be undone. */
export function openReadOnly(file: string, timeout: number): Connection {
  try {
    return open(file, { readonly: true, timeout })
  } catch (error) {
    if (!isHalfWritten(error)) throw error
    open(file, { readonly: false, timeout }).close()
    return open(file, { readonly: true, timeout })
  }
}

/**
 * To read what the program itself has stored: integers are bigints, and what is damaged is met as an error.
 * @throws DatabaseUnusable when the file cannot be opened or is no database
 */
export function openStored(file: string): Connection {
  let database: Connection | undefined
  try {
    database = openReadOnly(realpathSync(file), 250)
    database.defaultSafeIntegers(true)
    database.pragma('trusted_schema = 0')
    database.pragma('cell_size_check = 1')
    return database
  } catch (error) {
    database?.close()
    throw unusable(file, error)
  }
}

/** Whatever is to be undone is met by the first look. */
function open(file: string, options: { readonly: boolean; timeout: number }): Connection {
  const database = new Database(file, { ...options, fileMustExist: true })
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
