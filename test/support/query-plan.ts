/** How SQLite would look something up: by the plan that it makes in an empty database. */
import Database from 'better-sqlite3'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { migrations } from '../../persistence/migrations/index.ts'
import type { Tables } from '../../persistence/schema.ts'
import type { Statement } from '../../persistence/statement.ts'

/** Builds statements, and carries none out. */
export const building = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

const database = new Database(':memory:')
for (const { sqlite, onlySqlite = '' } of migrations) database.exec(sqlite + onlySqlite)

/** Names of the indexes that have some rows of their table alone. */
export const partialIndexes: ReadonlySet<string> = new Set(
  database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%WHERE%'")
    .pluck()
    .all(),
)

/** @returns the steps of the plan, such as `SEARCH orders USING INDEX orders_locked (locked_at<?)` */
export function planOf<Arguments, Row>(statement: Statement<Arguments, Row>): string[] {
  const { sql, parameters } = statement.build({ db: building, engine: 'sqlite' }).compile()
  const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
  return plan.all(...parameters.map(() => 1)).map(({ detail }) => detail)
}
