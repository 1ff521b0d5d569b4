/** Compiles the port's statements for PostgreSQL: once for each, whatever their arguments. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Tables } from '../schema.ts'
import { Argument, type BuildContext, type Statement } from '../statement.ts'
import { type PostgresValue, Prepared } from './prepared.ts'

/** Builds queries and runs none: the engine runs their text on its own connections. */
const context: BuildContext = {
  engine: 'postgres',
  db: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
}

export interface CompiledStatement {
  readonly prepared: Prepared
  /** False when it is known to write; a connection that reads refuses whatever else does. */
  readonly mayRead: boolean
  bind(args: object): PostgresValue[]
}

/** Statements are constants of their modules; one that is built for a single use goes with its last user. */
const known = new WeakMap<object, CompiledStatement>()

export function compile<Arguments extends object, Row>(
  statement: Statement<Arguments, Row>,
): CompiledStatement {
  let compiled = known.get(statement)
  if (!compiled) {
    const { sql, parameters, query } = statement.build(context).compile()
    const mayRead = !['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'].includes(
      query.kind,
    )
    compiled = { prepared: new Prepared(sql), mayRead, bind: binder(statement.name, parameters) }
    known.set(statement, compiled)
  }
  return compiled
}

function binder(statement: string, parameters: readonly unknown[]): (args: object) => PostgresValue[] {
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

/** Refuses what the driver would send as some text or other. */
export function bindable(value: unknown, what: string): PostgresValue {
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
