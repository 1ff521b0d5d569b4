/** A PostgreSQL database as what is moved, or as where it goes. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Client, QueryArrayConfig } from 'pg'
import { DatabaseLocked } from '../database-errors.ts'
import type { TableShape, TransferOptions, TransferSource, TransferTarget } from '../transfer.ts'
import { movedBy, movedTo, movingFrom, refusePrepared } from '../transfer.ts'
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
  const to = await factOf(client, movedTo)
  const by = await factOf(client, movedBy)
  try {
    refusePrepared(placeOf(url), await factOf(client, movingFrom))
  } catch (error) {
    await client.end()
    throw error
  }
  return {
    place: placeOf(url),
    moved: to === undefined ? null : { to, id: by ?? null },
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
    async markMoved(to, id) {
      // A node that starts now waits here, and then reads that it was moved; one that has read before is connected.
      await client.query('LOCK TABLE facts IN ACCESS EXCLUSIVE MODE')
      await refuseOthers(client, url)
      await run(client, record, [movedTo, to])
      await run(client, record, [movedBy, id])
      await client.query(refuseWrites)
      await client.query('COMMIT')
    },
    close: () => client.end(),
  }
}

/** A node that was cut off, and comes back when all is moved, would go on: its next commit is refused by the database. */
const refuseWrites = `
  CREATE OR REPLACE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'this database was moved to %', (SELECT value FROM facts WHERE name = '${movedTo}');
  END $$;
  DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT relname FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> 'migrations'
    LOOP
      EXECUTE format('CREATE OR REPLACE TRIGGER moved_away BEFORE INSERT OR UPDATE OR DELETE ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved()', found.relname);
    END LOOP;
  END $$`

/**
 * What is copied is counted and told already. And a counter's row keeps every version of one transaction: a million orders would have
 * each look through all before it. References are checked all the same.
 */
const triggers = (change: 'DISABLE' | 'ENABLE') => `
  DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
    LOOP
      EXECUTE format('ALTER TABLE %I ${change} TRIGGER USER', found.relname);
    END LOOP;
  END $$`

const readFact = new Prepared('SELECT value FROM facts WHERE name = $1')
/** Without a name: its columns change with each table. */
const fetchPage: QueryArrayConfig = {
  text: `FETCH ${pageRows} FROM moved`,
  rowMode: 'array',
  types: { getTypeParser: () => (text: string) => text },
}

const record = new Prepared(
  'INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
)

const forget = new Prepared('DELETE FROM facts WHERE name = $1')

export async function openPostgresTarget(url: string, options: TransferOptions): Promise<TransferTarget> {
  const client = await open(url, options)
  const prepared = await factOf(client, movingFrom)
  return {
    place: placeOf(url),
    prepared: prepared === undefined ? null : JSON.parse(prepared),
    async begin() {
      await client.query('BEGIN')
      await client.query(triggers('DISABLE'))
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
    async record(fact, value) {
      await run(client, record, [fact, value])
    },
    async forget(fact) {
      await run(client, forget, [fact])
    },
    async commit() {
      // Those that start from here on read what this database is.
      await refuseOthers(client, url)
      for (const { table, column, name } of rowsOf(await run(client, identities, []))) {
        const last = `SELECT max(${quoted(String(column))}) FROM ${quoted(String(table))}`
        await client.query(`SELECT setval($1::regclass, coalesce((${last}), 0) + 1, false)`, [name])
      }
      await client.query(triggers('ENABLE'))
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

async function factOf(client: Client, name: string): Promise<string | undefined> {
  const [found] = rowsOf(await run(client, readFact, [name]))
  return found === undefined ? undefined : String(found.value)
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
