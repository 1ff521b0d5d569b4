/** The statements that find the rows a step names and run the writes it decides. */
import type { PoolClient } from 'pg'
import type { Instant } from '../../machines/time.ts'
import { assertUnique, type ColumnValue, columnsOf, describeKey, quoted } from '../binding.ts'
import { aboutDay } from '../posting-days.ts'
import type { TableName } from '../schema.ts'
import type { Posting, RowRef, Write } from '../store.ts'
import { accountId } from '../store.ts'
import { run } from './database.ts'
import { type PostgresRow, Prepared, rowsOf } from './prepared.ts'

/** One statement of a step, ready to be sent. */
export interface Planned {
  prepared: Prepared
  values: ColumnValue[]
  /** What the step says of rows it did not name has to be true, or nothing of it is. */
  check(changes: number): void
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

/** Which sets of columns name one row of a table, as the database has them. */
export async function readUniqueSets(client: PoolClient): Promise<ReadonlyMap<string, readonly string[][]>> {
  const sets = new Map<string, string[][]>()
  for (const { table, columns } of rowsOf(await run(client, uniqueColumns, []))) {
    const known = sets.get(String(table)) ?? []
    known.push(String(columns).split(' '))
    sets.set(String(table), known)
  }
  return sets
}

export class Rows {
  readonly #uniqueSets: ReadonlyMap<string, readonly string[][]>
  readonly #shapes = new Map<string, Prepared>()

  constructor(uniqueSets: ReadonlyMap<string, readonly string[][]>) {
    this.#uniqueSets = uniqueSets
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
    assertUnique(table, columns, this.#uniqueSets.get(table) ?? [])
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
