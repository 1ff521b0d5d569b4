/** Connections to a PostgreSQL server with the settings money needs, and the proof that they hold. */
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg'
import type { ColumnValue } from '../binding.ts'
import { DatabaseUnusable } from '../database-errors.ts'
import { isLost, pooler, unusable } from './errors.ts'
import { type PostgresRow, Prepared, type RawResult, rowsOf } from './prepared.ts'

/** How long a step waits for a row that somebody holds, and how long any statement may take. */
const lockTimeoutMs = 5_000
const statementTimeoutMs = 10_000
/**
 * A node that stands still inside a transaction loses it, and with it the rows it holds: other nodes wait for these,
 * and less long than a step waits for a row. Between two statements of a step lies no I/O but theirs.
 */
const idleInTransactionMs = 3_000
/** Longer than the server takes to give up by itself: then it is out of reach. */
const answerTimeoutMs = 15_000
const connectTimeoutMs = 5_000

export interface Purpose {
  /** In the server's list of its connections. */
  name: string
  isReadOnly?: boolean
  /** For long reads: statements may take as long as they need. */
  isLong?: boolean
  /** The server ends a session from which nothing has come for so long. */
  idleMs?: number
}

/** `HOST:PORT/NAME`, for people: the URL itself may hold a password. */
export function placeOf(url: string): string {
  const { host, searchParams, pathname } = new URL(url)
  return `${host || (searchParams.get('host') ?? 'localhost')}${pathname}`
}

function configOf(
  url: string,
  { name, isReadOnly = false, isLong = false, idleMs = 0 }: Purpose,
): ClientConfig {
  const settings: Record<string, string | number> = {
    default_transaction_isolation: 'read\\ committed',
    default_transaction_read_only: isReadOnly ? 'on' : 'off',
    idle_in_transaction_session_timeout: isLong ? 0 : idleInTransactionMs,
    idle_session_timeout: idleMs,
    lock_timeout: lockTimeoutMs,
    statement_timeout: isLong ? 0 : statementTimeoutMs,
    // A host that is gone without a word is noticed in ten seconds, and what its sessions held is free.
    tcp_keepalives_idle: 4,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 3,
  }
  return {
    connectionString: url,
    application_name: `ventanilla ${name}`,
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(isLong ? {} : { query_timeout: answerTimeoutMs }),
  }
}

/** `remote_apply` waits for more than `on` does; whatever waits for less could lose what was acknowledged. */
const keepCommits = new Prepared(
  `SELECT set_config('synchronous_commit',
     CASE WHEN current_setting('synchronous_commit') = 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)`,
)
const readSettings = new Prepared(
  `SELECT current_setting('synchronous_commit') AS synchronous_commit, current_setting('fsync') AS fsync,
     current_setting('full_page_writes') AS full_page_writes, current_setting('lock_timeout') AS lock_timeout, current_setting('server_encoding') AS server_encoding,
     current_setting('server_version_num')::bigint AS version, pg_is_in_recovery()::text AS is_replica`,
)
const oldestVersion = 140_000

async function prepareConnection(client: ClientBase): Promise<void> {
  await run(client, keepCommits, [])
}

export async function run(
  client: ClientBase,
  prepared: Prepared,
  values: readonly ColumnValue[],
): Promise<RawResult> {
  return client.query<(string | null)[], ColumnValue[]>(prepared.query(values))
}

/** Connections of one purpose: made when they are needed, and made anew when they are lost. */
export class Connections {
  readonly place: string
  readonly #pool: Pool

  constructor(url: string, purpose: Purpose, max: number) {
    this.place = placeOf(url)
    this.#pool = new Pool({
      ...configOf(url, purpose),
      max,
      onConnect: prepareConnection,
      allowExitOnIdle: true,
    })
    // One that nobody uses was lost: the next user gets another.
    this.#pool.on('error', () => {})
  }

  /** Lends a connection; one that was lost while it was lent is not lent again. */
  async use<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    // What happens to it while it is lent is told by the query under way.
    const ignore = () => {}
    client.on('error', ignore)
    try {
      const result = await work(client)
      client.off('error', ignore)
      client.release()
      return result
    } catch (error) {
      client.off('error', ignore)
      client.release(isLost(error) || client.getTransactionStatus() !== 'I')
      throw error
    }
  }

  async rows(prepared: Prepared, values: readonly ColumnValue[]): Promise<PostgresRow[]> {
    return this.use(async (client) => rowsOf(await run(client, prepared, values)))
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

/** A connection outside the pools. Whoever asks for it watches its end. */
export async function connect(url: string, purpose: Purpose): Promise<Client> {
  const client = new Client(configOf(url, purpose))
  client.on('error', () => {})
  try {
    await client.connect()
    await prepareConnection(client)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** @throws DatabaseUnusable when the server would lose what it has acknowledged, is a replica, or too old. */
export async function assertSettings(connections: Connections): Promise<void> {
  const [settings] = await connections.rows(readSettings, [])
  const problem = settings && problemOf(settings)
  if (problem != null) throw new DatabaseUnusable(`database ${connections.place}: ${problem}`)
}

function problemOf(settings: PostgresRow): string | null {
  const { synchronous_commit, fsync, full_page_writes, server_encoding, version, is_replica, lock_timeout } =
    settings
  if (Number(version) < oldestVersion)
    return `The server is too old (${version}); it has to be PostgreSQL 14 or later.`
  if (lock_timeout !== `${lockTimeoutMs / 1000}s`) {
    return `A connection pooler answers there, which forgets the settings of a session. ${pooler}`
  }
  if (is_replica === 'true') return 'The server is a replica, which takes no writes. Name the primary.'
  if (synchronous_commit !== 'on' && synchronous_commit !== 'remote_apply')
    return `The server does not keep the setting synchronous_commit=on (it is ${synchronous_commit}).`
  for (const [name, value] of Object.entries({ fsync, full_page_writes })) {
    if (value !== 'on')
      return `The server runs with ${name}=${value}, and a crash would lose orders. Set it to on.`
  }
  if (server_encoding !== 'UTF8') return `Its encoding is ${server_encoding}. Make it with ENCODING 'UTF8'.`
  return null
}

export function unusableAt(url: string, cause: unknown): unknown {
  return unusable(placeOf(url), cause)
}
