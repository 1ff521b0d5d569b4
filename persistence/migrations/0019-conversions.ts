/** Conversions of the treasuries' assets into money at a bank. */
import type { Migration } from './migration.ts'

export const conversions: Migration = {
  name: '0019-conversions',
  sqlite: `
    CREATE TABLE conversions (
      id TEXT PRIMARY KEY,
      outflow_id TEXT NOT NULL UNIQUE REFERENCES treasury_outflows (id),
      currency TEXT NOT NULL,
      amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
      reason TEXT NOT NULL,
      recorded_at INTEGER NOT NULL,
      recorded_by TEXT NOT NULL,
      sold_at INTEGER,
      sold_by TEXT,
      bank TEXT REFERENCES banks (name),
      bank_reference TEXT,
      bank_currency TEXT,
      proceeds_minor INTEGER CHECK (proceeds_minor > 0),
      fee_part_minor INTEGER CHECK (fee_part_minor BETWEEN 0 AND amount_minor),
      booked_minor INTEGER CHECK (booked_minor >= 0),
      fee_minor INTEGER CHECK (fee_minor >= 0),
      result_minor INTEGER,
      revision INTEGER NOT NULL CHECK (revision > 0),
      CHECK (sold_at IS NULL OR sold_by IS NOT NULL AND bank IS NOT NULL AND bank_reference IS NOT NULL
        AND fee_part_minor IS NOT NULL AND proceeds_minor = booked_minor + fee_minor + result_minor)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX conversions_by_time ON conversions (recorded_at, id);
  `,
}
