/** One claim of a kind waits for each provider of an order; that each kind moves its cash once stays, of all of them. */
import type { Migration } from './migration.ts'

export const claimsOfParties: Migration = {
  name: '0037-claims-of-parties',
  sqlite: `
    DROP INDEX claims_of_order;
    -- A provider learns nothing of what is between the merchant and another one.
    CREATE UNIQUE INDEX claims_of_provider ON claims (order_id, kind, provider_id)
      WHERE state NOT IN ('rejected', 'withdrawn');
    -- The cash of an order was handled otherwise in each way once.
    CREATE UNIQUE INDEX claims_of_order ON claims (order_id, kind) WHERE state IN ('accepted', 'upheld');
  `,
}
