/** Parties, orders, ledger, journal, outbox: everything a local pay-out needs. */
import type { Migration } from './migration.ts'

export const foundation: Migration = {
  name: '0001-foundation',
  sqlite: `
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE secrets (name TEXT PRIMARY KEY, ciphertext TEXT NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE parties (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('merchant', 'provider')),
      name TEXT NOT NULL,
      contact TEXT NOT NULL,
      requests_per_minute INTEGER CHECK (requests_per_minute > 0),
      frozen_at INTEGER,
      frozen_reason TEXT,
      webhooks_paused_at INTEGER,
      webhooks_resumed_at INTEGER,
      webhook_credential_key TEXT,
      webhook_credential_at INTEGER,
      created_at INTEGER NOT NULL,
      UNIQUE (kind, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX parties_with_paused_webhooks ON parties (webhooks_paused_at)
      WHERE webhooks_paused_at IS NOT NULL;

    CREATE TABLE credentials (
      key TEXT PRIMARY KEY,
      party_id TEXT NOT NULL REFERENCES parties (id),
      secret_ciphertext TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      first_used_at INTEGER,
      last_used_at INTEGER,
      revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX credentials_by_party ON credentials (party_id);

    CREATE TABLE pairs (
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      country TEXT NOT NULL,
      currency TEXT NOT NULL,
      min_minor INTEGER NOT NULL CHECK (min_minor >= 0),
      max_minor INTEGER NOT NULL,
      cash_increment_minor INTEGER NOT NULL CHECK (cash_increment_minor > 0),
      pay_out INTEGER NOT NULL CHECK (pay_out IN (0, 1)),
      pay_in INTEGER NOT NULL CHECK (pay_in IN (0, 1)),
      PRIMARY KEY (merchant_id, country, currency),
      CHECK (max_minor >= min_minor)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE networks (
      network_id TEXT PRIMARY KEY,
      provider_id TEXT NOT NULL REFERENCES parties (id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX networks_by_provider ON networks (provider_id);

    CREATE TABLE rates (
      blockchain TEXT NOT NULL,
      send_currency TEXT NOT NULL,
      country TEXT NOT NULL,
      target_currency TEXT NOT NULL,
      rate TEXT,
      fee_fixed TEXT NOT NULL,
      fee_bps INTEGER NOT NULL CHECK (fee_bps BETWEEN 0 AND 10000),
      max_age_seconds INTEGER CHECK (max_age_seconds > 0),
      source_json TEXT,
      reading_json TEXT,
      problem TEXT,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (blockchain, send_currency, country, target_currency),
      CHECK (rate IS NOT NULL OR source_json IS NOT NULL)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE account_deposits (
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      reference TEXT NOT NULL,
      currency TEXT NOT NULL,
      amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
      deposited_at INTEGER NOT NULL,
      reversed_at INTEGER,
      PRIMARY KEY (merchant_id, reference)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN
        ('available', 'reserved', 'bank', 'provider', 'suspense', 'rounding', 'treasury', 'debt', 'deposit',
         'exchange', 'fee')),
      owner_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      balance_minor INTEGER NOT NULL,
      CONSTRAINT funds CHECK (kind NOT IN ('available', 'reserved') OR balance_minor >= 0)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE orders (
      id TEXT PRIMARY KEY,
      code TEXT NOT NULL UNIQUE,
      direction TEXT NOT NULL CHECK (direction IN ('PAY_OUT', 'PAY_IN')),
      order_type TEXT NOT NULL,
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      merchant_order_id TEXT NOT NULL,
      credential_key TEXT NOT NULL REFERENCES credentials (key),
      country TEXT NOT NULL,
      price_minor INTEGER NOT NULL CHECK (price_minor > 0),
      currency TEXT NOT NULL,
      description TEXT NOT NULL,
      notify_url TEXT NOT NULL,
      return_url TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      modified_at INTEGER NOT NULL,
      expiry_at INTEGER NOT NULL,
      due_at INTEGER,
      paid_at INTEGER,
      status TEXT NOT NULL CHECK (status IN
        ('CREATED', 'READY', 'PAYMENT_STARTED', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
      lock_provider_id TEXT REFERENCES parties (id),
      lock_network_id TEXT,
      locked_at INTEGER,
      held_at INTEGER,
      locks INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      journal_count INTEGER NOT NULL,
      journal_head TEXT NOT NULL,
      refusals INTEGER NOT NULL,
      webhook_count INTEGER NOT NULL,
      machine TEXT NOT NULL,
      machine_version INTEGER NOT NULL,
      snapshot TEXT NOT NULL,
      UNIQUE (merchant_id, merchant_order_id),
      CHECK ((status IN ('COMPLETED', 'CANCELLED', 'EXPIRED')) = (due_at IS NULL)),
      CHECK ((status = 'COMPLETED') = (paid_at IS NOT NULL)),
      CHECK (status <> 'PAYMENT_STARTED' OR lock_provider_id IS NOT NULL)
    ) STRICT;
    CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL AND held_at IS NULL;
    CREATE INDEX orders_by_merchant ON orders (merchant_id, direction, created_at, id);
    CREATE INDEX orders_by_merchant_and_status ON orders (merchant_id, direction, status, created_at, id);
    CREATE INDEX orders_due_of_merchant ON orders (merchant_id, direction, due_at)
      WHERE due_at IS NOT NULL AND held_at IS NULL;
    CREATE INDEX orders_by_created ON orders (created_at, id);
    CREATE INDEX orders_locked ON orders (lock_provider_id, locked_at) WHERE status = 'PAYMENT_STARTED';
    CREATE INDEX orders_held ON orders (id) WHERE held_at IS NOT NULL;
    CREATE INDEX orders_held_past_expiry ON orders (due_at) WHERE held_at IS NOT NULL;
    CREATE INDEX orders_often_locked ON orders (created_at, id) WHERE locks > 3 AND due_at IS NOT NULL;
    CREATE INDEX orders_by_status ON orders (status, created_at, id);
    -- Of those that ended alone: a payment that starts writes nothing here, and the locked ones are few.
    CREATE INDEX orders_ended_by_provider ON orders (lock_provider_id, status, created_at, id)
      WHERE due_at IS NULL AND lock_provider_id IS NOT NULL;
    CREATE INDEX orders_ended_by_provider_and_merchant ON orders
      (lock_provider_id, merchant_id, status, created_at, id)
      WHERE due_at IS NULL AND lock_provider_id IS NOT NULL;

    CREATE TABLE consumers (
      order_id TEXT PRIMARY KEY REFERENCES orders (id),
      email TEXT NOT NULL,
      phone_number TEXT NOT NULL,
      erased_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE postings (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      debit_account TEXT NOT NULL REFERENCES accounts (id),
      credit_account TEXT NOT NULL REFERENCES accounts (id),
      amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
      currency TEXT NOT NULL,
      order_id TEXT REFERENCES orders (id),
      reference TEXT,
      posted_at INTEGER NOT NULL,
      CHECK (debit_account <> credit_account)
    ) STRICT;
    CREATE INDEX postings_by_order ON postings (order_id) WHERE order_id IS NOT NULL;

    -- In the order of its entries, for its anchors; that also keeps it fast where there are many orders, as
    -- entries are added at its end and not among those of their order.
    CREATE TABLE journal (
      position INTEGER PRIMARY KEY,
      order_id TEXT NOT NULL REFERENCES orders (id),
      sequence INTEGER NOT NULL,
      entry_at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      credential_key TEXT,
      event_json TEXT NOT NULL,
      from_status TEXT,
      to_status TEXT NOT NULL,
      outcome TEXT NOT NULL,
      hash TEXT NOT NULL,
      UNIQUE (order_id, sequence)
    ) STRICT;
    CREATE TRIGGER journal_is_append_only BEFORE UPDATE ON journal
      BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;

    CREATE TABLE funding_requests (
      position INTEGER PRIMARY KEY,
      order_id TEXT NOT NULL UNIQUE REFERENCES orders (id),
      merchant_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      price_minor INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX funding_requests_waiting ON funding_requests (merchant_id, currency, price_minor, position);

    CREATE TABLE webhooks (
      id TEXT PRIMARY KEY,
      order_id TEXT NOT NULL REFERENCES orders (id),
      merchant_id TEXT NOT NULL REFERENCES parties (id),
      sequence INTEGER NOT NULL,
      order_status TEXT NOT NULL,
      is_final INTEGER NOT NULL CHECK (is_final IN (0, 1)),
      url TEXT NOT NULL,
      host TEXT NOT NULL,
      body TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead', 'superseded')),
      created_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      attempts_before INTEGER NOT NULL DEFAULT 0,
      first_attempt_at INTEGER,
      last_attempt_at INTEGER,
      lease_until_at INTEGER,
      settled_at INTEGER,
      last_answer TEXT,
      pruned_at INTEGER,
      UNIQUE (order_id, sequence),
      CHECK ((state = 'pending') = (settled_at IS NULL)),
      CHECK (lease_until_at IS NULL OR settled_at IS NULL),
      CHECK (pruned_at IS NULL OR settled_at IS NOT NULL),
      CHECK (attempts_before <= attempts)
    ) STRICT;
    -- What is pending is said by settled_at: by state, a planner without statistics takes webhooks_by_state. It is
    -- a column of these indexes, always null, because without it SQLite looks into the table for each row.
    CREATE INDEX webhooks_due ON webhooks (due_at, merchant_id, host, settled_at) WHERE settled_at IS NULL;
    CREATE INDEX webhooks_by_lane ON webhooks (merchant_id, host, due_at, settled_at) WHERE settled_at IS NULL;
    CREATE INDEX webhooks_leased ON webhooks (lease_until_at) WHERE lease_until_at IS NOT NULL;
    CREATE INDEX webhooks_dead ON webhooks (merchant_id, settled_at) WHERE state = 'dead';
    CREATE INDEX webhooks_prunable ON webhooks (state, settled_at)
      WHERE settled_at IS NOT NULL AND pruned_at IS NULL;
    CREATE INDEX webhooks_by_state ON webhooks (state, created_at, id);
    CREATE INDEX webhooks_by_merchant ON webhooks (merchant_id, created_at);

    CREATE TABLE webhook_attempts (
      webhook_id TEXT NOT NULL REFERENCES webhooks (id),
      attempt INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      milliseconds INTEGER,
      status INTEGER,
      outcome TEXT NOT NULL,
      error TEXT,
      address TEXT,
      answer TEXT,
      answer_bytes INTEGER,
      is_cut INTEGER CHECK (is_cut IN (0, 1)),
      credential_key TEXT,
      message_date TEXT,
      PRIMARY KEY (webhook_id, attempt),
      CHECK ((outcome = 'started') = (ended_at IS NULL))
    ) STRICT, WITHOUT ROWID;

    -- Stored answers are found by what was asked alone, and forgotten after days: they refer to no row, because each
    -- order that is removed would have them searched for it, or each answer would cost an index.
    CREATE TABLE repeated_messages (
      party_id TEXT NOT NULL REFERENCES parties (id),
      digest TEXT NOT NULL,
      order_id TEXT NOT NULL,
      revision INTEGER NOT NULL,
      answer_json TEXT NOT NULL,
      accepted_at INTEGER NOT NULL,
      PRIMARY KEY (party_id, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX repeated_messages_by_age ON repeated_messages (accepted_at);

    CREATE TABLE idempotency_keys (
      party_id TEXT NOT NULL REFERENCES parties (id),
      key TEXT NOT NULL,
      payload_digest TEXT NOT NULL,
      order_id TEXT,
      revision INTEGER,
      answer_json TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (party_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

    CREATE TABLE exceptions (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'resolved')),
      order_id TEXT REFERENCES orders (id),
      chain TEXT,
      transaction_id TEXT,
      amount TEXT,
      asset TEXT,
      sender TEXT,
      reason TEXT NOT NULL,
      evidence_json TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      resolved_at INTEGER,
      resolution TEXT,
      resolved_by TEXT,
      resolution_reason TEXT,
      resolution_evidence TEXT,
      revision INTEGER NOT NULL,
      CHECK ((state = 'resolved') = (resolved_at IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX exceptions_by_state ON exceptions (state, opened_at);
    CREATE INDEX exceptions_by_order ON exceptions (order_id) WHERE order_id IS NOT NULL;

    CREATE TABLE audit (
      id INTEGER PRIMARY KEY,
      done_at INTEGER NOT NULL,
      operator TEXT NOT NULL,
      operation TEXT NOT NULL,
      input_json TEXT NOT NULL,
      outcome TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_by_operation ON audit (operation);
    CREATE INDEX audit_by_operator ON audit (operator);
  `,
  postgres: `
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the % is append-only', TG_TABLE_NAME; END $$;
    CREATE TRIGGER journal_is_append_only BEFORE UPDATE ON journal FOR EACH ROW EXECUTE FUNCTION refuse_change();

    -- An entry gets its position before its commit, so an earlier one may become visible behind a later one. Whoever
    -- writes one shares a lock until its commit; whoever has had it alone, for a moment, has seen the end.
    CREATE FUNCTION share_journal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(20251, 2); RETURN NULL; END $$;
    CREATE TRIGGER journal_is_shared BEFORE INSERT ON journal FOR EACH STATEMENT EXECUTE FUNCTION share_journal();
    CREATE FUNCTION journal_end() RETURNS BIGINT LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(20251, 2); RETURN (SELECT max(position) FROM journal); END $$;
  `,
}
