/** What SQLite's errors mean: an expected outcome, a full disk, or a database that can no longer be trusted. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { DatabaseUnusable } from '../database-errors.ts'
import type { ConstraintName } from '../store.ts'

/** SQLite names a violated constraint only in its message; the tests provoke each of them. */
const constraintsByMessage: ReadonlyMap<string, ConstraintName> = new Map([
  ['UNIQUE constraint failed: orders.merchant_id, orders.merchant_order_id', 'orders.merchant_order_id'],
  ['UNIQUE constraint failed: orders.code', 'orders.code'],
  ['CHECK constraint failed: funds', 'accounts.funds'],
  ['UNIQUE constraint failed: parties.kind, parties.name', 'parties.name'],
  ['UNIQUE constraint failed: credentials.key', 'credentials.key'],
  ['UNIQUE constraint failed: networks.network_id', 'networks.network_id'],
  [
    'UNIQUE constraint failed: account_deposits.merchant_id, account_deposits.reference',
    'account_deposits.reference',
  ],
  ['UNIQUE constraint failed: idempotency_keys.party_id, idempotency_keys.key', 'idempotency_keys.key'],
  [
    'UNIQUE constraint failed: repeated_messages.party_id, repeated_messages.digest',
    'repeated_messages.digest',
  ],
  [
    'UNIQUE constraint failed: payments.bank, payments.direction, payments.bank_reference',
    'payments.bank_reference',
  ],
  ['UNIQUE constraint failed: payments.run_id, payments.party_id, payments.currency', 'payments.run'],
  [
    'UNIQUE constraint failed: bank_entries.bank, bank_entries.direction, bank_entries.reference',
    'bank_entries.reference',
  ],
  ['UNIQUE constraint failed: claims.order_id, claims.kind', 'claims.order_kind'],
  ['UNIQUE constraint failed: claims.order_id, claims.kind, claims.provider_id', 'claims.provider_kind'],
  ['UNIQUE constraint failed: claims.exception_id', 'claims.exception'],
])

/** The result code of an error SQLite reported (`SQLITE_FULL`, `SQLITE_IOERR_WRITE` …), otherwise ''. */
function sqliteCode(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : ''
}

export function violatedConstraint(error: unknown): ConstraintName | null {
  if (!(error instanceof Error) || !sqliteCode(error).startsWith('SQLITE_CONSTRAINT')) return null
  return constraintsByMessage.get(error.message) ?? null
}

/** A disk that fails, a damaged file, a file that was taken away or made read-only: nothing further may run. */
export function isFatal(error: unknown): error is Error {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL)/.test(sqliteCode(error))
}

export function isFull(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_FULL'
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_BUSY')
}

/** It is as a killed process left it, and can be read once somebody who may write has undone what that had begun. */
export function isHalfWritten(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_READONLY_ROLLBACK'
}

/**
 * Says to an operator which file could not be used, when the file, the disk or the permissions are to blame.
 * All other errors (a migration with a mistake, say) are ours and stay as they are.
 */
export function unusable(file: string, cause: unknown): unknown {
  const ofFileSystem = cause instanceof Error && 'syscall' in cause
  if (!ofFileSystem && !isFatal(cause) && !isFull(cause) && !isBusy(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new DatabaseUnusable(`database ${file}: ${reason}. ${remedy(file, cause)}`, { cause })
}

function remedy(file: string, cause: unknown): string {
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(cause)))
    return 'It is damaged, or no database. Keep it elsewhere, and restore the last backup: ventanilla restore.'
  const free = freeBytes(dirname(file))
  return free !== null && free < leastFreeBytes
    ? `The disk is full: ${Math.floor(free / 1024)} kB are free. Make room (df), then start again; nothing is lost.`
    : 'Check the path, its permissions and the disk.'
}

/** SQLite needs some room for its log and the log's index even to read. */
const leastFreeBytes = 1024 * 1024

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
