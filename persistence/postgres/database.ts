/** Connections to a PostgreSQL server with the settings money needs, and the proof that they hold. */
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from 'pg'
import type { ColumnValue } from '../binding.ts'
import { DatabaseUnusable } from '../database-errors.ts'
import { isLost, PoolerUnfit, unusable } from './errors.ts'
import { type PostgresRow, Prepared, type RawResult, rowsOf } from './prepared.ts'
import { assertOwnSession, beginSession, isPooled, type Purpose } from './session.ts'

/** Longer than the server takes to give up by itself: then it is out of reach. */
const answerTimeoutMs = 15_000
const connectTimeoutMs = 5_000

/** `HOST:PORT/NAME`, for people: the URL itself may hold a password. */
export function placeOf(url: string): string {
  const read = URL.parse(url)
  if (read === null) return 'with an URL that cannot be read'
  const { host, searchParams, pathname } = read
  return `${host || (searchParams.get('host') ?? 'localhost')}${pathname}`
}

function configOf(url: string, { name, isLong = false }: Purpose): ClientConfig {
  return {
    connectionString: url,
    application_name: `ventanilla ${name}`,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(isLong ? {} : { query_timeout: answerTimeoutMs }),
  }
}

const readSettings = new Prepared(
  `SELECT current_setting('synchronous_commit') AS synchronous_commit, current_setting('fsync') AS fsync,
     current_setting('full_page_writes') AS full_page_writes, current_setting('server_encoding') AS server_encoding,
     current_setting('server_version_num')::bigint AS version`,
)
const oldestVersion = 140_000

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
      onConnect: (client) => beginSession(client, url, purpose),
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
      if (isPooled(client)) await assertOwnSession(client)
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
    await beginSession(client, url, purpose)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** So many connections at once show whether each has a session of its own, also where several poolers share a port. */
const probes = 4

/** @throws PoolerUnfit when a pooler gives one session to several connections, or has too few. */
export async function assertOwnSessions(connections: Connections, count = probes): Promise<void> {
  await connections.use(async (client) => {
    if (!isPooled(client)) return
    if (count > 1) {
      await assertOwnSessions(connections, count - 1).catch((cause) => {
        if (cause instanceof PoolerUnfit || !isLost(cause)) throw cause
        throw new PoolerUnfit(`has no ${probes} sessions at once`, { cause })
      })
    }
    await assertOwnSession(client)
  })
}

/** @throws DatabaseUnusable when the server would lose what it has acknowledged, or is too old. */
export async function assertSettings(connections: Connections): Promise<void> {
  const [settings] = await connections.rows(readSettings, [])
  const problem = settings && problemOf(settings)
  if (problem != null) throw new DatabaseUnusable(`database ${connections.place}: ${problem}`)
}

function problemOf(settings: PostgresRow): string | null {
  const { synchronous_commit, fsync, full_page_writes, server_encoding, version } = settings
  if (Number(version) < oldestVersion)
    return `The server is too old (${version}); it has to be PostgreSQL 14 or later.`
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
