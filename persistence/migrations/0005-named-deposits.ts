/**
 * A foreign-currency order names what it was credited with, and the treasuries that its transactions have named; what
 * was due to be sent back names the deposits it came by.
 */
import type { Migration } from './migration.ts'

export const namedDeposits: Migration = {
  name: '0005-named-deposits',
  sqlite: `
    ALTER TABLE foreign_orders ADD COLUMN credits_json TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE foreign_orders ADD COLUMN treasuries_json TEXT NOT NULL DEFAULT '[]';
  `,
  onlySqlite: `
    UPDATE foreign_orders SET credits_json = (
      SELECT json_group_array(json_object(
          'transactionId', transaction_id, 'minor', CAST(credited_minor AS TEXT), 'sender', sender))
        FROM (SELECT * FROM deposits
          WHERE order_id = foreign_orders.order_id AND credited_minor > 0 ORDER BY recorded_at, id));

    UPDATE exceptions SET evidence_json = json_set(evidence_json, '$.deposits', json((
        SELECT credits_json FROM foreign_orders WHERE foreign_orders.order_id = exceptions.order_id)))
      WHERE kind = 'refund_due'
        AND EXISTS (SELECT 1 FROM foreign_orders WHERE foreign_orders.order_id = exceptions.order_id);
  `,
  postgres: `
    UPDATE foreign_orders SET credits_json = COALESCE((
      SELECT json_agg(json_build_object(
          'transactionId', transaction_id, 'minor', credited_minor::text, 'sender', sender)
          ORDER BY recorded_at, id)::text
        FROM deposits WHERE deposits.order_id = foreign_orders.order_id AND credited_minor > 0), '[]');

    UPDATE exceptions SET evidence_json =
        jsonb_set(evidence_json::jsonb, '{deposits}', foreign_orders.credits_json::jsonb)::text
      FROM foreign_orders
      WHERE exceptions.kind = 'refund_due' AND foreign_orders.order_id = exceptions.order_id;
  `,
}
