/** What stays of archived orders, and what old rows are found by. */
import type { Migration } from './migration.ts'

export const housekeeping: Migration = {
  name: '0004-housekeeping',
  sqlite: `
    CREATE TABLE archived_orders (
      id TEXT PRIMARY KEY,
      code TEXT NOT NULL UNIQUE,
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      merchant_order_id TEXT NOT NULL,
      direction TEXT NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      archived_at INTEGER NOT NULL,
      file TEXT NOT NULL,
      digest TEXT NOT NULL,
      journal_count INTEGER NOT NULL,
      journal_head TEXT NOT NULL,
      reference TEXT UNIQUE,
      personal_key TEXT,
      email_digest TEXT,
      phone_digest TEXT,
      erased_at INTEGER,
      UNIQUE (merchant_id, merchant_order_id),
      CHECK ((personal_key IS NULL) = (erased_at IS NOT NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE archived_entries (
      position INTEGER NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (position)
    ) STRICT;

    CREATE TABLE archived_balances (
      account_id TEXT PRIMARY KEY REFERENCES accounts (id),
      balance_minor INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- An archived order is still the only one with its code, and with its merchant's id for it.
    CREATE TRIGGER orders_are_not_made_again BEFORE INSERT ON orders BEGIN
      SELECT RAISE (ABORT, 'UNIQUE constraint failed: orders.merchant_id, orders.merchant_order_id')
        FROM archived_orders
        WHERE merchant_id = NEW.merchant_id AND merchant_order_id = NEW.merchant_order_id;
      SELECT RAISE (ABORT, 'UNIQUE constraint failed: orders.code') FROM archived_orders WHERE code = NEW.code;
    END;

    -- With order_id in it, always null: by expires_at alone the planner takes the index of used quotes.
    CREATE INDEX quotes_unused ON quotes (order_id, expires_at) WHERE order_id IS NULL;
  `,
  postgres: `
    -- After the insert: one that has waited for an archiving to commit sees here what that has left.
    CREATE FUNCTION refuse_archived_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM archived_orders
          WHERE merchant_id = NEW.merchant_id AND merchant_order_id = NEW.merchant_order_id) THEN
        RAISE unique_violation USING MESSAGE = 'the order was archived', TABLE = 'orders',
          CONSTRAINT = 'orders_merchant_id_merchant_order_id_key';
      END IF;
      IF EXISTS (SELECT FROM archived_orders WHERE code = NEW.code) THEN
        RAISE unique_violation USING MESSAGE = 'the code was archived', TABLE = 'orders',
          CONSTRAINT = 'orders_code_key';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER orders_are_not_made_again AFTER INSERT ON orders
      FOR EACH ROW EXECUTE FUNCTION refuse_archived_order();

    -- Behind a column that is null PostgreSQL knows of no order: it would sort all unused quotes for each pass.
    DROP INDEX quotes_unused;
    CREATE INDEX quotes_unused ON quotes (expires_at) WHERE order_id IS NULL;
  `,
}
