/** The count of the treasuries: what their books say, what is not in them yet, and what left. */
import type { Migration } from './migration.ts'

export const treasuries: Migration = {
  name: '0008-treasuries',
  sqlite: `
    CREATE TABLE treasury_counts (
      blockchain TEXT NOT NULL,
      asset_id TEXT NOT NULL,
      symbol TEXT NOT NULL,
      decimals INTEGER NOT NULL,
      currency TEXT NOT NULL,
      treasury TEXT NOT NULL,
      opened_height INTEGER NOT NULL,
      opened_units TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      is_opening_confirmed INTEGER NOT NULL CHECK (is_opening_confirmed IN (0, 1)),
      corrected_units TEXT NOT NULL,
      book_height INTEGER NOT NULL,
      book_units TEXT NOT NULL,
      held_units TEXT NOT NULL,
      counted_at INTEGER NOT NULL,
      told_units TEXT NOT NULL,
      exception_id TEXT REFERENCES exceptions (id),
      missing_since_height INTEGER,
      read_twice_height INTEGER NOT NULL,
      PRIMARY KEY (blockchain, asset_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE treasury_movements (
      id TEXT PRIMARY KEY,
      blockchain TEXT NOT NULL,
      asset_id TEXT NOT NULL,
      height INTEGER NOT NULL,
      units TEXT NOT NULL,
      ledger_minor INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX treasury_movements_by_asset ON treasury_movements (blockchain, asset_id, height);

    CREATE TABLE treasury_outflows (
      id TEXT PRIMARY KEY,
      blockchain TEXT NOT NULL,
      transaction_id TEXT NOT NULL,
      height INTEGER NOT NULL,
      chain_at INTEGER,
      asset_id TEXT NOT NULL,
      units TEXT NOT NULL,
      receiver TEXT,
      references_json TEXT NOT NULL,
      explained_json TEXT NOT NULL,
      exception_id TEXT REFERENCES exceptions (id),
      recorded_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX treasury_outflows_by_transaction ON treasury_outflows (transaction_id);

    CREATE INDEX exceptions_refunded ON exceptions (chain, resolved_at) WHERE resolution = 'refunded';
  `,
}
