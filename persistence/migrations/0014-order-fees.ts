/** What an order costs its merchant, and what its provider earns by it, as they were agreed on when it was made and locked. */
import type { Migration } from './migration.ts'

export const orderFees: Migration = {
  name: '0014-order-fees',
  sqlite: `
    ALTER TABLE orders ADD COLUMN fee_minor INTEGER NOT NULL DEFAULT 0 CHECK (fee_minor >= 0);
    ALTER TABLE orders ADD COLUMN fee_tax_minor INTEGER NOT NULL DEFAULT 0 CHECK (fee_tax_minor >= 0);
    ALTER TABLE orders ADD COLUMN fee_terms_id TEXT;
    ALTER TABLE orders ADD COLUMN commission_minor INTEGER NOT NULL DEFAULT 0 CHECK (commission_minor >= 0);
    ALTER TABLE orders ADD COLUMN commission_tax_minor INTEGER NOT NULL DEFAULT 0 CHECK (commission_tax_minor >= 0);
    ALTER TABLE orders ADD COLUMN commission_terms_id TEXT;

    -- What was ever started under a limit of exposure: between a look and a step that holds the row it tells what came.
    CREATE TABLE exposures (
      provider_id TEXT NOT NULL REFERENCES parties (id),
      currency TEXT NOT NULL,
      started_minor INTEGER NOT NULL,
      PRIMARY KEY (provider_id, currency)
    ) STRICT, WITHOUT ROWID;
  `,
}
