/** Brings a database to this version's tables: all migrations it lacks, in one transaction, one node at a time. */
import type { PoolClient } from 'pg'
import type { Instant } from '../../machines/time.ts'
import { DatabaseTooNew, DatabaseUnusable } from '../database-errors.ts'
import type { Migration } from '../migrations/index.ts'
import { type Connections, run } from './database.ts'
import { postgresDefinitions } from './definitions.ts'
import { Prepared, rowsOf } from './prepared.ts'

/** Nodes that start together apply nothing twice. The key is ours, and of no other meaning. */
const oneAtATime = 'SELECT pg_advisory_xact_lock(20251, 1)'
const tables = new Prepared(
  `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
     ORDER BY relname = 'migrations' DESC, relname`,
)
const recorded = new Prepared('SELECT name FROM migrations ORDER BY name')
const record = new Prepared('INSERT INTO migrations (name, applied_at) VALUES ($1, $2)')

/**
 * @returns the names of the migrations it applied.
 * @throws DatabaseTooNew when the database has migrations this version does not know, DatabaseUnusable when it
 *   is another program's.
 */
export async function migrate(
  connections: Connections,
  migrations: readonly Migration[],
  at: Instant,
): Promise<string[]> {
  return connections.use(async (client) => {
    await client.query('BEGIN')
    try {
      // What another node changes may take longer than any step.
      await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0')
      await client.query(oneAtATime)
      const applied = await appliedMigrations(client, connections.place)
      const missing = missingOf(migrations, applied, connections.place)
      await apply(client, missing, at)
      await client.query('COMMIT')
      return missing.map((migration) => migration.name)
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      throw error
    }
  })
}

function missingOf(migrations: readonly Migration[], applied: readonly string[], place: string): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new DatabaseTooNew(
      `database ${place}: it was changed by a later version (${unknown.join(', ')}). ` +
        'Run that version, or restore a backup made before the update.',
    )
  }
  return migrations.filter((migration) => !applied.includes(migration.name))
}

async function appliedMigrations(client: PoolClient, place: string): Promise<string[]> {
  const [first] = rowsOf(await run(client, tables, []))
  if (first === undefined) return []
  if (first.name === 'migrations') {
    return rowsOf(await run(client, recorded, [])).map(({ name }) => String(name))
  }
  throw new DatabaseUnusable(
    `database ${place}: it belongs to another program (it has ${first.name}, but no migrations). ` +
      'Name another database.',
  )
}

async function apply(client: PoolClient, missing: readonly Migration[], at: Instant): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations (name TEXT COLLATE "C" PRIMARY KEY, applied_at BIGINT NOT NULL)',
  )
  for (const { name, sqlite, postgres = '' } of missing) {
    await client.query(postgresDefinitions(sqlite))
    if (postgres !== '') await client.query(postgres)
    await run(client, record, [name, at])
  }
}
