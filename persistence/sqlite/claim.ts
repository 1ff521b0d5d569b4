/**
 * Proves that no other process has the database's file open, whatever name it has it by.
 *
 * The lock beside the database is on a name: through a bind mount of the file (a container's `-v FILE:FILE`) the same
 * database has another lock, another log and another index of it, and two nodes would pay one order twice. SQLite's
 * own locks are on the file itself. Whoever has it open in WAL mode keeps a shared one, so an exclusive one is got by
 * who is alone.
 *
 * That lock has to be given back before others of this process (and a replicator) can read, and cannot be turned into
 * a shared one. Between the two another process may get it. So the claim leaves a mark in the file while it is alone:
 * who finds its own mark there once it has the file open for good knows that nobody was alone after it, and nobody
 * can be from then on.
 *
 * Only a database of ours, of a version this one knows, is claimed: in any other file not a byte changes.
 */
import Database from 'better-sqlite3'
import { DatabaseOpenElsewhere, DatabaseUnusable } from '../database-errors.ts'
import type { Migration } from '../migrations/index.ts'
import {
  assertOneName,
  type Connection,
  createPrivately,
  openDatabase,
  secureLog,
  setUp,
} from './database.ts'
import { isBusy, isFull, unusable } from './errors.ts'
import { missingMigrations } from './migrate.ts'

/** The header's field that programs have for themselves; it counts the claims. */
const mark = 'user_version'
const marks = 2n ** 31n

export interface Claim {
  /** Those of this version, by which it knows a database of its own. */
  migrations: readonly Migration[]
  /** Called when the exclusive lock was given back, and nothing else is held yet. */
  claimed?: () => void
}

/**
 * Opens the database for its owner, who has its lock. What its log holds is in the database, durably.
 * @throws DatabaseOpenElsewhere when another process has the file open, DatabaseTooNew when a later version changed
 *   it, DatabaseUnusable when it is another program's, and as `openDatabase`.
 */
export function openAlone(file: string, { migrations, claimed: onClaimed }: Claim): Connection {
  createPrivately(file)
  assertOneName(file)
  assertOurs(file, migrations)
  const claimed = claim(file, migrations)
  onClaimed?.()
  const database = openDatabase(file)
  try {
    if (markOf(database) !== claimed) throw alsoOpen(file)
    return database
  } catch (error) {
    database.close()
    throw unusable(file, error)
  }
}

/**
 * A connection that can write would move what another program's log holds into its database when it is closed. This one
 * cannot. It may meet somebody at work, who has the file by another name: what cannot be read is judged by who is alone.
 */
function assertOurs(file: string, migrations: readonly Migration[]): void {
  let database: Connection | undefined
  try {
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: 250 })
    missingMigrations(database, migrations)
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
  } finally {
    database?.close()
  }
}

/** @returns the mark. */
function claim(file: string, migrations: readonly Migration[]): bigint {
  let database: Connection | undefined
  try {
    database = new Database(file, { fileMustExist: true, timeout: 250 })
    database.defaultSafeIntegers(true)
    // Before the first look at the file, so that it is never open without.
    database.pragma('locking_mode = EXCLUSIVE')
    missingMigrations(database, migrations)
    setUp(database)
    // What is in a log is nobody else's to see: the mark has to be in the file.
    secureLog(database)
    const claimed = leaveMark(database)
    secureLog(database)
    return claimed
  } catch (error) {
    if (isBusy(error)) throw alsoOpen(file, error)
    throw unusable(file, error)
  } finally {
    database?.close()
  }
}

function leaveMark(database: Connection): bigint {
  const before = markOf(database)
  const next = (before + 1n) % marks
  try {
    database.pragma(`${mark} = ${next}`)
    return next
  } catch (error) {
    // Not even a page fits. Others find the same: whoever claims it at this very moment.
    if (isFull(error)) return before
    throw error
  }
}

function markOf(database: Connection): bigint {
  return database.prepare<[], bigint>(`PRAGMA ${mark}`).pluck().get() ?? 0n
}

function alsoOpen(file: string, cause?: unknown): DatabaseOpenElsewhere {
  return new DatabaseOpenElsewhere(
    `database ${file}: another process has this file open, under this name or another one (a bind mount, as a ` +
      "container's -v FILE:FILE). If it is a node, stop it, and mount the folder, not the file. What only reads (a " +
      'replicator, a backup, sqlite3) starts after the node: stop it, start the node, then start it again.',
    { cause },
  )
}
