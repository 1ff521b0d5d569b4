/** Long reads of a SQLite database, on a connection that cannot write. */
import type { Statement } from '../statement.ts'
import type { Query, Reader } from '../store.ts'
import { StatementCompiler } from './compile.ts'
import type { Connection } from './database.ts'
import { StatementCache } from './prepared.ts'
import { openStored } from './read-only.ts'

/** More than anybody reads; each one found makes the check slower. */
const maxProblems = 100

/** @throws DatabaseUnusable when the file cannot be opened or is no database. */
export function openSqliteReader(file: string): Reader {
  return new SqliteReader(openStored(file))
}

class SqliteReader implements Reader {
  readonly engine = 'sqlite'
  readonly #database: Connection
  readonly #compiler: StatementCompiler

  constructor(database: Connection) {
    this.#database = database
    this.#compiler = new StatementCompiler(new StatementCache(database))
  }

  async snapshot<Result>(read: (query: Query) => Promise<Result>): Promise<Result> {
    // The state is that of the first read; SQLite refuses a second BEGIN inside it.
    this.#database.exec('BEGIN')
    try {
      return await read(this.#query)
    } finally {
      // After an I/O error it may have ended by itself.
      if (this.#database.inTransaction) this.#database.exec('COMMIT')
    }
  }

  async damages(): Promise<string[]> {
    const found = this.#database.pragma(`integrity_check(${maxProblems})`) as { integrity_check: string }[]
    return found.map((row) => row.integrity_check).filter((problem) => problem !== 'ok')
  }

  async brokenReferences(): Promise<string[]> {
    const broken = this.#database
      .prepare<[number], { table: string; parent: string; rows: bigint }>(
        'SELECT "table", parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2 LIMIT ?',
      )
      .all(maxProblems)
    return broken.map(({ table, parent, rows }) => `${rows} rows of ${table} refer to no row of ${parent}`)
  }

  async close(): Promise<void> {
    this.#database.close()
  }

  readonly #query: Query = async <Arguments extends object, R>(
    statement: Statement<Arguments, R>,
    args: Arguments,
  ): Promise<R[]> => {
    const { prepared, bind } = this.#compiler.compile(statement)
    // What a statement returns is what its builder was typed with.
    return prepared.all(bind(args)) as R[]
  }
}
