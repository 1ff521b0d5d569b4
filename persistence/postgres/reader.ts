/** Long reads of a PostgreSQL database, on a connection that cannot write. */
import type { Client } from 'pg'
import type { Statement } from '../statement.ts'
import type { Query, Reader } from '../store.ts'
import { compile } from './compile.ts'
import { connect, run, unusableAt } from './database.ts'
import { Prepared, rowsOf } from './prepared.ts'

/** @throws DatabaseUnusable when the server cannot be reached. */
export async function openPostgresReader(url: string): Promise<Reader> {
  try {
    return new PostgresReader(await connect(url, { name: 'verifier', isLong: true }))
  } catch (error) {
    throw unusableAt(url, error)
  }
}

/** As `journal_end` does it: no entry of the journal comes later to lie below what is seen. */
const beginWhole = [
  'SELECT pg_advisory_lock(20251, 2)',
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  // The state is that of the first read, and the lock no longer needed.
  'SELECT pg_advisory_unlock(20251, 2)',
]

interface Constraint {
  name: string
  table: string
  parent: string
  columns: string[]
  parentColumns: string[]
}

const references = new Prepared(
  `SELECT k.conname AS name, child.relname AS "table", parent.relname AS parent,
     (SELECT string_agg(a.attname, ' ' ORDER BY p.n) FROM unnest(k.conkey) WITH ORDINALITY AS p (c, n)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.c) AS columns,
     (SELECT string_agg(a.attname, ' ' ORDER BY p.n) FROM unnest(k.confkey) WITH ORDINALITY AS p (c, n)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = p.c) AS parent_columns
   FROM pg_constraint k JOIN pg_class child ON child.oid = k.conrelid JOIN pg_class parent ON parent.oid = k.confrelid
   WHERE k.contype = 'f' AND child.relnamespace = current_schema()::regnamespace ORDER BY 1`,
)

class PostgresReader implements Reader {
  readonly engine = 'postgres'
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async snapshot<Result>(read: (query: Query) => Promise<Result>): Promise<Result> {
    try {
      for (const text of beginWhole) await this.#client.query(text)
      return await read(this.#query)
    } finally {
      await this.#client.query('ROLLBACK').catch(() => {})
      await this.#client.query('SELECT pg_advisory_unlock_all()').catch(() => {})
    }
  }

  /** PostgreSQL itself looks at its pages as it reads them, where they have checksums. */
  async *damages(): AsyncIterable<string[]> {
    const [found] = rowsOf(await run(this.#client, invalid, []))
    if (found !== undefined) yield [`the index ${found.name} is not valid: build it anew with REINDEX`]
  }

  async *brokenReferences(): AsyncIterable<string[]> {
    for (const row of rowsOf(await run(this.#client, references, []))) {
      const { table, parent, columns, parentColumns } = constraintOf(row)
      const equal = columns
        .map((column, index) => `p."${parentColumns[index]}" = c."${column}"`)
        .join(' AND ')
      const given = columns.map((column) => `c."${column}" IS NOT NULL`).join(' AND ')
      const text = `SELECT count(*) AS rows FROM "${table}" c WHERE ${given}
        AND NOT EXISTS (SELECT FROM "${parent}" p WHERE ${equal})`
      const [count] = rowsOf(await run(this.#client, new Prepared(text), []))
      yield Number(count?.rows) > 0 ? [`${count?.rows} rows of ${table} refer to no row of ${parent}`] : []
    }
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  readonly #query: Query = async <Arguments extends object, R>(
    statement: Statement<Arguments, R>,
    args: Arguments,
  ): Promise<R[]> => {
    const { prepared, bind } = compile(statement)
    // What a statement returns is what its builder was typed with.
    return rowsOf(await run(this.#client, prepared, bind(args))) as R[]
  }
}

const invalid = new Prepared(
  'SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE NOT i.indisvalid LIMIT 1',
)

function constraintOf(row: Readonly<Record<string, unknown>>): Constraint {
  const list = (text: unknown) => String(text).split(' ')
  return {
    name: String(row.name),
    table: String(row.table),
    parent: String(row.parent),
    columns: list(row.columns),
    parentColumns: list(row.parent_columns),
  }
}
