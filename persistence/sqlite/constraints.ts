/** Which violated constraint is an expected outcome, and which errors say that the database can no longer be trusted. */
import type { ConstraintName } from '../store.ts'
import { sqliteCode } from './database.ts'

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
])

export function violatedConstraint(error: unknown): ConstraintName | null {
  if (!(error instanceof Error) || !sqliteCode(error)?.startsWith('SQLITE_CONSTRAINT')) return null
  return constraintsByMessage.get(error.message) ?? null
}

/** A disk that fails, a damaged file, a file that was taken away or made read-only: nothing further may run. */
export function isFatal(error: unknown): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB|READONLY|CANTOPEN|PROTOCOL)/.test(sqliteCode(error) ?? '')
}

export function isFull(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_FULL'
}
