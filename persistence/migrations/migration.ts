export interface Migration {
  /** `NNNN-what`, recorded in the database once applied. */
  readonly name: string
  /** Its tables and indexes are made for PostgreSQL too; its triggers are not. */
  readonly sqlite: string
  /** What SQLite does beside those, in words that it alone has; PostgreSQL's are among its own. */
  readonly onlySqlite?: string
  /** What PostgreSQL needs beside those tables and indexes: its own triggers, its own way of counting. */
  readonly postgres?: string
}
