/** Statements of parties: what was closed, their lines, and what settles what they ask for. */
import type { Migration } from './migration.ts'

export const statements: Migration = {
  name: '0013-statements',
  sqlite: `
    CREATE TABLE statement_books (
      party_id TEXT NOT NULL REFERENCES parties (id),
      currency TEXT NOT NULL,
      last_number INTEGER NOT NULL CHECK (last_number >= 0),
      closed_day TEXT NOT NULL,
      closed_at INTEGER NOT NULL,
      PRIMARY KEY (party_id, currency)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE statements (
      party_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      number INTEGER NOT NULL CHECK (number > 0),
      party_kind TEXT NOT NULL CHECK (party_kind IN ('merchant', 'provider')),
      from_day TEXT NOT NULL,
      to_day TEXT NOT NULL CHECK (to_day >= from_day),
      closed_at INTEGER NOT NULL,
      due_on TEXT,
      postponed_to TEXT CHECK (postponed_to > due_on),
      opening_minor INTEGER NOT NULL,
      closing_minor INTEGER NOT NULL,
      due_minor INTEGER NOT NULL,
      allocated_minor INTEGER NOT NULL DEFAULT 0,
      swept_minor INTEGER NOT NULL CHECK (swept_minor >= 0),
      line_count INTEGER NOT NULL CHECK (line_count >= 0),
      anchored_at INTEGER,
      sealed_at INTEGER,
      previous_digest TEXT,
      digest TEXT,
      PRIMARY KEY (party_id, currency, number),
      FOREIGN KEY (party_id, currency) REFERENCES statement_books (party_id, currency),
      CHECK (line_count > 0 OR due_minor <> 0),
      CHECK ((digest IS NULL) = (sealed_at IS NULL)),
      CHECK ((previous_digest IS NULL) = (sealed_at IS NULL)),
      CHECK (sealed_at IS NULL OR anchored_at IS NOT NULL),
      CHECK (due_minor >= 0 AND allocated_minor >= 0 AND allocated_minor <= due_minor
        OR due_minor < 0 AND allocated_minor <= 0 AND allocated_minor >= due_minor)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX statements_by_day ON statements (party_id, currency, to_day);
    CREATE INDEX statements_unsealed ON statements (party_id, currency, number) WHERE sealed_at IS NULL;
    CREATE INDEX statements_open ON statements (party_id, currency, number) WHERE allocated_minor <> due_minor;
    CREATE INDEX statements_by_closing ON statements (closed_at);

    CREATE TABLE statement_ranges (
      party_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      number INTEGER NOT NULL,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      first_number INTEGER NOT NULL CHECK (first_number > 0),
      last_number INTEGER NOT NULL CHECK (last_number >= first_number - 1),
      balance_minor INTEGER NOT NULL,
      sealed_number INTEGER NOT NULL CHECK (sealed_number >= first_number - 1 AND sealed_number <= last_number),
      PRIMARY KEY (party_id, currency, number, account_id),
      FOREIGN KEY (party_id, currency, number) REFERENCES statements (party_id, currency, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE statement_lines (
      party_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      number INTEGER NOT NULL,
      line INTEGER NOT NULL CHECK (line > 0),
      day TEXT NOT NULL,
      about_day TEXT,
      posted_at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      direction TEXT CHECK (direction IN ('PAY_OUT', 'PAY_IN')),
      order_id TEXT,
      network_id TEXT,
      reference TEXT,
      amount_minor INTEGER NOT NULL,
      fee_minor INTEGER NOT NULL,
      tax_minor INTEGER NOT NULL,
      balance_minor INTEGER NOT NULL,
      account_id TEXT NOT NULL,
      account_number INTEGER NOT NULL,
      posting_count INTEGER NOT NULL CHECK (posting_count > 0),
      PRIMARY KEY (party_id, currency, number, line),
      FOREIGN KEY (party_id, currency, number) REFERENCES statements (party_id, currency, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE allocations (
      id TEXT PRIMARY KEY,
      party_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      number INTEGER NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('payment', 'set_off', 'reversal')),
      source_id TEXT NOT NULL,
      amount_minor INTEGER NOT NULL CHECK (amount_minor <> 0),
      allocated_at INTEGER NOT NULL,
      FOREIGN KEY (party_id, currency, number) REFERENCES statements (party_id, currency, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX allocations_by_statement ON allocations (party_id, currency, number, id);
    CREATE INDEX allocations_by_source ON allocations (source, source_id);

    CREATE TABLE lost_statements (
      party_id TEXT NOT NULL REFERENCES parties (id),
      currency TEXT NOT NULL,
      number INTEGER NOT NULL CHECK (number > 0),
      recorded_at INTEGER NOT NULL,
      PRIMARY KEY (party_id, currency, number)
    ) STRICT, WITHOUT ROWID;
  `,
}
