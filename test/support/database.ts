/** Databases of tests, on SQLite or on the engine that VENTANILLA_TEST_DATABASE names, each gone after its test file. */
import * as assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import type { Test } from 'uvu'
import { openStore, sqliteFile } from '../../persistence/index.ts'
import type { TableName } from '../../persistence/schema.ts'
import { type Statement, statement } from '../../persistence/statement.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { copyPostgresDatabase, dropPostgresDatabase, newPostgresDatabase } from './postgres.ts'

/** What a test looks at through SQLite's own files is not there. */
export const isOnPostgres = process.env.VENTANILLA_TEST_DATABASE === 'postgres'

export interface TestDatabases {
  /** A new one, with the tables of this version and nothing in them. Returns its URL, as the others do. */
  create(): Promise<string>
  /** One as it is now, also while a store that stands still has it open. */
  copy(url: string): Promise<string>
  /** A copy of one to which something was done that no constraint and no trigger lets pass. */
  changed(url: string, sql: string): Promise<string>
  /** For those who make so many that they cannot wait for the end. */
  drop(url: string): Promise<void>
}

export function testDatabases(test: Test): TestDatabases {
  const databases = isOnPostgres ? onPostgres() : onSqlite()
  test.after(() => databases.dropAll())
  return databases
}

interface Databases extends TestDatabases {
  dropAll(): Promise<void>
}

function onSqlite(): Databases {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-'))
  let count = 0
  const newFile = () => join(folder, `${count++}.db`)
  const copy = async (url: string) => {
    const file = newFile()
    withSqlite(url, (database) => database.prepare('VACUUM INTO ?').run(file))
    return `sqlite:${file}`
  }
  return {
    async create() {
      const file = newFile()
      await makeSqliteDatabase(file)
      return `sqlite:${file}`
    },
    copy,
    async changed(url, sql) {
      const changed = await copy(url)
      withSqlite(changed, (database) => {
        database.unsafeMode()
        database.pragma('foreign_keys = OFF')
        database.pragma('ignore_check_constraints = ON')
        database.exec(`DROP TRIGGER journal_is_append_only; ${sql}`)
        const changes = database.prepare('SELECT total_changes()').pluck().get()
        assert.ok(Number(changes) > 0, `it changes nothing: ${sql}`)
      })
      return changed
    },
    async drop(url) {
      for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(`${fileOf(url)}${suffix}`, { force: true })
    },
    async dropAll() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let template: Promise<Buffer> | undefined

/** Makes a database with the tables of this version and nothing in them: a copy of one, as each migration takes its time. */
export async function makeSqliteDatabase(file: string): Promise<void> {
  template ??= makeTemplate()
  writeFileSync(file, await template, { mode: 0o600 })
}

async function makeTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-'))
  try {
    const file = join(folder, 'template.db')
    const store = await openStore(`sqlite:${file}`, { clock: { now: () => 0 } })
    await store.close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fileOf(url: string): string {
  const file = sqliteFile(url)
  assert.ok(file, `${url} names no file`)
  return file
}

function withSqlite(url: string, work: (database: Database.Database) => unknown): void {
  const database = new Database(fileOf(url))
  try {
    work(database)
  } finally {
    database.close()
  }
}

function onPostgres(): Databases {
  const made = new Set<string>()
  const kept = async (url: Promise<string>) => {
    made.add(await url)
    return url
  }
  const drop = async (url: string) => {
    made.delete(url)
    await dropPostgresDatabase(url)
  }
  const unused: string[] = []
  return {
    create: () => kept(newPostgresDatabase()),
    copy: (url) => kept(copyPostgresDatabase(url)),
    async changed(url, sql) {
      const changed = await kept(copyPostgresDatabase(url))
      await changePostgres(changed, sql)
      return changed
    },
    async drop(url) {
      // The server waits a tenth of a second where a session is just ending; those of the one before have ended.
      const before = unused.shift()
      unused.push(url)
      if (before !== undefined) await drop(before)
    },
    async dropAll() {
      for (const url of made) await drop(url)
    },
  }
}

/** Neither triggers nor references hold in such a session; checks do, so they are taken away. */
const unchecked = `SET session_replication_role = replica;
  DO $$ DECLARE found record; BEGIN
    FOR found IN SELECT conrelid::regclass AS relation, conname FROM pg_constraint
      WHERE contype = 'c' AND connamespace = current_schema()::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.relation, found.conname); END LOOP;
  END $$`

async function changePostgres(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(unchecked)
    const results = [await client.query(sql)].flat()
    assert.ok(
      results.some(({ rowCount }) => Number(rowCount) > 0),
      `it changes nothing: ${sql}`,
    )
  } finally {
    await client.end()
  }
}

const everything = new Map<TableName, Statement<Record<never, never>, unknown>>()

/** Every row of a table, in the order of its key; orders, webhooks and exceptions in that of their times. */
export async function allRows<T extends TableName>(store: Store, table: T): Promise<Row<T>[]> {
  const known = everything.get(table)
  const all =
    known ??
    statement<Record<never, never>>()(`test.${table}`, ({ db }) =>
      db.selectFrom(table as TableName).selectAll(),
    )
  everything.set(table, all)
  const rows = (await store.query(all, {})) as Row<T>[]
  return store.engine === 'postgres' || timeOrders.has(table) ? rows.toSorted(inOrderOf(table)) : rows
}

/** Ids of exceptions are digests of what they are about, which is random in parts: their order says nothing. */
const timeOrders = new Map<TableName, readonly string[]>([
  ['orders', ['created_at']],
  ['webhooks', ['created_at', 'order_id', 'sequence']],
  ['exceptions', ['opened_at', 'id']],
])

/** Keys are the first columns of their tables. PostgreSQL gives rows as they lie, and each change moves one. */
function inOrderOf(table: TableName): (a: object, b: object) => number {
  return (a, b) => {
    const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
    for (const name of timeOrders.get(table) ?? left.keys()) {
      if (left.get(name) !== right.get(name)) return left.get(name) < right.get(name) ? -1 : 1
    }
    return 0
  }
}
