/** How each operator likes the console's lists, and orders by their amount. */
import type { Migration } from './migration.ts'

export const operatorLists: Migration = {
  name: '0033-operator-lists',
  sqlite: `
    CREATE TABLE operator_lists (
      operator TEXT NOT NULL,
      list TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('columns', 'filter')),
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (operator, list, kind, name)
    ) STRICT, WITHOUT ROWID;

    -- The newest of an amount, however many have it.
    CREATE INDEX orders_by_price ON orders (price_minor, currency, created_at);
  `,
}
