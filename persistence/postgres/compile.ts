/** Compiles the port's statements for PostgreSQL: once for each, whatever their arguments. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { binder, type ColumnValue } from '../binding.ts'
import type { Tables } from '../schema.ts'
import type { BuildContext, Statement } from '../statement.ts'
import { Prepared } from './prepared.ts'

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
  bind(args: object): ColumnValue[]
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
