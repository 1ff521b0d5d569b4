/** What PostgreSQL's errors mean: an expected outcome, a reason to try again, or a server that is out of reach. */
import { DatabaseError } from 'pg'
import { DatabaseUnusable } from '../database-errors.ts'
import type { ConstraintName } from '../store.ts'

/** The names PostgreSQL gave them, or the migrations did; the tests provoke each of them. */
const constraints: Readonly<Record<string, ConstraintName>> = {
  orders_merchant_id_merchant_order_id_key: 'orders.merchant_order_id',
  orders_code_key: 'orders.code',
  funds: 'accounts.funds',
  parties_kind_name_key: 'parties.name',
  credentials_pkey: 'credentials.key',
  networks_pkey: 'networks.network_id',
  account_deposits_pkey: 'account_deposits.reference',
  idempotency_keys_pkey: 'idempotency_keys.key',
  repeated_messages_pkey: 'repeated_messages.digest',
  payments_bank_direction_bank_reference_key: 'payments.bank_reference',
  payments_run_id_party_id_currency_key: 'payments.run',
  bank_entries_pkey: 'bank_entries.reference',
  claims_of_order: 'claims.order_kind',
  claims_of_provider: 'claims.provider_kind',
  claims_of_exception: 'claims.exception',
}

/** The SQLSTATE of an error the server reported, otherwise ''. */
function stateOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : ''
}

export function violatedConstraint(error: unknown): ConstraintName | null {
  if (!(error instanceof DatabaseError) || !stateOf(error).startsWith('23')) return null
  return constraints[error.constraint ?? ''] ?? null
}

/** A row was refused for what is in it. */
export function isOfValues(error: unknown): boolean {
  return /^2[23]/.test(stateOf(error))
}

/** The table into which a row could not be put because there is one with its key; otherwise `null`. */
export function tableOfDuplicate(error: unknown): string | null {
  return error instanceof DatabaseError && error.code === '23505' ? (error.table ?? null) : null
}

/**
 * Two transactions that could not both go on, of which the server ended this one; or a statement whose tables were
 * changed since it was prepared.
 */
export function isRepeatable(error: unknown): boolean {
  return ['40001', '40P01', '26000', '0A000'].includes(stateOf(error))
}

/** Somebody holds a row for longer than anybody should wait for it. */
export function isBlocked(error: unknown): boolean {
  return ['55P03', '57014'].includes(stateOf(error))
}

/** The server has no room, or no memory, for what it was asked. */
export function isFull(error: unknown): boolean {
  return stateOf(error).startsWith('53')
}

/**
 * The connection is gone or of no use: the network, a server that ends, starts or has become a replica. What is not
 * the server's word comes from the driver, which then has no connection.
 */
export function isLost(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return error instanceof ConnectionFault || isOfDriver(error)
  if (error.severity === 'FATAL' || error.severity === 'PANIC') return true
  return stateOf(error).startsWith('08') || stateOf(error) === '25006' || stateOf(error).startsWith('57P')
}

/** A connection that may not be used any more, for a reason of ours. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
}

/** A pooler gives this program no sessions of its own. */
export class PoolerUnfit extends ConnectionFault {
  constructor(problem: string, options?: ErrorOptions) {
    super(
      `A connection pooler answers there, and ${problem}. This program needs sessions of its own (settings, locks, ` +
        'notifications): name the server itself, or set pool_mode=session, with eleven sessions for each node.',
      options,
    )
  }
}

/** A primary whose place a standby has taken came back as if nothing had happened. */
export class OldPrimary extends ConnectionFault {
  constructor(timeline: number, newest: number) {
    super(
      `An old primary answers there: its timeline is ${timeline}, and this node has seen ${newest}. Lead the nodes to ` +
        'the server that was promoted; if this one is meant, start them again.',
    )
  }
}

/** It was led to a standby, which takes no writes, and may lag behind what was acknowledged. */
export class NotPrimary extends ConnectionFault {
  constructor() {
    super('The server is a replica, which takes no writes. Name the primary.')
  }
}

function isOfDriver(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('syscall' in error || ('code' in error && typeof error.code === 'string')) return true
  return /connection|timeout|queryable|terminated/i.test(error.message)
}

/** Says to an operator what is wrong with the database; errors of ours stay as they are. */
export function unusable(where: string, cause: unknown): unknown {
  if (cause instanceof DatabaseUnusable) return cause
  if (cause instanceof PoolerUnfit || cause instanceof NotPrimary)
    return new DatabaseUnusable(`database ${where}: ${cause.message}`, { cause })
  const reason =
    cause instanceof Error ? cause.message || String('code' in cause && cause.code) : String(cause)
  const isOfServer = /^(08|28|3D|42501|53|57P)/.test(stateOf(cause))
  if (!isOfServer && !isLost(cause)) return cause
  return new DatabaseUnusable(
    `database ${where}: ${reason}. Check that the server runs, the name and the password.`,
    { cause },
  )
}
