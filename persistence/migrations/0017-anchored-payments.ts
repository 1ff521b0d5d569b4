/** Payments whose ordering is outside the database, and those that a restore has lost. */
import type { Migration } from './migration.ts'

export const anchoredPayments: Migration = {
  name: '0017-anchored-payments',
  sqlite: `
    ALTER TABLE payments ADD COLUMN anchored_at INTEGER;
    CREATE INDEX payments_unanchored ON payments (id) WHERE direction = 'out' AND anchored_at IS NULL;

    CREATE TABLE lost_payments (
      id TEXT PRIMARY KEY,
      party_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
      bank TEXT NOT NULL,
      run_id TEXT,
      exception_id TEXT NOT NULL REFERENCES exceptions (id),
      recorded_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX lost_payments_by_party ON lost_payments (party_id, currency, id);
  `,
}
