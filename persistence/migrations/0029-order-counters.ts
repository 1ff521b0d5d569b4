/** What is final is counted as it comes about; what is open is counted when somebody asks, from its index. */
import type { Migration } from './migration.ts'

const finals = "('COMPLETED', 'CANCELLED', 'EXPIRED')"

/** Of the days, only what is told of them: what was made, and what has ended. */
const forgetOpen = `
    DELETE FROM order_totals WHERE status NOT IN ${finals};
    DELETE FROM order_days WHERE status NOT IN ${finals} AND status <> 'CREATED';`

const add = (row: string, change: 1 | -1) =>
  `INSERT INTO order_totals VALUES (${row}.status, ${row}.direction, ${row}.currency, 0, ${change})
        ON CONFLICT DO UPDATE SET orders = orders + ${change};`
const arrive = (at: string, status: string) =>
  `INSERT INTO order_days VALUES (${at} / 86400000, ${status}, 0, 1) ON CONFLICT DO UPDATE SET orders = orders + 1;`

export const orderCounters: Migration = {
  name: '0029-order-counters',
  sqlite: '',
  onlySqlite: `
    DROP TRIGGER orders_counted_when_made;
    DROP TRIGGER orders_counted_when_moved;
    ${forgetOpen}
    CREATE TRIGGER orders_counted_when_made AFTER INSERT ON orders BEGIN
      ${arrive('NEW.created_at', "'CREATED'")}
    END;
    -- Copied ones, mostly.
    CREATE TRIGGER orders_counted_when_made_final AFTER INSERT ON orders WHEN NEW.status IN ${finals} BEGIN
      ${add('NEW', 1)}
    END;
    CREATE TRIGGER orders_counted_when_ended AFTER UPDATE OF status ON orders
      WHEN NEW.status IN ${finals} AND OLD.status <> NEW.status BEGIN
      ${add('NEW', 1)}
      ${arrive('NEW.modified_at', 'NEW.status')}
    END;
    -- No chart leads out of a final status; the counters stay true whatever does.
    CREATE TRIGGER orders_counted_when_opened AFTER UPDATE OF status ON orders
      WHEN OLD.status IN ${finals} AND OLD.status <> NEW.status BEGIN
      ${add('OLD', -1)}
    END;
  `,
  postgres: `
    DROP TRIGGER orders_counted_when_moved ON orders;
    ${forgetOpen}
    CREATE OR REPLACE FUNCTION count_made_order() RETURNS trigger AS $$ BEGIN
      IF NEW.status IN ${finals} THEN
        PERFORM count_order(NEW.status, NEW.direction, NEW.currency, 1);
      END IF;
      PERFORM count_arrival(NEW.created_at, 'CREATED');
      RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE OR REPLACE FUNCTION count_moved_order() RETURNS trigger AS $$ BEGIN
      IF OLD.status IN ${finals} THEN
        PERFORM count_order(OLD.status, OLD.direction, OLD.currency, -1);
      END IF;
      IF NEW.status IN ${finals} THEN
        PERFORM count_order(NEW.status, NEW.direction, NEW.currency, 1);
        PERFORM count_arrival(NEW.modified_at, NEW.status);
      END IF;
      RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER orders_counted_when_moved AFTER UPDATE OF status ON orders FOR EACH ROW
      WHEN (OLD.status IS DISTINCT FROM NEW.status AND (OLD.status IN ${finals} OR NEW.status IN ${finals}))
      EXECUTE FUNCTION count_moved_order();
  `,
}
