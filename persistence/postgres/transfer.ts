/** A PostgreSQL database as what is moved, or as where it goes. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Client, QueryArrayConfig } from 'pg'
import { DatabaseLocked } from '../database-errors.ts'
import type { TableShape, TransferOptions, TransferSource, TransferTarget } from '../transfer.ts'
import { alreadyMoved, movedTo } from '../transfer.ts'
import { connect, placeOf, run, unusableAt } from './database.ts'
import { openPostgresStore } from './engine.ts'
import { Prepared, rowsOf } from './prepared.ts'

const pageRows = 500
/** What one statement of the protocol can have. */
const maxParameters = 60_000

const tables = new Prepared(
  `SELECT c.relname AS name,
     (SELECT string_agg(a.attname, ' ' ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
     (SELECT string_agg(p.relname, ' ') FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f') AS parents
   FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1`,
)
/** Identities go on behind what was copied. */
const identities = new Prepared(
  `SELECT c.relname AS "table", a.attname AS "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS name
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attidentity <> '' AND c.relnamespace = current_schema()::regnamespace`,
)
/** Those of our own session are called otherwise. */
const nodes = new Prepared(
  `SELECT count(*) AS sessions FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'ventanilla %' AND application_name <> $1`,
)
const purpose = { name: 'move', isLong: true }

/** @throws DatabaseLocked while nodes or commands are connected, DatabaseUnusable */
export async function openPostgresSource(url: string, options: TransferOptions): Promise<TransferSource> {
  const client = await open(url, options)
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  const [moved] = rowsOf(await run(client, readMoved, [movedTo]))
  if (moved !== undefined) {
    await client.end()
    throw alreadyMoved(placeOf(url), String(moved.value))
  }
  return {
    place: placeOf(url),
    tables: () => tablesOf(client),
    count: (table) => countOf(client, table),
    async *pages(table) {
      const columns = table.columns.map(quoted).join(', ')
      await client.query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${columns} FROM ${quoted(table.name)}`)
      for (;;) {
        const { rows, fields } = await client.query<(string | null)[]>(fetchPage)
        if (rows.length === 0) break
        yield rows.map((row) =>
          row.map((text, index) => (text !== null && fields[index]?.dataTypeID === 20 ? BigInt(text) : text)),
        )
      }
      await client.query('CLOSE moved')
    },
    async markMoved(to) {
      await refuseOthers(client, url)
      await run(client, record, [movedTo, to])
      await client.query('COMMIT')
    },
    close: () => client.end(),
  }
}

const readMoved = new Prepared('SELECT value FROM facts WHERE name = $1')
/** Without a name: its columns change with each table. */
const fetchPage: QueryArrayConfig = {
  text: `FETCH ${pageRows} FROM moved`,
  rowMode: 'array',
  types: { getTypeParser: () => (text: string) => text },
}

const record = new Prepared(
  'INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
)

export async function openPostgresTarget(url: string, options: TransferOptions): Promise<TransferTarget> {
  const client = await open(url, options)
  return {
    place: placeOf(url),
    async begin() {
      await client.query('BEGIN')
    },
    count: (table) => countOf(client, table),
    async clear(table) {
      await client.query(`DELETE FROM ${quoted(table)}`)
    },
    async insert({ name, columns }, rows) {
      const atOnce = Math.max(1, Math.floor(maxParameters / columns.length))
      for (let from = 0; from < rows.length; from += atOnce) {
        const some = rows.slice(from, from + atOnce)
        const places = some.map(
          (_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
        )
        const text = `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES ${places.join(', ')}`
        await client.query(text, some.flat())
      }
    },
    async commit() {
      for (const { table, column, name } of rowsOf(await run(client, identities, []))) {
        const last = `SELECT max(${quoted(String(column))}) FROM ${quoted(String(table))}`
        await client.query(`SELECT setval($1::regclass, coalesce((${last}), 0) + 1, false)`, [name])
      }
      await client.query('COMMIT')
      await client.query('ANALYZE')
    },
    close: () => client.end(),
  }
}

/** With the tables of this version, and nobody else connected. */
async function open(url: string, { clock }: TransferOptions): Promise<Client> {
  await (await openPostgresStore({ url, clock })).close()
  try {
    const client = await connect(url, purpose)
    await refuseOthers(client, url)
    return client
  } catch (error) {
    throw unusableAt(url, error)
  }
}

async function refuseOthers(client: Client, url: string): Promise<void> {
  // A session that has just ended may still be told of.
  for (let attempt = 0; attempt < 20; attempt++) {
    const [others] = rowsOf(await run(client, nodes, ['ventanilla move']))
    if (Number(others?.sessions) === 0) return
    await delay(50)
  }
  await client.end()
  throw new DatabaseLocked(`database ${placeOf(url)}: nodes are connected to it. Stop all of them first.`)
}

async function tablesOf(client: Client): Promise<TableShape[]> {
  const list = (text: unknown) => (text === null ? [] : String(text).split(' '))
  const found = rowsOf(await run(client, tables, []))
  return found.map(({ name, columns, parents }) => ({
    name: String(name),
    columns: list(columns),
    parents: list(parents),
  }))
}

async function countOf(client: Client, table: string): Promise<number> {
  const [found] = rowsOf(await run(client, new Prepared(`SELECT count(*) AS rows FROM ${quoted(table)}`), []))
  return Number(found?.rows)
}

function quoted(name: string): string {
  return `"${name}"`
}
