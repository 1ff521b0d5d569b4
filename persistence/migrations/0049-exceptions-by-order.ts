/**
 * An order's open exception of a kind is found by the order. By its kind and state alone, which the shorter index left SQLite to prefer,
 * thousands of undelivered webhooks were each held against thousands of exceptions.
 */
import type { Migration } from './migration.ts'

export const exceptionsByOrder: Migration = {
  name: '0049-exceptions-by-order',
  sqlite: `
    DROP INDEX exceptions_by_order;
    CREATE INDEX exceptions_by_order ON exceptions (order_id, kind, state) WHERE order_id IS NOT NULL;
  `,
}
