/** Finds the rows a step names and runs the writes it decides, on statements prepared once for each shape. */
import type { Instant } from '../../machines/time.ts'
import { assertUnique, type ColumnValue, columnsOf, describeKey, quoted } from '../binding.ts'
import { aboutDay, utcDay } from '../posting-days.ts'
import type { TableName } from '../schema.ts'
import {
  type AccountRef,
  accountId,
  assertPosting,
  type Posting,
  type Repayment,
  type RowRef,
  type Write,
} from '../store.ts'
import type { Connection, SqliteRow } from './database.ts'
import type { Prepared, StatementCache } from './prepared.ts'

const readBalance = 'SELECT balance_minor FROM accounts WHERE id = ?'
/** The day of its owner, which was planned; UTC's where none was. No zone is reckoned with here. */
const dayOf = (owner: string, currency: string) => `coalesce((SELECT day FROM cut_offs
  WHERE party_id = ${owner} AND cut_offs.currency = ${currency} AND ends_at > ? ORDER BY ends_at LIMIT 1), ?)`
/** Moves a balance and counts the side of a posting, which then has its account's count and day. */
const moveBalance = `UPDATE accounts SET balance_minor = balance_minor + ?, posting_count = posting_count + 1,
    first_open_day = max(first_open_day, ${dayOf('accounts.owner_id', 'accounts.currency')})
  WHERE id = ?`
const openAccount = `INSERT INTO accounts (id, kind, owner_id, currency, balance_minor, posting_count, first_open_day)
  VALUES (?, ?, ?, ?, ?, 1, ${dayOf('?', '?')})`
/** Read where they are written: RETURNING would have SQLite keep each page it changes, and the row, beside. */
const insertPosting = `INSERT INTO postings (debit_account, credit_account, kind, amount_minor, currency, order_id,
    reference, posted_at, about_day, debit_day, debit_number, credit_day, credit_number)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?,
    (SELECT first_open_day FROM accounts WHERE id = ?), (SELECT posting_count FROM accounts WHERE id = ?),
    (SELECT first_open_day FROM accounts WHERE id = ?), (SELECT posting_count FROM accounts WHERE id = ?))`

/** Columns are compared one by one: a text of them all would be made anew for each row. */
interface Shape {
  columns: readonly string[]
  keys: readonly string[]
  statement: Prepared
}

const none: readonly string[] = []

function haveSame(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false
  return true
}

export class Rows {
  readonly #cache: StatementCache
  readonly #database: Connection
  readonly #uniqueSets = new Map<TableName, readonly string[][]>()
  readonly #shapes = {
    find: new Map<TableName, readonly Shape[]>(),
    insert: new Map<TableName, readonly Shape[]>(),
    update: new Map<TableName, readonly Shape[]>(),
    delete: new Map<TableName, readonly Shape[]>(),
  }

  constructor(database: Connection, cache: StatementCache) {
    this.#database = database
    this.#cache = cache
  }

  find(ref: RowRef): SqliteRow | null {
    const { statement, values } = this.finding(ref)
    return statement.get(values)
  }

  /** What finds a row. */
  finding(ref: RowRef): { statement: Prepared; values: readonly ColumnValue[] } {
    const { names, values } = columnsOf(ref.key)
    const statement = this.#shape('find', ref.table, names, () => {
      this.#assertUnique(ref.table, names)
      return `SELECT * FROM ${quoted(ref.table)} WHERE ${equations(names, ' AND ')}`
    })
    return { statement, values }
  }

  /** @param at the time of the step, which its postings carry. */
  write(write: Write, at: Instant): void {
    if ('insert' in write) this.#insert(write.insert, write.values)
    else if ('update' in write) this.#update(write.update, write.key, write.set)
    else if ('delete' in write) this.#delete(write.delete, write.key)
    else if ('post' in write) this.#post(write.post, at)
    else this.#repay(write.repay, at)
  }

  #insert(table: TableName, row: object): void {
    const { names, values } = columnsOf(row)
    this.#shape('insert', table, names, () => {
      const places = names.map(() => '?').join(', ')
      return `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES (${places})`
    }).run(values)
  }

  #update(table: TableName, keyColumns: object, set: object): void {
    const key = columnsOf(keyColumns)
    const changed = columnsOf(set)
    const sql = () => {
      this.#assertUnique(table, key.names)
      return `UPDATE ${quoted(table)} SET ${equations(changed.names, ', ')} WHERE ${equations(key.names, ' AND ')}`
    }
    const changes = this.#shape('update', table, changed.names, sql, key.names).run(
      changed.values.concat(key.values),
    )
    if (changes !== 1) throw new Error(`update of ${table}: no row has the key ${describeKey(key)}`)
  }

  #delete(table: TableName, keyColumns: object): void {
    const key = columnsOf(keyColumns)
    this.#shape('delete', table, key.names, () => {
      this.#assertUnique(table, key.names)
      return `DELETE FROM ${quoted(table)} WHERE ${equations(key.names, ' AND ')}`
    }).run(key.values)
  }

  #post(posting: Posting, at: Instant): void {
    assertPosting(posting)
    const debit = accountId(posting.debit)
    const credit = accountId(posting.credit)
    const day = utcDay(at)
    // Accounts first: a posting refers to both, and has their counts.
    this.#move(debit, posting.debit, -posting.amountMinor, at, day)
    this.#move(credit, posting.credit, posting.amountMinor, at, day)
    const { kind, amountMinor, orderId, reference, aboutAt } = posting
    const { currency } = posting.debit
    const about = aboutDay(aboutAt, at)
    const accounts = [debit, debit, credit, credit]
    this.#cache
      .prepare(insertPosting)
      .run([debit, credit, kind, amountMinor, currency, orderId, reference, at, about, ...accounts])
  }

  #repay({ merchantId: ownerId, currency, reference }: Repayment, at: Instant): void {
    const debit = { kind: 'available', ownerId, currency } as const
    const credit = { kind: 'debt', ownerId, currency } as const
    const owed = -this.#balance(credit)
    const available = owed > 0n ? this.#balance(debit) : 0n
    const amountMinor = available < owed ? available : owed
    if (amountMinor <= 0n) return
    this.#post({ kind: 'repay', debit, credit, amountMinor, orderId: null, reference }, at)
  }

  #balance(account: AccountRef): bigint {
    const balance = this.#cache.prepare(readBalance).get([accountId(account)])?.balance_minor
    return typeof balance === 'bigint' ? balance : 0n
  }

  /**
   * An upsert would not do: SQLite checks `funds` on the row proposed for insertion, before it sees that the
   * account exists. A sum beyond 2^63 becomes a float in SQLite, and a STRICT table refuses that.
   */
  #move(
    id: string,
    { kind, ownerId, currency }: AccountRef,
    amountMinor: bigint,
    at: Instant,
    day: string,
  ): void {
    if (this.#cache.prepare(moveBalance).run([amountMinor, at, day, id]) > 0) return
    this.#cache
      .prepare(openAccount)
      .run([id, kind, ownerId, currency, amountMinor, ownerId, currency, at, day])
  }

  /** @param keys of a row that is changed; the columns of all others are enough */
  #shape(
    operation: 'find' | 'insert' | 'update' | 'delete',
    table: TableName,
    columns: readonly string[],
    sql: () => string,
    keys: readonly string[] = none,
  ): Prepared {
    const shapes = this.#shapes[operation].get(table) ?? []
    for (const shape of shapes) {
      if (haveSame(shape.columns, columns) && haveSame(shape.keys, keys)) return shape.statement
    }
    const statement = this.#cache.prepare(sql())
    this.#shapes[operation].set(table, [...shapes, { columns, keys, statement }])
    return statement
  }

  #assertUnique(table: TableName, columns: readonly string[]): void {
    let sets = this.#uniqueSets.get(table)
    if (!sets) {
      sets = uniqueSets(this.#database, table)
      this.#uniqueSets.set(table, sets)
    }
    assertUnique(table, columns, sets)
  }
}

function uniqueSets(database: Connection, table: TableName): string[][] {
  const primaryKey = database
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?) WHERE pk > 0')
    .pluck()
    .all(table)
  const indexes = database
    .prepare<[string], string>('SELECT name FROM pragma_index_list(?) WHERE "unique" AND NOT partial')
    .pluck()
    .all(table)
  const columns = database.prepare<[string], string>('SELECT name FROM pragma_index_info(?)').pluck()
  return [primaryKey, ...indexes.map((index) => columns.all(index))]
}

function equations(names: readonly string[], separator: string): string {
  return names.map((name) => `${quoted(name)} = ?`).join(separator)
}
