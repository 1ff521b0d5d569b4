/** Who may sign in to the console, and counters of orders that a page can show without counting. */
import type { Migration } from './migration.ts'

export const operators: Migration = {
  name: '0003-operators',
  sqlite: `
    CREATE TABLE operators (
      name TEXT PRIMARY KEY CHECK (name = lower(name)),
      role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'administrator')),
      password_hash TEXT NOT NULL,
      password_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      signed_in_at INTEGER,
      disabled_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sessions (
      digest TEXT PRIMARY KEY,
      operator_name TEXT NOT NULL REFERENCES operators (name),
      created_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      address TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_operator ON sessions (operator_name);

    -- Kept by triggers, so that no way of changing an order can forget them.
    CREATE TABLE order_totals (
      status TEXT NOT NULL,
      direction TEXT NOT NULL,
      currency TEXT NOT NULL,
      orders INTEGER NOT NULL,
      PRIMARY KEY (status, direction, currency)
    ) STRICT, WITHOUT ROWID;
    -- How many orders came into a status on a day (UTC, days since the epoch).
    CREATE TABLE order_days (
      day INTEGER NOT NULL,
      status TEXT NOT NULL,
      orders INTEGER NOT NULL,
      PRIMARY KEY (day, status)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO order_totals SELECT status, direction, currency, count(*) FROM orders GROUP BY 1, 2, 3;

    CREATE TRIGGER orders_counted_when_made AFTER INSERT ON orders BEGIN
      INSERT INTO order_totals VALUES (NEW.status, NEW.direction, NEW.currency, 1)
        ON CONFLICT DO UPDATE SET orders = orders + 1;
      INSERT INTO order_days VALUES (NEW.created_at / 86400000, 'CREATED', 1)
        ON CONFLICT DO UPDATE SET orders = orders + 1;
    END;
    CREATE TRIGGER orders_counted_when_moved AFTER UPDATE OF status ON orders WHEN OLD.status <> NEW.status BEGIN
      UPDATE order_totals SET orders = orders - 1
        WHERE status = OLD.status AND direction = OLD.direction AND currency = OLD.currency;
      INSERT INTO order_totals VALUES (NEW.status, NEW.direction, NEW.currency, 1)
        ON CONFLICT DO UPDATE SET orders = orders + 1;
      INSERT INTO order_days VALUES (NEW.modified_at / 86400000, NEW.status, 1)
        ON CONFLICT DO UPDATE SET orders = orders + 1;
    END;
  `,
}
