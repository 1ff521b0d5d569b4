/** Values on their way into a database, the same for every engine. */
import { Argument } from './statement.ts'

/** What a column may hold: amounts are BigInt, so that none is rounded on the way. */
export type ColumnValue = bigint | number | string | null

/** Names of columns, and their values in the same order. */
export interface Columns {
  names: string[]
  values: ColumnValue[]
}

export function columnsOf(row: object): Columns {
  const given = row as Readonly<Record<string, unknown>>
  const names = Object.keys(row)
  const values: ColumnValue[] = []
  for (const name of names) values.push(bindable(given[name], name))
  return { names, values }
}

/** The columns of a key as people read them: `order_id=…, sequence=1`. */
export function describeKey(key: Columns): string {
  return key.names.map((name, index) => `${name}=${key.values[index]}`).join(', ')
}

/**
 * A key that names more than one row would lock, change or remove rows nobody decided about.
 *
 * @param sets which columns together name one row of the table, as the database has them
 */
export function assertUnique(
  table: string,
  columns: readonly string[],
  sets: readonly (readonly string[])[],
): void {
  if (sets.some((set) => set.every((column) => columns.includes(column)))) return
  throw new Error(`${table}: the columns ${columns.join(', ') || '(none)'} name no single row`)
}

export function quoted(name: string): string {
  return `"${name}"`
}

/** Puts the arguments of a run into the places that a compiled statement has for them. */
export function binder(statement: string, parameters: readonly unknown[]): (args: object) => ColumnValue[] {
  const slots = parameters.map((parameter) =>
    parameter instanceof Argument
      ? { name: parameter.name }
      : { value: bindable(parameter, `a constant of ${statement}`) },
  )
  return (args) => {
    const given = args as Readonly<Record<string, unknown>>
    return slots.map((slot) =>
      'name' in slot ? bindable(given[slot.name], `${slot.name} of ${statement}`) : slot.value,
    )
  }
}

/**
 * Refuses what a driver would refuse without a name or send as some text or other, and NaN, which SQLite would keep
 * as NULL.
 */
function bindable(value: unknown, what: string): ColumnValue {
  switch (typeof value) {
    case 'string':
    case 'bigint':
      return value
    case 'number':
      if (Number.isFinite(value)) return value
      throw new TypeError(`${what}: ${value} cannot be bound to a column`)
    default:
      if (value === null) return value
      throw new TypeError(`${what}: ${typeof value} cannot be bound to a column`)
  }
}
