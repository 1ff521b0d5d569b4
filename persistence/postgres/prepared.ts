/** Statements as they are sent, and the reading of their rows: the hot path of every step. */
import type { FieldDef, QueryArrayConfig, QueryArrayResult } from 'pg'
import type { ColumnValue } from '../binding.ts'

export type PostgresRow = Record<string, ColumnValue>

/** As the server sends it. */
type RawRow = readonly (string | null)[]
export type RawResult = QueryArrayResult<(string | null)[]>

/** More than all fixed statements together; texts that depend on what is asked (filters) are not kept beyond it. */
const maxNames = 500

const names = new Map<string, string>()

/**
 * The name under which a connection keeps a text prepared; undefined once there are too many, so that no server
 * keeps what nobody asks again.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `v${names.size}`
  names.set(text, name)
  return name
}

/** Every value arrives as the text the server sent: which are amounts is said by the names of the columns. */
const asText = { getTypeParser: () => (text: string) => text }

export class Prepared {
  readonly text: string
  readonly #name: string | undefined

  constructor(text: string) {
    this.text = text
    this.#name = nameOf(text)
  }

  query(values: readonly ColumnValue[]): QueryArrayConfig<ColumnValue[]> {
    return {
      text: this.text,
      values: [...values],
      rowMode: 'array',
      types: asText,
      ...(this.#name === undefined ? {} : { name: this.#name }),
    }
  }
}

/** A list of values as PostgreSQL writes one. */
export function arrayOf(values: readonly ColumnValue[]): string {
  return `{${values.map(elementOf).join(',')}}`
}

function elementOf(value: ColumnValue): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : String(value)
}

/** @throws Error when a value is no amount of whole minor units, or beyond what a number holds exactly. */
export function rowsOf({ rows, fields }: RawResult): PostgresRow[] {
  const columns = fields.map(columnOf)
  return rows.map((raw) => rowOf(raw, columns))
}

interface Column {
  name: string
  read(text: string): ColumnValue
}

function rowOf(raw: RawRow, columns: readonly Column[]): PostgresRow {
  const row: PostgresRow = {}
  for (const [index, { name, read }] of columns.entries()) {
    const text = raw[index]
    row[name] = text == null ? null : read(text)
  }
  return row
}

const isText = (text: string) => text
const integerTypes: ReadonlySet<number> = new Set([20, 21, 23])
const numericType = 1700

/** Columns ending in `_minor` are amounts; all other integers are numbers. */
function columnOf({ name, dataTypeID }: FieldDef): Column {
  const isNumber = integerTypes.has(dataTypeID) || dataTypeID === numericType
  if (!isNumber) return { name, read: isText }
  return { name, read: name.endsWith('_minor') ? (text) => amount(name, text) : (text) => number(name, text) }
}

function amount(name: string, text: string): bigint {
  if (!/^-?\d+$/.test(text)) throw new Error(`${name} is not an amount of whole minor units`)
  return BigInt(text)
}

function number(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${name} is ${text}, beyond what a number holds exactly`)
  return value
}
