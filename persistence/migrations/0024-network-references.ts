/** What networks call the payments of orders, so that what they report later can be matched. */
import type { Migration } from './migration.ts'

export const networkReferences: Migration = {
  name: '0024-network-references',
  sqlite: `
    -- An order may have several: of its start, of its confirmation, of another network that had locked it before.
    CREATE TABLE network_references (
      order_id TEXT NOT NULL REFERENCES orders (id),
      network_id TEXT NOT NULL,
      reference TEXT NOT NULL,
      PRIMARY KEY (order_id, network_id, reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX network_references_by_text ON network_references (network_id, reference);
  `,
}
