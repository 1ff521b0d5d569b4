/** Consumers are found by their telephone number, however it is written. */
import type { Migration } from './migration.ts'

export const telephoneNumbers: Migration = {
  name: '0040-telephone-numbers',
  sqlite: `
    -- An HMAC of its last digits, which goes with the number: no index holds one that may have to be erased.
    ALTER TABLE consumers ADD COLUMN phone_digest TEXT CHECK (phone_digest IS NULL OR phone_number <> '');
    CREATE INDEX consumers_by_phone ON consumers (phone_digest) WHERE phone_digest IS NOT NULL;
    -- Those from before there were digests, until the node has made them.
    CREATE INDEX consumers_without_phone_digest ON consumers (order_id)
      WHERE phone_digest IS NULL AND phone_number <> '';
    CREATE INDEX archived_orders_by_phone ON archived_orders (phone_digest) WHERE phone_digest IS NOT NULL;
  `,
}
