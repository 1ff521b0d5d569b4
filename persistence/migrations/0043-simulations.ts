/** What a sandbox is to simulate later. */
import type { Migration } from './migration.ts'

export const simulations: Migration = {
  name: '0043-simulations',
  sqlite: `
    CREATE TABLE simulations (
      id TEXT NOT NULL PRIMARY KEY,
      order_id TEXT NOT NULL,
      step TEXT NOT NULL,
      due_at INTEGER NOT NULL,
      settled_at INTEGER,
      outcome TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX simulations_due ON simulations (due_at) WHERE settled_at IS NULL;
  `,
}
