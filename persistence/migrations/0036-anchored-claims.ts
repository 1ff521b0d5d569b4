/** Claims of which what they are is outside the database, and numbers of claims that a restore has lost. */
import type { Migration } from './migration.ts'

export const anchoredClaims: Migration = {
  name: '0036-anchored-claims',
  sqlite: `
    ALTER TABLE claims ADD COLUMN anchored_at INTEGER;
    CREATE INDEX claims_unanchored ON claims (number) WHERE anchored_at IS NULL;

    CREATE TABLE lost_claims (
      number INTEGER PRIMARY KEY CHECK (number > 0),
      recorded_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
