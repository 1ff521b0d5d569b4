/** How a bank's statement is to be read where it is CSV. */
import type { Migration } from './migration.ts'

export const statementColumns: Migration = {
  name: '0041-statement-columns',
  sqlite: `
    -- As JSON; null where the bank gives camt.053 alone.
    ALTER TABLE banks ADD COLUMN statement_json TEXT;
  `,
}
