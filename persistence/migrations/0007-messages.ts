/** Messages that are judged once, and what providers have left of their budgets for unknown codes. */
import type { Migration } from './migration.ts'

const repeatable = `
    -- What was stored so far was accepted, and is answered again.
    ALTER TABLE repeated_messages ADD COLUMN is_repeatable INTEGER NOT NULL DEFAULT 1 CHECK (is_repeatable IN (0, 1));
`

export const messages: Migration = {
  name: '0007-messages',
  sqlite: `${repeatable}
    CREATE TABLE code_budgets (
      provider_id TEXT PRIMARY KEY REFERENCES parties (id),
      minute_began_at INTEGER NOT NULL,
      minute_misses INTEGER NOT NULL CHECK (minute_misses >= 0),
      hours_json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
