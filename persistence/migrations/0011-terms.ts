/** Terms of parties: banks, calendars, settlement, fees and commissions, limits of networks and of exposure. */
import type { Migration } from './migration.ts'

export const terms: Migration = {
  name: '0011-terms',
  sqlite: `
    CREATE TABLE banks (
      name TEXT PRIMARY KEY,
      currency TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE calendars (
      name TEXT PRIMARY KEY,
      weekend_json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE calendar_days (
      calendar TEXT NOT NULL REFERENCES calendars (name),
      day TEXT NOT NULL,
      note TEXT NOT NULL,
      PRIMARY KEY (calendar, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE settlement_terms (
      party_id TEXT NOT NULL REFERENCES parties (id),
      currency TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      cut_off TEXT NOT NULL,
      every_json TEXT NOT NULL,
      calendar TEXT REFERENCES calendars (name),
      after_banking_days INTEGER NOT NULL CHECK (after_banking_days BETWEEN 0 AND 30),
      minimum_minor INTEGER CHECK (minimum_minor >= 0),
      keep_minor INTEGER CHECK (keep_minor >= 0),
      account TEXT,
      account_from_at INTEGER,
      next_account TEXT,
      next_account_at INTEGER,
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (party_id, currency),
      CHECK ((account IS NULL) = (account_from_at IS NULL)),
      CHECK ((next_account IS NULL) = (next_account_at IS NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE cut_offs (
      party_id TEXT NOT NULL,
      currency TEXT NOT NULL,
      day TEXT NOT NULL,
      ends_at INTEGER NOT NULL,
      PRIMARY KEY (party_id, currency, day),
      FOREIGN KEY (party_id, currency) REFERENCES settlement_terms (party_id, currency)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX cut_offs_by_end ON cut_offs (party_id, currency, ends_at);

    CREATE TABLE fee_terms (
      id TEXT PRIMARY KEY,
      party_id TEXT NOT NULL REFERENCES parties (id),
      kind TEXT NOT NULL CHECK (kind IN ('fee', 'commission')),
      network_id TEXT NOT NULL,
      country TEXT NOT NULL,
      currency TEXT NOT NULL,
      direction TEXT NOT NULL CHECK (direction IN ('PAY_OUT', 'PAY_IN')),
      from_day TEXT NOT NULL,
      from_at INTEGER NOT NULL,
      fixed_minor INTEGER NOT NULL CHECK (fixed_minor >= 0),
      bps INTEGER NOT NULL CHECK (bps BETWEEN 0 AND 10000),
      min_minor INTEGER CHECK (min_minor >= 0),
      max_minor INTEGER CHECK (max_minor >= min_minor),
      tax_bps INTEGER NOT NULL CHECK (tax_bps BETWEEN 0 AND 10000),
      CHECK (kind = 'fee' AND network_id = '' OR kind = 'commission' AND country = '')
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX fee_terms_in_force
      ON fee_terms (party_id, kind, network_id, country, currency, direction, from_at);
    CREATE UNIQUE INDEX fee_terms_by_day
      ON fee_terms (party_id, kind, network_id, country, currency, direction, from_day);

    CREATE TABLE exposure_limits (
      provider_id TEXT NOT NULL REFERENCES parties (id),
      currency TEXT NOT NULL,
      limit_minor INTEGER NOT NULL CHECK (limit_minor > 0),
      warn_at_percent INTEGER NOT NULL CHECK (warn_at_percent BETWEEN 1 AND 100),
      PRIMARY KEY (provider_id, currency)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE networks ADD COLUMN name TEXT;
    ALTER TABLE networks ADD COLUMN country TEXT;
    ALTER TABLE networks ADD COLUMN currency TEXT;
    ALTER TABLE networks ADD COLUMN min_minor INTEGER;
    ALTER TABLE networks ADD COLUMN max_minor INTEGER;
    ALTER TABLE networks ADD COLUMN counter_fee_minor INTEGER;
    ALTER TABLE networks ADD COLUMN hours TEXT;
    ALTER TABLE networks ADD COLUMN text_json TEXT;
  `,
}
