/** Pay-outs that give back a pay-in, and what of each pay-in they have claimed. */
import type { Migration } from './migration.ts'

export const refunds: Migration = {
  name: '0015-refunds',
  sqlite: `
    -- Nothing refers to the pay-in's row: it may be in the archive.
    ALTER TABLE orders ADD COLUMN refund_of TEXT;
    CREATE INDEX orders_by_refund_of ON orders (refund_of) WHERE refund_of IS NOT NULL;

    -- It stays when the pay-in goes to the archive, or else money could be given back twice.
    CREATE TABLE refundable (
      pay_in_id TEXT PRIMARY KEY,
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      merchant_order_id TEXT NOT NULL,
      description TEXT NOT NULL,
      country TEXT NOT NULL,
      currency TEXT NOT NULL,
      paid_at INTEGER NOT NULL,
      credited_minor INTEGER NOT NULL,
      claimed_minor INTEGER NOT NULL,
      excess_minor INTEGER NOT NULL CHECK (excess_minor >= 0),
      archived_minor INTEGER NOT NULL CHECK (archived_minor >= 0),
      CONSTRAINT claimed CHECK (claimed_minor >= 0 AND claimed_minor <= credited_minor)
    ) STRICT, WITHOUT ROWID;
  `,
}
