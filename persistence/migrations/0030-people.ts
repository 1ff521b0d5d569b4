/** One kind of account for everybody who may sign in, what proves who they are, and invitations. */
import type { Migration } from './migration.ts'

export const people: Migration = {
  name: '0030-people',
  sqlite: `
    -- Whoever belongs to no party is an operator; the people of parties have roles of their own.
    CREATE TABLE people (
      name TEXT PRIMARY KEY CHECK (name = lower(name)),
      party_id TEXT REFERENCES parties (id),
      role TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      password_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      signed_in_at INTEGER,
      disabled_at INTEGER,
      -- Without one it is the browser's; without a zone it is UTC.
      language TEXT CHECK (language IN ('en', 'es', 'pt')),
      time_zone TEXT,
      totp_ciphertext TEXT,
      totp_at INTEGER,
      totp_step INTEGER NOT NULL DEFAULT 0,
      wrong_codes INTEGER NOT NULL DEFAULT 0,
      CHECK (CASE WHEN party_id IS NULL THEN role IN ('viewer', 'operator', 'administrator')
        ELSE role IN ('owner', 'staff', 'supervisor', 'cashier') END)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO people
      (name, role, password_hash, password_at, created_at, signed_in_at, disabled_at, language, time_zone)
      SELECT name, role, password_hash, password_at, created_at, signed_in_at, disabled_at, language, time_zone
      FROM operators;

    -- Whoever is signed in signs in again: of the sessions before nobody knows with what they began.
    DROP TABLE sessions;
    DROP TABLE operators;
    CREATE TABLE sessions (
      digest TEXT PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      person_name TEXT NOT NULL REFERENCES people (name),
      created_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      address TEXT NOT NULL,
      agent TEXT NOT NULL,
      factor_at INTEGER,
      pending_json TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_person ON sessions (person_name);

    CREATE TABLE passkeys (
      id TEXT PRIMARY KEY,
      person_name TEXT NOT NULL REFERENCES people (name),
      label TEXT NOT NULL,
      public_key TEXT NOT NULL,
      counter INTEGER NOT NULL CHECK (counter >= 0),
      transports TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      used_at INTEGER,
      -- Set for good once two of it were told apart.
      cloned_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX passkeys_by_person ON passkeys (person_name);

    CREATE TABLE recovery_codes (
      person_name TEXT NOT NULL REFERENCES people (name),
      digest TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      used_at INTEGER,
      PRIMARY KEY (person_name, digest)
    ) STRICT, WITHOUT ROWID;

    -- Of each name the newest alone counts.
    CREATE TABLE invitations (
      name TEXT PRIMARY KEY CHECK (name = lower(name)),
      digest TEXT NOT NULL UNIQUE,
      party_id TEXT REFERENCES parties (id),
      role TEXT NOT NULL,
      invited_by TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
