/** Compiles the port's statements for SQLite: once for each, whatever their arguments. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Tables } from '../schema.ts'
import { Argument, type BuildContext, type Statement } from '../statement.ts'
import type { SqliteValue } from './database.ts'
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
  bind(args: object): SqliteValue[]
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

function binder(statement: string, parameters: readonly unknown[]): (args: object) => SqliteValue[] {
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

/** Refuses what the driver would refuse without a name, and NaN, which SQLite would keep as NULL. */
export function bindable(value: unknown, what: string): SqliteValue {
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
