/** Prepared statements and the reading of their rows: the hot path of every step. */
import type Database from 'better-sqlite3'
import type { ColumnValue } from '../binding.ts'
import type { Connection, SqliteRow } from './database.ts'

/** More than all fixed statements together; only texts that depend on what is asked (filters) can pass it. */
const maxStatements = 500

/** Prepares each text once; forgets the longest unused text beyond `maxStatements`. */
export class StatementCache {
  readonly #database: Connection
  readonly #statements = new Map<string, Prepared>()

  constructor(database: Connection) {
    this.#database = database
  }

  prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql)
    // Taken out and put back, so that the first of the map is the longest unused.
    if (prepared) this.#statements.delete(sql)
    else prepared = new Prepared(this.#database.prepare(sql))
    this.#statements.set(sql, prepared)
    if (this.#statements.size > maxStatements) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest)
        break
      }
    }
    return prepared
  }
}

export class Prepared {
  /** False when the statement may write. */
  readonly readonly: boolean
  readonly #statement: Database.Statement<[readonly ColumnValue[]], SqliteRow>
  readonly #convert: (row: SqliteRow) => SqliteRow

  constructor(statement: Database.Statement<[readonly ColumnValue[]], SqliteRow>) {
    this.readonly = statement.readonly
    this.#statement = statement
    this.#convert = rowConversion(statement.reader ? statement.columns() : [])
  }

  get(values: readonly ColumnValue[]): SqliteRow | null {
    const row = this.#statement.get(values)
    return row ? this.#convert(row) : null
  }

  /** The rows, or none for a statement that returns none. */
  all(values: readonly ColumnValue[]): SqliteRow[] {
    if (this.#statement.reader) return this.#statement.all(values).map(this.#convert)
    this.#statement.run(values)
    return []
  }

  /** How many rows a statement that returns none has changed. */
  run(values: readonly ColumnValue[]): number {
    return this.#statement.run(values).changes
  }
}

/** Integers arrive as BigInt: columns ending in `_minor` stay so, all others become numbers. */
function rowConversion(columns: readonly Database.ColumnDefinition[]): (row: SqliteRow) => SqliteRow {
  const amounts = columns.map((column) => column.name).filter((name) => name.endsWith('_minor'))
  // A STRICT table's TEXT column never holds an integer; an expression (no declared type) may.
  const numbers = columns
    .filter((column) => column.type !== 'TEXT' && !column.name.endsWith('_minor'))
    .map((column) => column.name)
  return (row) => {
    for (const name of numbers) {
      const value = row[name]
      if (typeof value === 'bigint') row[name] = safeNumber(name, value)
    }
    for (const name of amounts) {
      if (typeof row[name] === 'number') throw new Error(`${name} is not an amount of whole minor units`)
    }
    return row
  }
}

function safeNumber(name: string, value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number))
    throw new Error(`${name} is ${value}, beyond what a number holds exactly`)
  return number
}
