/** Of a sandbox: what receivers are to do wrong, what was sent to them, what inboxes got, and what an integration has done. */
import type { Migration } from './migration.ts'

export const sandboxReceivers: Migration = {
  name: '0047-sandbox-receivers',
  sqlite: `
    CREATE TABLE receiver_faults (
      id TEXT NOT NULL PRIMARY KEY,
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      order_id TEXT,
      fault TEXT NOT NULL,
      status INTEGER,
      seconds INTEGER,
      deliveries_left INTEGER NOT NULL CHECK (deliveries_left > 0),
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX receiver_faults_of_merchant ON receiver_faults (merchant_id, created_at, id);

    CREATE TABLE sandbox_deliveries (
      id TEXT NOT NULL PRIMARY KEY,
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      webhook_id TEXT NOT NULL,
      order_id TEXT,
      attempt INTEGER NOT NULL,
      sent_at INTEGER NOT NULL,
      url TEXT NOT NULL,
      headers_json TEXT NOT NULL,
      ping_body TEXT,
      fault TEXT,
      was_sent INTEGER NOT NULL CHECK (was_sent IN (0, 1)),
      outcome TEXT NOT NULL,
      status INTEGER,
      error TEXT,
      milliseconds INTEGER NOT NULL,
      verdict TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sandbox_deliveries_of_merchant ON sandbox_deliveries (merchant_id, sent_at, id);

    CREATE TABLE inbox_arrivals (
      id TEXT NOT NULL PRIMARY KEY,
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      received_at INTEGER NOT NULL,
      webhook_id TEXT,
      attempt TEXT,
      bytes INTEGER NOT NULL,
      problem TEXT,
      is_standard INTEGER NOT NULL CHECK (is_standard IN (0, 1))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX inbox_arrivals_of_merchant ON inbox_arrivals (merchant_id, received_at, id);

    CREATE TABLE go_live_steps (
      party_id TEXT NOT NULL REFERENCES parties (id),
      step TEXT NOT NULL,
      done_at INTEGER NOT NULL,
      evidence TEXT NOT NULL,
      PRIMARY KEY (party_id, step)
    ) STRICT, WITHOUT ROWID;
  `,
}
