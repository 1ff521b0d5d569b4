/** Corrections of lines of parties' statements. */
import type { Migration } from './migration.ts'

export const adjustments: Migration = {
  name: '0018-adjustments',
  sqlite: `
    -- A line is the posting it begins with, by its number in its account: so it is the same before and after it is in a statement.
    CREATE TABLE corrected_lines (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      account_number INTEGER NOT NULL CHECK (account_number > 0),
      total_minor INTEGER NOT NULL,
      corrected_minor INTEGER NOT NULL,
      PRIMARY KEY (account_id, account_number),
      CHECK (corrected_minor BETWEEN -abs(total_minor) AND abs(total_minor))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE adjustments (
      id TEXT PRIMARY KEY,
      party_id TEXT NOT NULL REFERENCES parties (id),
      party_kind TEXT NOT NULL CHECK (party_kind IN ('merchant', 'provider')),
      currency TEXT NOT NULL,
      reference TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('dispute', 'goodwill')),
      amount_minor INTEGER NOT NULL CHECK (amount_minor <> 0),
      tax_minor INTEGER NOT NULL CHECK (tax_minor = 0 OR (tax_minor > 0) = (amount_minor > 0)),
      account_id TEXT NOT NULL,
      account_number INTEGER NOT NULL,
      statement_number INTEGER,
      line INTEGER,
      order_id TEXT,
      reason TEXT NOT NULL,
      booked_at INTEGER NOT NULL,
      booked_by TEXT NOT NULL,
      UNIQUE (party_id, reference),
      FOREIGN KEY (account_id, account_number) REFERENCES corrected_lines (account_id, account_number),
      CHECK ((statement_number IS NULL) = (line IS NULL)),
      CHECK (order_id IS NOT NULL OR line IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX adjustments_by_time ON adjustments (booked_at, id);
    CREATE INDEX adjustments_by_party ON adjustments (party_id, booked_at, id);
    CREATE INDEX adjustments_by_line ON adjustments (account_id, account_number);
  `,
}
