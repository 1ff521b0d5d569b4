/** Long reads of a SQLite database, on a connection that cannot write. */
import { quoted } from '../binding.ts'
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

  /**
   * The whole at first, which alone shows a page that two tables use, or none; then, table by table, what takes the time: whether
   * each row is in each index.
   */
  async *damages(): AsyncIterable<string[]> {
    const told = new Set(['ok'])
    const looks = this.#tables().map((table) => `integrity_check(${quoted(table)})`)
    for (const look of [`quick_check(${maxProblems})`, ...looks]) {
      const found = this.#database.prepare<[], string>(`PRAGMA ${look}`).pluck().all()
      yield found.filter((problem) => !told.has(problem))
      for (const problem of found) told.add(problem)
    }
  }

  async *brokenReferences(): AsyncIterable<string[]> {
    const broken = this.#database.prepare<[string], { parent: string; rows: bigint }>(
      'SELECT parent, count(*) AS rows FROM pragma_foreign_key_check(?) GROUP BY 1',
    )
    for (const table of this.#tables()) {
      const found = broken.all(table)
      yield found.map(({ parent, rows }) => `${rows} rows of ${table} refer to no row of ${parent}`)
    }
  }

  /** Those that have pages. */
  #tables(): string[] {
    return this.#database
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name",
      )
      .pluck()
      .all()
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
