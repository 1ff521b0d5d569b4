/** A SQLite database as what is moved, or as where it goes. */
import { existsSync } from 'node:fs'
import { DatabaseUnusable } from '../database-errors.ts'
import { migrations } from '../migrations/index.ts'
import type {
  TableShape,
  TransferOptions,
  TransferSource,
  TransferTarget,
  TransferValue,
} from '../transfer.ts'
import { movedBy, movedTo, movingFrom, refusePrepared } from '../transfer.ts'
import { openAlone } from './claim.ts'
import { type Connection, createPrivately } from './database.ts'
import { lockDatabase } from './lock.ts'
import { migrate } from './migrate.ts'

const pageRows = 500

/** @throws DatabaseLocked while a node has it open, DatabaseUnusable when there is none. */
export async function openSqliteSource(file: string, options: TransferOptions): Promise<TransferSource> {
  if (!existsSync(file)) throw new DatabaseUnusable(`database ${file}: there is none.`)
  const { database, close } = open(file, options)
  try {
    refusePrepared(file, factOf(database, movingFrom))
  } catch (error) {
    await close()
    throw error
  }
  const to = factOf(database, movedTo)
  return {
    place: file,
    moved: to === undefined ? null : { to, id: factOf(database, movedBy) ?? null },
    close,
    tables: async () => tablesOf(database),
    count: async (table) => countOf(database, table),
    *pages(table) {
      // A list, not an object a row: the order of the columns is the table's.
      const rows = database
        .prepare<[], TransferValue[]>(
          `SELECT ${table.columns.map(quoted).join(', ')} FROM ${quoted(table.name)}`,
        )
        .raw()
      let page: TransferValue[][] = []
      for (const row of rows.iterate()) {
        page.push(row)
        if (page.length < pageRows) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    async markMoved(to, id) {
      database.transaction(() => {
        record(database, movedTo, to)
        record(database, movedBy, id)
      })()
    },
  }
}

export async function openSqliteTarget(file: string, options: TransferOptions): Promise<TransferTarget> {
  createPrivately(file)
  const { database, close } = open(file, options)
  const prepared = factOf(database, movingFrom)
  return {
    place: file,
    prepared: prepared === undefined ? null : JSON.parse(prepared),
    close,
    async begin() {
      database.exec('BEGIN IMMEDIATE')
    },
    count: async (table) => countOf(database, table),
    async clear(table) {
      database.exec(`DELETE FROM ${quoted(table)}`)
    },
    async insert({ name, columns }, rows) {
      const places = columns.map(() => '?').join(', ')
      const statement = database.prepare<TransferValue[]>(
        `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')}) VALUES (${places})`,
      )
      for (const row of rows) statement.run(...row)
    },
    record: async (fact, value) => record(database, fact, value),
    async forget(fact) {
      database.prepare('DELETE FROM facts WHERE name = ?').run(fact)
    },
    async commit() {
      database.exec('COMMIT')
    },
  }
}

function open(
  file: string,
  { clock }: TransferOptions,
): { database: Connection; close: () => Promise<void> } {
  const lock = lockDatabase(file)
  let opened: Connection | undefined
  try {
    const database = openAlone(file, { migrations })
    opened = database
    migrate(database, migrations, clock.now())
    const close = async () => {
      if (database.inTransaction) database.exec('ROLLBACK')
      database.close()
      lock.release()
    }
    return { database, close }
  } catch (error) {
    opened?.close()
    lock.release()
    throw error
  }
}

function factOf(database: Connection, name: string): string | undefined {
  return database.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck().get(name)
}

function record(database: Connection, name: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(name, value)
}

function tablesOf(database: Connection): TableShape[] {
  const names = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck()
  const parents = database.prepare<[string], string>('SELECT "table" FROM pragma_foreign_key_list(?)').pluck()
  return names.map((name) => ({ name, columns: columns.all(name), parents: parents.all(name) }))
}

function countOf(database: Connection, table: string): number {
  return Number(
    database
      .prepare(`SELECT count(*) FROM ${quoted(table)}`)
      .pluck()
      .get(),
  )
}

function quoted(name: string): string {
  return `"${name}"`
}
