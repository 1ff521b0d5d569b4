/** Compiles the port's statements for SQLite: once for each, whatever their arguments. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { binder, type ColumnValue } from '../binding.ts'
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

export interface CompiledStatement {
  readonly prepared: Prepared
  bind(args: object): ColumnValue[]
}

export class StatementCompiler {
  readonly #cache: StatementCache
  /** Statements are constants of their modules; one that is built for a single use goes with its last user. */
  readonly #compiled = new WeakMap<object, CompiledStatement>()

  constructor(cache: StatementCache) {
    this.#cache = cache
  }

  compile<Arguments extends object, Row>(statement: Statement<Arguments, Row>): CompiledStatement {
    let compiled = this.#compiled.get(statement)
    if (!compiled) {
      const { sql, parameters } = statement.build(context).compile()
      compiled = { prepared: this.#cache.prepare(sql), bind: binder(statement.name, parameters) }
      this.#compiled.set(statement, compiled)
    }
    return compiled
  }
}
