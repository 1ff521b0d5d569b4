/** What claims have booked of an order's cash beside its price, and with whom one of them has credited it. */
import type { Migration } from './migration.ts'

export const claimedCash: Migration = {
  name: '0034-claimed-cash',
  sqlite: `
    ALTER TABLE claimed_orders ADD COLUMN provider_id TEXT REFERENCES parties (id);
    ALTER TABLE claimed_orders ADD COLUMN corrected_minor INTEGER NOT NULL DEFAULT 0;
    UPDATE claimed_orders SET
      provider_id = (SELECT claims.provider_id FROM claims WHERE claims.number = claimed_orders.credited_by),
      corrected_minor = COALESCE((
        SELECT SUM(CASE claims.kind
          WHEN 'twice' THEN claims.price_minor
          WHEN 'wrong_amount' THEN claims.amount_minor - claims.price_minor
          ELSE - claims.amount_minor END)
        FROM claims
        WHERE claims.order_id = claimed_orders.order_id AND claims.state IN ('accepted', 'upheld')
          AND claims.kind IN ('twice', 'wrong_amount', 'false_note')), 0);
  `,
}
