/** A notification may be an invitation that is mailed; SQLite changes what a column may hold by another table. */
import type { Migration } from './migration.ts'

export const mailedInvitations: Migration = {
  name: '0046-mailed-invitations',
  sqlite: '',
  onlySqlite: `
    CREATE TABLE notifications_next (
      id TEXT PRIMARY KEY,
      channel TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('email', 'webhook')),
      purpose TEXT NOT NULL CHECK (purpose IN ('event', 'digest', 'test', 'invitation')),
      target TEXT NOT NULL,
      party_id TEXT NOT NULL,
      body_json TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
      created_at INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      attempts_before INTEGER NOT NULL CHECK (attempts_before <= attempts),
      first_attempt_at INTEGER,
      last_attempt_at INTEGER,
      lease_until_at INTEGER,
      settled_at INTEGER,
      last_answer TEXT,
      error TEXT,
      CHECK ((state = 'pending') = (settled_at IS NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO notifications_next SELECT * FROM notifications;
    DROP TABLE notifications;
    ALTER TABLE notifications_next RENAME TO notifications;
    CREATE INDEX notifications_due ON notifications (kind, due_at) WHERE settled_at IS NULL;
    CREATE INDEX notifications_by_age ON notifications (created_at, id);
    CREATE INDEX notifications_by_state ON notifications (state, created_at, id);
  `,
  postgres: `
    ALTER TABLE notifications DROP CONSTRAINT notifications_purpose_check;
    ALTER TABLE notifications ADD CONSTRAINT notifications_purpose_check
      CHECK (purpose IN ('event', 'digest', 'test', 'invitation'));
  `,
}
