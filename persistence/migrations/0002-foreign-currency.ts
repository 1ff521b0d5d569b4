/** Quotes, the foreign side of orders, and what the chains have brought. */
import type { Migration } from './migration.ts'

export const foreignCurrency: Migration = {
  name: '0002-foreign-currency',
  sqlite: `
    CREATE TABLE quotes (
      id TEXT PRIMARY KEY,
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      blockchain TEXT NOT NULL,
      send_currency TEXT NOT NULL,
      asset_id TEXT NOT NULL,
      asset_decimals INTEGER NOT NULL CHECK (asset_decimals BETWEEN 0 AND 9),
      send_minor INTEGER NOT NULL CHECK (send_minor > 0),
      fee_minor INTEGER NOT NULL CHECK (fee_minor >= 0 AND fee_minor < send_minor),
      target_country TEXT NOT NULL,
      target_currency TEXT NOT NULL,
      order_price_minor INTEGER NOT NULL CHECK (order_price_minor > 0),
      rounding_minor INTEGER NOT NULL CHECK (rounding_minor >= 0),
      rate TEXT NOT NULL,
      rate_source TEXT NOT NULL,
      rate_at INTEGER NOT NULL,
      evidence_json TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      order_id TEXT UNIQUE REFERENCES orders (id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX quotes_by_merchant ON quotes (merchant_id, created_at);

    CREATE TABLE foreign_orders (
      order_id TEXT PRIMARY KEY REFERENCES orders (id),
      quote_id TEXT NOT NULL UNIQUE REFERENCES quotes (id),
      blockchain TEXT NOT NULL,
      send_currency TEXT NOT NULL,
      asset_id TEXT NOT NULL,
      asset_decimals INTEGER NOT NULL,
      wallet TEXT NOT NULL,
      reference TEXT NOT NULL UNIQUE,
      expected_minor INTEGER NOT NULL CHECK (expected_minor > 0),
      received_minor INTEGER NOT NULL CHECK (received_minor BETWEEN 0 AND expected_minor),
      fee_minor INTEGER NOT NULL,
      rounding_minor INTEGER NOT NULL,
      funding_deadline_at INTEGER NOT NULL,
      seen_at INTEGER,
      transaction_text TEXT NOT NULL,
      transaction_minor INTEGER,
      signable_until_at INTEGER,
      lands_until_at INTEGER,
      transaction_error TEXT,
      build_due_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX foreign_orders_to_build ON foreign_orders (blockchain, build_due_at) WHERE build_due_at IS NOT NULL;
    CREATE INDEX foreign_orders_by_wallet ON foreign_orders (blockchain, wallet);
    CREATE INDEX foreign_orders_by_deadline ON foreign_orders (blockchain, funding_deadline_at);
    CREATE INDEX foreign_orders_seen ON foreign_orders (blockchain, seen_at) WHERE seen_at IS NOT NULL;

    CREATE TABLE deposits (
      id TEXT PRIMARY KEY,
      blockchain TEXT NOT NULL,
      transaction_id TEXT NOT NULL,
      transfer_index TEXT NOT NULL,
      height TEXT NOT NULL,
      chain_at INTEGER,
      asset_id TEXT NOT NULL,
      symbol TEXT,
      amount TEXT NOT NULL,
      currency TEXT,
      sender TEXT,
      references_json TEXT NOT NULL,
      flags_json TEXT NOT NULL,
      evidence_json TEXT NOT NULL,
      order_id TEXT REFERENCES orders (id),
      credited_minor INTEGER NOT NULL CHECK (credited_minor >= 0),
      outcome TEXT NOT NULL,
      recorded_at INTEGER NOT NULL,
      CHECK (credited_minor = 0 OR order_id IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX deposits_by_order ON deposits (order_id) WHERE order_id IS NOT NULL;
    CREATE INDEX deposits_by_transaction ON deposits (transaction_id);

    CREATE TABLE chain_cursors (
      blockchain TEXT PRIMARY KEY,
      cursor TEXT NOT NULL,
      scanned_to_at INTEGER,
      read_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
