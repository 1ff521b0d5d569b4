/** Claims about the cash of orders, what they were told, and their evidence. */
import type { Migration } from './migration.ts'

export const claims: Migration = {
  name: '0032-claims',
  sqlite: `
    CREATE TABLE claims (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE CHECK (number > 0),
      opened_by TEXT NOT NULL CHECK (opened_by IN ('operator', 'merchant', 'provider')),
      opener TEXT NOT NULL,
      respondent TEXT NOT NULL CHECK (respondent IN ('merchant', 'provider')),
      kind TEXT NOT NULL CHECK (kind IN
        ('paid_not_credited', 'credited_not_paid', 'twice', 'wrong_amount', 'false_note')),
      order_id TEXT NOT NULL,
      direction TEXT NOT NULL CHECK (direction IN ('PAY_IN', 'PAY_OUT')),
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      provider_id TEXT NOT NULL REFERENCES parties (id),
      is_held INTEGER NOT NULL CHECK (is_held IN (0, 1)),
      is_foreign INTEGER NOT NULL CHECK (is_foreign IN (0, 1)),
      currency TEXT NOT NULL,
      price_minor INTEGER NOT NULL CHECK (price_minor > 0),
      fee_minor INTEGER NOT NULL CHECK (fee_minor >= 0),
      fee_tax_minor INTEGER NOT NULL CHECK (fee_tax_minor >= 0),
      commission_minor INTEGER NOT NULL CHECK (commission_minor >= 0),
      commission_tax_minor INTEGER NOT NULL CHECK (commission_tax_minor >= 0),
      amount_minor INTEGER CHECK (amount_minor > 0),
      exception_id TEXT,
      due_on TEXT NOT NULL,
      due_at INTEGER NOT NULL,
      opened_at INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN
        ('open', 'agreed', 'denied', 'accepted', 'upheld', 'rejected', 'withdrawn')),
      answered_at INTEGER,
      ended_at INTEGER,
      ended_by TEXT,
      reason TEXT,
      is_by_exception INTEGER NOT NULL CHECK (is_by_exception IN (0, 1)),
      revision INTEGER NOT NULL CHECK (revision > 0),
      head TEXT NOT NULL,
      machine_version INTEGER NOT NULL,
      snapshot TEXT NOT NULL,
      CHECK (opened_by = 'operator' OR opened_by <> respondent),
      CHECK ((amount_minor IS NOT NULL) = (kind IN ('wrong_amount', 'false_note'))),
      CHECK ((state IN ('open', 'agreed', 'denied')) = (ended_at IS NULL)),
      CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
      CHECK (is_by_exception = 0 OR state IN ('accepted', 'upheld'))
    ) STRICT, WITHOUT ROWID;
    -- The cash of an order was handled otherwise in each way once.
    CREATE UNIQUE INDEX claims_of_order ON claims (order_id, kind) WHERE state NOT IN ('rejected', 'withdrawn');
    -- What an exception is about is decided in one place.
    CREATE UNIQUE INDEX claims_of_exception ON claims (exception_id)
      WHERE exception_id IS NOT NULL AND state IN ('open', 'agreed', 'denied');
    CREATE INDEX claims_by_order ON claims (order_id, number);
    CREATE INDEX claims_by_merchant ON claims (merchant_id, number);
    CREATE INDEX claims_by_provider ON claims (provider_id, number);
    CREATE INDEX claims_waiting ON claims (due_at, number) WHERE state IN ('open', 'agreed', 'denied');

    CREATE TABLE claim_events (
      claim_id TEXT NOT NULL REFERENCES claims (id),
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      told_at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      credential_key TEXT,
      event_json TEXT NOT NULL,
      from_state TEXT,
      to_state TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (claim_id, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER claim_events_are_append_only BEFORE UPDATE ON claim_events
      BEGIN SELECT RAISE (ABORT, 'what a claim was told is append-only'); END;
    CREATE TRIGGER claim_events_stay BEFORE DELETE ON claim_events
      BEGIN SELECT RAISE (ABORT, 'what a claim was told is append-only'); END;

    CREATE TABLE claim_evidence (
      claim_id TEXT NOT NULL REFERENCES claims (id),
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      added_at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      file_name TEXT,
      media_type TEXT NOT NULL,
      byte_count INTEGER NOT NULL CHECK (byte_count BETWEEN 1 AND 5242880),
      digest TEXT NOT NULL,
      evidence_key TEXT,
      PRIMARY KEY (claim_id, sequence)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE claim_contents (
      claim_id TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (claim_id, sequence),
      FOREIGN KEY (claim_id, sequence) REFERENCES claim_evidence (claim_id, sequence)
    ) STRICT;

    CREATE TABLE claimed_orders (
      order_id TEXT PRIMARY KEY,
      credited_by INTEGER,
      reversed_by INTEGER
    ) STRICT, WITHOUT ROWID;
  `,
  postgres: `
    CREATE TRIGGER claim_events_are_append_only BEFORE UPDATE OR DELETE ON claim_events
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
  `,
}
