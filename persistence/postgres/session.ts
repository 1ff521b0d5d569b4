/**
 * What makes a connection a session of ours: its settings, and the proof that nobody else is given the same one.
 *
 * Leadership, notifications and settings last as long as a session of the server. A pooler that gives a session to
 * several connections in turn (PgBouncer in transaction or statement mode) would break all three without an error.
 * So each connection leaves a mark in its session: who finds another's mark, or not its own, shares it.
 */
import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { NotPrimary, OldPrimary, PoolerUnfit } from './errors.ts'

/** How long a step waits for a row that somebody holds, and how long any statement may take. */
const lockTimeoutMs = 5_000
const statementTimeoutMs = 10_000
/**
 * A node that stands still inside a transaction loses it, and with it the rows it holds: other nodes wait for these,
 * and less long than a step waits for a row. Between two statements of a step lies no I/O but theirs.
 */
const idleInTransactionMs = 3_000

export interface Purpose {
  /** In the server's list of its connections. */
  name: string
  isReadOnly?: boolean
  /** For long reads: statements may take as long as they need. */
  isLong?: boolean
  /** The server ends a session from which nothing has come for so long. */
  idleMs?: number
}

function settingsOf({ isReadOnly = false, isLong = false, idleMs = 0 }: Purpose): Record<string, string> {
  return {
    default_transaction_isolation: 'read committed',
    default_transaction_read_only: isReadOnly ? 'on' : 'off',
    idle_in_transaction_session_timeout: String(isLong ? 0 : idleInTransactionMs),
    idle_session_timeout: String(idleMs),
    lock_timeout: String(lockTimeoutMs),
    statement_timeout: String(isLong ? 0 : statementTimeoutMs),
    // A host that is gone without a word is noticed in ten seconds, and what its sessions held is free.
    tcp_keepalives_idle: '4',
    tcp_keepalives_interval: '2',
    tcp_keepalives_count: '3',
  }
}

const mark = 'ventanilla.session'
const readMark = `SELECT current_setting('${mark}', true) AS found`
/** `remote_apply` waits for more than `on` does; whatever waits for less could lose what was acknowledged. */
const keepCommits = `set_config('synchronous_commit',
  CASE WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)`

/** In one statement, and not a prepared one: in a session that others use its name could be taken. */
function beginning(settings: Readonly<Record<string, string>>): string {
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  return `SELECT current_setting('${mark}', true) AS found, pg_backend_pid() AS process,
    pg_is_in_recovery() AS is_standby,
    set_config('${mark}', $1, false), ${keepCommits}, ${set.join(', ')}`
}

/**
 * The server's history: each standby that is promoted begins another one, of a higher number. A server that cannot
 * tell, because it is none of PostgreSQL's own, has none.
 */
const readTimeline = `SELECT ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int AS timeline`
/** The newest one of each database that this process has seen, by its URL. */
const timelines = new Map<string, number>()

const watchers = new Map<string, Set<() => void>>()

/** Calls `listener` when a standby that was promoted answers at the URL. @returns the way to stop. */
export function watchHistory(url: string, listener: () => void): () => void {
  const known = watchers.get(url) ?? new Set()
  watchers.set(url, known.add(listener))
  return () => known.delete(listener)
}

const shares = 'gives one session to several connections'

interface Session {
  mark: string
  /** Whoever answers is not the server itself. */
  isPooled: boolean
}

const sessions = new WeakMap<ClientBase, Session>()

/**
 * @throws PoolerUnfit when another connection of ours was given the same session, NotPrimary when a standby answers,
 *   OldPrimary when another server has taken this one's place.
 */
export async function beginSession(client: ClientBase, url: string, purpose: Purpose): Promise<void> {
  const mine = randomUUID()
  const told = client.query<{ timeline: number }>(readTimeline).catch(() => null)
  const { rows } = await client.query<{ found: string | null; process: number; is_standby: boolean }>(
    beginning(settingsOf(purpose)),
    [mine],
  )
  const [begun] = rows
  if (begun?.is_standby) throw new NotPrimary()
  // A reset leaves an empty one.
  if (begun?.found) throw new PoolerUnfit(shares)
  // A pooler numbers its connections by itself.
  const isPooled = !('processID' in client) || client.processID !== begun?.process
  sessions.set(client, { mark: mine, isPooled })
  const timeline = (await told)?.rows[0]?.timeline ?? 0
  const newest = timelines.get(url) ?? 0
  // Its changes would be lost, and what it says is old.
  if (timeline > 0 && timeline < newest) throw new OldPrimary(timeline, newest)
  timelines.set(url, Math.max(timeline, newest))
  if (newest > 0 && timeline > newest) for (const tell of watchers.get(url) ?? []) tell()
}

/** True where a pooler answers: what is a session is then its word, which it may take back. */
export function isPooled(client: ClientBase): boolean {
  return sessions.get(client)?.isPooled ?? true
}

/** @throws PoolerUnfit when the connection is no longer in the session in which it began. */
export async function assertOwnSession(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>(readMark)
  if (rows[0]?.found !== sessions.get(client)?.mark) throw new PoolerUnfit(shares)
}
