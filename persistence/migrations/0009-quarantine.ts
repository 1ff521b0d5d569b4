/** What a restore sets aside is called what people call it: quarantined. Only a provider holds an order. */
import type { Migration } from './migration.ts'

export const quarantine: Migration = {
  name: '0009-quarantine',
  sqlite: `
    ALTER TABLE orders RENAME COLUMN held_at TO quarantined_at;

    -- Both are empty but after a restore.
    DROP INDEX orders_held;
    CREATE INDEX orders_quarantined ON orders (id) WHERE quarantined_at IS NOT NULL;
    DROP INDEX orders_held_past_expiry;
    CREATE INDEX orders_quarantined_past_expiry ON orders (due_at) WHERE quarantined_at IS NOT NULL;
  `,
}
