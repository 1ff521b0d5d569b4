/** Migrations in order, forward only; each is one transaction's worth of definitions for each engine. */
import { foundation } from './0001-foundation.ts'

export interface Migration {
  /** `NNNN-what`, recorded in the database once applied. */
  readonly name: string
  readonly sqlite: string
}

export const migrations: readonly Migration[] = [foundation]
