/** The statements that find the rows a step names and run the writes it decides. */
import type { PoolClient } from 'pg'
import type { Instant } from '../../machines/time.ts'
import { assertUnique, type ColumnValue, columnsOf, describeKey, quoted } from '../binding.ts'
import { aboutDay } from '../posting-days.ts'
import type { TableName } from '../schema.ts'
import type { Posting, RowRef, Write } from '../store.ts'
import { accountId } from '../store.ts'
import { run } from './database.ts'
import { arrayOf, type PostgresRow, Prepared, rowsOf } from './prepared.ts'

/** One statement of a step, ready to be sent. */
export interface Planned {
  prepared: Prepared
  values: ColumnValue[]
  /** What the step says of rows it did not name has to be true, or nothing of it is. */
  check(changes: number): void
  /** Where it puts one row. */
  insertion?: { table: TableName; names: readonly string[] }
}

/** What the two sides of a posting are in their accounts. */
export interface PostedSides {
  debit: { number: number; day: string }
  credit: { number: number; day: string }
}

const uniqueColumns = new Prepared(
  `SELECT c.relname AS "table", string_agg(a.attname, ' ') AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
     WHERE i.indisunique AND i.indpred IS NULL AND c.relnamespace = current_schema()::regnamespace
     GROUP BY i.indexrelid, c.relname`,
)

const columnTypes = new Prepared(
  `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, NULL) AS type
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND c.relnamespace = current_schema()::regnamespace`,
)

/** The tables as the database has them. */
export interface KnownTables {
  /** Which sets of columns name one row of a table. */
  uniqueSets: ReadonlyMap<string, readonly string[][]>
  /** By `TABLE COLUMN`. */
  types: ReadonlyMap<string, string>
}

export async function readTables(client: PoolClient): Promise<KnownTables> {
  const uniqueSets = new Map<string, string[][]>()
  for (const { table, columns } of rowsOf(await run(client, uniqueColumns, []))) {
    const known = uniqueSets.get(String(table)) ?? []
    known.push(String(columns).split(' '))
    uniqueSets.set(String(table), known)
  }
  const found = rowsOf(await run(client, columnTypes, []))
  const types = new Map(found.map(({ table, column, type }) => [`${table} ${column}`, String(type)]))
  return { uniqueSets, types }
}

/** Fewer are sent one by one: what these cost, the list of them would cost as well. */
const fewestTogether = 4

export class Rows {
  readonly #tables: KnownTables
  readonly #shapes = new Map<string, Prepared>()

  constructor(tables: KnownTables) {
    this.#tables = tables
  }

  /**
   * Finds one row and holds it until the commit, one that is shared against changes only. Not FOR UPDATE: a row that refers to this one may still come into
   * being meanwhile, because no key is ever changed.
   */
  find({ table, key, isShared }: RowRef): Planned {
    const { names, values } = columnsOf(key)
    const prepared = this.#shape(isShared === true ? 'share' : 'find', table, names, () => {
      this.#assertUnique(table, names)
      const lock = isShared === true ? 'FOR SHARE' : 'FOR NO KEY UPDATE'
      return `SELECT * FROM ${quoted(table)} WHERE ${equations(names, ' AND ')} ${lock}`
    })
    return { prepared, values, check: () => {} }
  }

  write(write: Exclude<Write, { post: unknown } | { repay: unknown }>): Planned {
    if ('insert' in write) return this.insert(write.insert, write.values)
    return 'update' in write ? this.#update(write) : this.#delete(write)
  }

  insert(table: TableName, row: object): Planned {
    const { names, values } = columnsOf(row)
    const prepared = this.#shape('insert', table, names, () => {
      const places = names.map((_, index) => `$${index + 1}`).join(', ')
      return `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES (${places})`
    })
    return { prepared, values, check: () => {}, insertion: { table, names } }
  }

  /** The same in fewer statements: rows that go into one table one behind the other go there together, in their order. */
  together(planned: readonly Planned[]): readonly Planned[] {
    const merged: Planned[] = []
    for (let from = 0, to = 0; from < planned.length; from = to) {
      const first = planned[from]
      while (to < planned.length && planned[to]?.prepared === first?.prepared) to++
      const alike = planned.slice(from, to)
      if (first?.insertion === undefined || alike.length < fewestTogether) merged.push(...alike)
      else merged.push(this.#insertMany(first.insertion, alike))
    }
    return merged
  }

  #insertMany({ table, names }: NonNullable<Planned['insertion']>, planned: readonly Planned[]): Planned {
    const prepared = this.#shape('insert many', table, names, () => {
      const lists = names.map(
        (name, index) => `$${index + 1}::${this.#tables.types.get(`${table} ${name}`)}[]`,
      )
      return `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) SELECT * FROM unnest(${lists.join(', ')})`
    })
    const values = names.map((_, column) => arrayOf(planned.map((one) => one.values[column] ?? null)))
    return { prepared, values, check: () => {} }
  }

  posting(posting: Posting, sides: PostedSides, at: Instant): Planned {
    return this.insert('postings', {
      kind: posting.kind,
      debit_account: accountId(posting.debit),
      credit_account: accountId(posting.credit),
      amount_minor: posting.amountMinor,
      currency: posting.debit.currency,
      order_id: posting.orderId,
      reference: posting.reference,
      posted_at: at,
      debit_day: sides.debit.day,
      debit_number: sides.debit.number,
      credit_day: sides.credit.day,
      credit_number: sides.credit.number,
      about_day: aboutDay(posting.aboutAt, at),
    })
  }

  #update({ update: table, key: keyColumns, set }: Extract<Write, { update: TableName }>): Planned {
    const key = columnsOf(keyColumns)
    const changed = columnsOf(set)
    const prepared = this.#shape('update', table, [...changed.names, '|', ...key.names], () => {
      this.#assertUnique(table, key.names)
      const where = equations(key.names, ' AND ', changed.names.length)
      return `UPDATE ${quoted(table)} SET ${equations(changed.names, ', ')} WHERE ${where}`
    })
    return {
      prepared,
      values: [...changed.values, ...key.values],
      check: (changes) => {
        if (changes !== 1) throw new Error(`update of ${table}: no row has the key ${describeKey(key)}`)
      },
    }
  }

  #delete({ delete: table, key: keyColumns }: Extract<Write, { delete: TableName }>): Planned {
    const { names, values } = columnsOf(keyColumns)
    const prepared = this.#shape('delete', table, names, () => {
      this.#assertUnique(table, names)
      return `DELETE FROM ${quoted(table)} WHERE ${equations(names, ' AND ')}`
    })
    return { prepared, values, check: () => {} }
  }

  #shape(operation: string, table: TableName, columns: readonly string[], text: () => string): Prepared {
    const shape = `${operation} ${table} ${columns.join(' ')}`
    let prepared = this.#shapes.get(shape)
    if (!prepared) {
      prepared = new Prepared(text())
      this.#shapes.set(shape, prepared)
    }
    return prepared
  }

  #assertUnique(table: TableName, columns: readonly string[]): void {
    assertUnique(table, columns, this.#tables.uniqueSets.get(table) ?? [])
  }
}

/** Sends statements one behind the other without waiting in between, and returns what each found or changed. */
export async function send(
  client: PoolClient,
  planned: readonly Planned[],
): Promise<{ rows(): PostgresRow[]; changes: number }[]> {
  const sent = await Promise.allSettled(planned.map(({ prepared, values }) => run(client, prepared, values)))
  // The first failure is the cause; those behind it only say that the transaction had failed.
  return sent.map((result, index) => {
    if (result.status === 'rejected') throw result.reason
    const changes = result.value.rowCount ?? 0
    planned[index]?.check(changes)
    return { rows: () => rowsOf(result.value), changes }
  })
}

/** @param before how many parameters the statement has before these. */
function equations(names: readonly string[], separator: string, before = 0): string {
  return names.map((name, index) => `${quoted(name)} = $${before + index + 1}`).join(separator)
}
