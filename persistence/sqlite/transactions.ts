/** The transaction of a connection, and the one savepoint inside it. */
import type { Connection } from './database.ts'

export interface Transactions {
  begin(): void
  commit(): void
  rollback(): void
  savepoint(): void
  release(): void
  rollbackToSavepoint(): void
  /** False after a rollback, also one that SQLite did by itself. */
  readonly open: boolean
}

export function transactionsOf(database: Connection): Transactions {
  const run = (sql: string) => {
    const statement = database.prepare(sql)
    return () => {
      statement.run()
    }
  }
  const rollbackTo = run('ROLLBACK TO work')
  const release = run('RELEASE work')
  return {
    begin: run('BEGIN IMMEDIATE'),
    commit: run('COMMIT'),
    rollback: run('ROLLBACK'),
    savepoint: run('SAVEPOINT work'),
    release,
    rollbackToSavepoint: () => {
      rollbackTo()
      release()
    },
    get open() {
      return database.inTransaction
    },
  }
}
