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

    -- Kept by triggers, so that no way of changing an order can forget them, and without constraints, so that none
    -- can fail for its number. A counter is what one connection has counted: those that write at once never wait
    -- for each other. SQLite has one.
    CREATE TABLE order_totals (
      status TEXT NOT NULL,
      direction TEXT NOT NULL,
      currency TEXT NOT NULL,
      counter INTEGER NOT NULL,
      orders INTEGER NOT NULL,
      PRIMARY KEY (status, direction, currency, counter)
    ) STRICT, WITHOUT ROWID;
    -- How many orders came into a status on a day (UTC, days since the epoch).
    CREATE TABLE order_days (
      day INTEGER NOT NULL,
      status TEXT NOT NULL,
      counter INTEGER NOT NULL,
      orders INTEGER NOT NULL,
      PRIMARY KEY (day, status, counter)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO order_totals SELECT status, direction, currency, 0, count(*) FROM orders GROUP BY 1, 2, 3;

    CREATE TRIGGER orders_counted_when_made AFTER INSERT ON orders BEGIN
      INSERT INTO order_totals VALUES (NEW.status, NEW.direction, NEW.currency, 0, 1)
        ON CONFLICT DO UPDATE SET orders = orders + 1;
      INSERT INTO order_days VALUES (NEW.created_at / 86400000, 'CREATED', 0, 1)
        ON CONFLICT DO UPDATE SET orders = orders + 1;
    END;
    CREATE TRIGGER orders_counted_when_moved AFTER UPDATE OF status ON orders WHEN OLD.status <> NEW.status BEGIN
      INSERT INTO order_totals VALUES (OLD.status, OLD.direction, OLD.currency, 0, -1)
        ON CONFLICT DO UPDATE SET orders = orders - 1;
      INSERT INTO order_totals VALUES (NEW.status, NEW.direction, NEW.currency, 0, 1)
        ON CONFLICT DO UPDATE SET orders = orders + 1;
      INSERT INTO order_days VALUES (NEW.modified_at / 86400000, NEW.status, 0, 1)
        ON CONFLICT DO UPDATE SET orders = orders + 1;
    END;
  `,
  postgres: `
    CREATE FUNCTION count_order(of_status TEXT, of_direction TEXT, of_currency TEXT, change BIGINT) RETURNS void AS $$
      INSERT INTO order_totals AS totals VALUES (of_status, of_direction, of_currency, pg_backend_pid(), change)
        ON CONFLICT (status, direction, currency, counter) DO UPDATE SET orders = totals.orders + change
    $$ LANGUAGE sql;
    CREATE FUNCTION count_arrival(at BIGINT, of_status TEXT) RETURNS void AS $$
      INSERT INTO order_days AS days VALUES (at / 86400000, of_status, pg_backend_pid(), 1)
        ON CONFLICT (day, status, counter) DO UPDATE SET orders = days.orders + 1
    $$ LANGUAGE sql;
    CREATE FUNCTION count_made_order() RETURNS trigger AS $$ BEGIN
      PERFORM count_order(NEW.status, NEW.direction, NEW.currency, 1);
      PERFORM count_arrival(NEW.created_at, 'CREATED');
      RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE FUNCTION count_moved_order() RETURNS trigger AS $$ BEGIN
      PERFORM count_order(OLD.status, OLD.direction, OLD.currency, -1);
      PERFORM count_order(NEW.status, NEW.direction, NEW.currency, 1);
      PERFORM count_arrival(NEW.modified_at, NEW.status);
      RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER orders_counted_when_made AFTER INSERT ON orders
      FOR EACH ROW EXECUTE FUNCTION count_made_order();
    CREATE TRIGGER orders_counted_when_moved AFTER UPDATE OF status ON orders
      FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_moved_order();
  `,
}
