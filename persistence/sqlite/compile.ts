/** Compiles the port's statements for SQLite: once for each, whatever their arguments. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { binder, type ColumnValue } from '../binding.ts'
import { assertReadsReference, changesReference } from '../reference-tables.ts'
import type { Tables } from '../schema.ts'
import type { BuildContext, Statement } from '../statement.ts'
import type { Prepared, StatementCache } from './prepared.ts'

/** Builds queries and runs none: the engine runs their text on its own connection. */
const context: BuildContext = {
  engine: 'sqlite',
  db: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
}

/**
 * Statements are constants of their modules, and have one text whichever database it is for; one that is built for a
 * single use goes with its last user.
 */
const texts = new WeakMap<
  object,
  { sql: string; bind: CompiledStatement['bind']; changesReference: boolean }
>()

function textOf<Arguments extends object, Row>(statement: Statement<Arguments, Row>) {
  let text = texts.get(statement)
  if (text === undefined) {
    const { sql, parameters } = statement.build(context).compile()
    if (statement.isOfReference) assertReadsReference(statement.name, sql)
    text = { sql, bind: binder(statement.name, parameters), changesReference: changesReference(sql) }
    texts.set(statement, text)
  }
  return text
}

export interface CompiledStatement {
  readonly prepared: Prepared
  /** Whether it may write to a reference table; means nothing of one that only reads. */
  readonly changesReference: boolean
  bind(args: object): ColumnValue[]
}

export class StatementCompiler {
  readonly #cache: StatementCache
  readonly #compiled = new WeakMap<object, CompiledStatement>()

  constructor(cache: StatementCache) {
    this.#cache = cache
  }

  compile<Arguments extends object, Row>(statement: Statement<Arguments, Row>): CompiledStatement {
    let compiled = this.#compiled.get(statement)
    if (!compiled) {
      const { sql, bind, changesReference } = textOf(statement)
      compiled = { prepared: this.#cache.prepare(sql), bind, changesReference }
      this.#compiled.set(statement, compiled)
    }
    return compiled
  }
}
