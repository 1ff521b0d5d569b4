/** Payments with what they were told, their runs, and lines of banks. */
import type { Migration } from './migration.ts'

export const payments: Migration = {
  name: '0016-payments',
  sqlite: `
    CREATE TABLE payment_runs (
      id TEXT PRIMARY KEY,
      bank TEXT NOT NULL REFERENCES banks (name),
      currency TEXT NOT NULL,
      due_day TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      completed_at INTEGER,
      exported_at INTEGER,
      exported_by TEXT,
      file_digest TEXT,
      revision INTEGER NOT NULL,
      CHECK ((exported_at IS NULL) = (file_digest IS NULL)),
      CHECK ((exported_at IS NULL) = (exported_by IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX payment_runs_by_time ON payment_runs (created_at, id);

    CREATE TABLE payments (
      id TEXT PRIMARY KEY,
      party_id TEXT NOT NULL REFERENCES parties (id),
      currency TEXT NOT NULL,
      direction TEXT NOT NULL CHECK (direction IN ('out', 'in')),
      amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
      bank TEXT NOT NULL REFERENCES banks (name),
      bank_reference TEXT,
      run_id TEXT REFERENCES payment_runs (id),
      is_in_file INTEGER NOT NULL CHECK (is_in_file IN (0, 1)),
      account TEXT,
      party_account TEXT NOT NULL CHECK (party_account IN ('payable', 'provider', 'available')),
      state TEXT NOT NULL CHECK (state IN ('ordered', 'sent', 'booked', 'returned')),
      ordered_at INTEGER NOT NULL,
      ordered_by TEXT NOT NULL,
      sent_at INTEGER,
      booked_at INTEGER,
      returned_at INTEGER,
      reason TEXT,
      revision INTEGER NOT NULL CHECK (revision > 0),
      machine_version INTEGER NOT NULL,
      snapshot TEXT NOT NULL,
      UNIQUE (bank, direction, bank_reference),
      UNIQUE (run_id, party_id, currency),
      CHECK ((direction = 'out') = (account IS NOT NULL)),
      CHECK ((state = 'returned') = (returned_at IS NOT NULL)),
      CHECK (state <> 'booked' OR booked_at IS NOT NULL AND bank_reference IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX payments_by_time ON payments (ordered_at, id);
    CREATE INDEX payments_by_party ON payments (party_id, ordered_at, id);
    CREATE INDEX payments_by_state ON payments (state, ordered_at, id);

    CREATE TABLE payment_events (
      payment_id TEXT NOT NULL REFERENCES payments (id),
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      told_at INTEGER NOT NULL,
      operator TEXT NOT NULL,
      event_json TEXT NOT NULL,
      from_state TEXT,
      to_state TEXT NOT NULL,
      PRIMARY KEY (payment_id, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER payment_events_are_append_only BEFORE UPDATE ON payment_events
      BEGIN SELECT RAISE (ABORT, 'what a payment was told is append-only'); END;
    CREATE TRIGGER payment_events_stay BEFORE DELETE ON payment_events
      BEGIN SELECT RAISE (ABORT, 'what a payment was told is append-only'); END;

    CREATE TABLE bank_entries (
      bank TEXT NOT NULL REFERENCES banks (name),
      direction TEXT NOT NULL CHECK (direction IN ('out', 'in')),
      reference TEXT NOT NULL,
      kind TEXT NOT NULL,
      currency TEXT NOT NULL,
      amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
      value_day TEXT,
      subject_id TEXT,
      reason TEXT NOT NULL,
      booked_at INTEGER NOT NULL,
      booked_by TEXT NOT NULL,
      PRIMARY KEY (bank, direction, reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX bank_entries_by_time ON bank_entries (booked_at, bank, direction, reference);
    CREATE INDEX bank_entries_by_subject ON bank_entries (subject_id) WHERE subject_id IS NOT NULL;
  `,
  postgres: `
    CREATE TRIGGER payment_events_are_append_only BEFORE UPDATE OR DELETE ON payment_events
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
  `,
}
