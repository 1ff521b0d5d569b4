/** Approvals, what they were told, the thresholds above which they are needed, and what moved below those lately. */
import type { Migration } from './migration.ts'

export const approvals: Migration = {
  name: '0044-approvals',
  sqlite: `
    CREATE TABLE approvals (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE CHECK (number > 0),
      operation TEXT NOT NULL,
      input_json TEXT NOT NULL,
      input_digest TEXT NOT NULL,
      preview_json TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      carried_by TEXT NOT NULL CHECK (carried_by IN ('node', 'asker')),
      asked_by TEXT NOT NULL,
      is_person INTEGER NOT NULL CHECK (is_person IN (0, 1)),
      asked_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL CHECK (expires_at > asked_at),
      state TEXT NOT NULL CHECK (state IN
        ('asked', 'approved', 'carried_out', 'failed', 'refused', 'withdrawn', 'expired', 'void')),
      decided_by TEXT,
      decided_at INTEGER,
      reason TEXT,
      ended_at INTEGER,
      revision INTEGER NOT NULL CHECK (revision > 0),
      head TEXT NOT NULL,
      machine_version INTEGER NOT NULL,
      snapshot TEXT NOT NULL,
      CHECK ((state IN ('asked', 'approved')) = (ended_at IS NULL)),
      CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
      CHECK (state NOT IN ('approved', 'carried_out', 'failed') OR decided_by IS NOT NULL),
      -- Nobody approves what they have asked for, whatever a program does.
      CHECK (state NOT IN ('approved', 'carried_out', 'failed') OR decided_by <> asked_by)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX approvals_waiting ON approvals (expires_at, number) WHERE state IN ('asked', 'approved');
    CREATE INDEX approvals_of_input ON approvals (input_digest) WHERE state IN ('asked', 'approved');

    CREATE TABLE approval_events (
      approval_id TEXT NOT NULL REFERENCES approvals (id),
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      told_at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      event_json TEXT NOT NULL,
      from_state TEXT,
      to_state TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (approval_id, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER approval_events_are_append_only BEFORE UPDATE ON approval_events
      BEGIN SELECT RAISE (ABORT, 'what an approval was told is append-only'); END;
    CREATE TRIGGER approval_events_stay BEFORE DELETE ON approval_events
      BEGIN SELECT RAISE (ABORT, 'what an approval was told is append-only'); END;

    CREATE TABLE approval_thresholds (
      operation TEXT NOT NULL,
      currency TEXT NOT NULL,
      amount_minor INTEGER NOT NULL CHECK (amount_minor >= 0),
      set_at INTEGER NOT NULL,
      set_by TEXT NOT NULL,
      revision INTEGER NOT NULL CHECK (revision > 0),
      PRIMARY KEY (operation, currency)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE unapproved_sums (
      operation TEXT NOT NULL,
      scope TEXT NOT NULL,
      currency TEXT NOT NULL,
      entries_json TEXT NOT NULL,
      PRIMARY KEY (operation, scope, currency)
    ) STRICT, WITHOUT ROWID;
  `,
  postgres: `
    CREATE TRIGGER approval_events_are_append_only BEFORE UPDATE OR DELETE ON approval_events
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
  `,
}
