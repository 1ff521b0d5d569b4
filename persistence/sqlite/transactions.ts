/** The transactions of a connection: one that writes, with one savepoint inside it, or one that only reads. */
import type { Connection } from './database.ts'

export interface Transactions {
  /**
   * Reads from here to the next turn of the event loop share one transaction, and so one look at the log: by
   * itself each would take and return SQLite's locks, which costs more than the reading.
   */
  read(): void
  /** Ends what only reads. */
  endReading(): void
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
  const rollback = run('ROLLBACK')
  const beginReading = run('BEGIN')
  const beginWriting = run('BEGIN IMMEDIATE')
  let isReading = false
  const endReading = () => {
    if (!isReading) return
    isReading = false
    // What reading found wrong was told to who read; there is nothing here to lose.
    try {
      if (database.open && database.inTransaction) rollback()
    } catch {}
  }
  return {
    read() {
      if (isReading && database.inTransaction) return
      beginReading()
      isReading = true
      setImmediate(endReading)
    },
    endReading,
    begin() {
      endReading()
      beginWriting()
    },
    commit: run('COMMIT'),
    rollback,
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
