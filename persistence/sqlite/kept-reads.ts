/** What was read of the reference tables, kept until one of them has changed. */
import type { ColumnValue } from '../binding.ts'
import type { SqliteRow } from './database.ts'

/** More than a node has of keys, pairs and networks; beyond it everything is read anew. */
const maxKept = 10_000

export class KeptReads {
  readonly #version: () => number
  readonly #kept = new Map<object, Map<string, readonly SqliteRow[]>>()
  #count = 0
  #seen = Number.NaN

  /** @param version changes after each commit that has changed a reference table, before anybody is told of it */
  constructor(version: () => number) {
    this.#version = version
  }

  /** What `read` returns, of this or of an earlier call for the same statement and values. */
  rows(statement: object, values: readonly ColumnValue[], read: () => SqliteRow[]): readonly SqliteRow[] {
    const version = this.#version()
    if (version !== this.#seen || this.#count > maxKept) this.#forget(version)
    let ofStatement = this.#kept.get(statement)
    if (ofStatement === undefined) {
      ofStatement = new Map()
      this.#kept.set(statement, ofStatement)
    }
    const key = keyOf(values)
    let rows = ofStatement.get(key)
    if (rows === undefined) {
      // Everybody is given the same ones.
      rows = read().map(Object.freeze) as SqliteRow[]
      ofStatement.set(key, rows)
      this.#count++
    }
    return rows
  }

  #forget(version: number): void {
    this.#kept.clear()
    this.#count = 0
    this.#seen = version
  }
}

/** One text for the same values alone, whatever is in them. */
function keyOf(values: readonly ColumnValue[]): string {
  const [first] = values
  if (values.length === 1 && typeof first === 'string') return first
  return JSON.stringify(values.map((value) => (typeof value === 'bigint' ? { minor: `${value}` } : value)))
}
