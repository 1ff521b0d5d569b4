/** What networks report of their days, and what came of each line. */
import type { Migration } from './migration.ts'

export const reconciliation: Migration = {
  name: '0026-reconciliation',
  sqlite: `
    ALTER TABLE networks ADD COLUMN report_json TEXT;

    CREATE TABLE report_files (
      id TEXT PRIMARY KEY,
      network_id TEXT NOT NULL REFERENCES networks (network_id),
      day TEXT NOT NULL,
      source TEXT NOT NULL CHECK (source IN ('file', 'api')),
      digest TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('loading', 'loaded', 'current', 'replaced')),
      currency TEXT NOT NULL,
      line_count INTEGER NOT NULL CHECK (line_count >= 0),
      paid_count INTEGER NOT NULL CHECK (paid_count >= 0),
      paid_minor INTEGER NOT NULL CHECK (paid_minor >= 0),
      began_at INTEGER NOT NULL,
      began_by TEXT NOT NULL,
      applied_at INTEGER,
      finished_at INTEGER,
      CHECK ((state IN ('current', 'replaced')) = (applied_at IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX report_files_by_day ON report_files (network_id, day, began_at, id);
    -- Of each day one counts, and of one at a time the lines are being stored.
    CREATE UNIQUE INDEX report_files_current ON report_files (network_id, day) WHERE state = 'current';
    CREATE INDEX report_files_unfinished ON report_files (id) WHERE finished_at IS NULL AND state IN ('loaded', 'current');

    CREATE TABLE report_lines (
      file_id TEXT NOT NULL REFERENCES report_files (id),
      line INTEGER NOT NULL CHECK (line > 0),
      kind TEXT NOT NULL CHECK (kind IN ('paid', 'reversed', 'not_paid')),
      named TEXT,
      reference TEXT,
      amount_minor INTEGER,
      paid_at INTEGER,
      order_id TEXT,
      ours_minor INTEGER,
      ours_day TEXT,
      outcome TEXT NOT NULL CHECK (outcome IN
        ('matched', 'only_theirs', 'amount', 'day', 'status', 'twice', 'reversed')),
      reason TEXT,
      exception_id TEXT,
      PRIMARY KEY (file_id, line),
      CHECK (named IS NOT NULL OR reference IS NOT NULL),
      CHECK ((outcome = 'matched') = (reason IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX report_lines_by_order ON report_lines (order_id, file_id) WHERE order_id IS NOT NULL;
    CREATE INDEX report_lines_by_exception ON report_lines (exception_id) WHERE exception_id IS NOT NULL;
    CREATE INDEX report_lines_differing ON report_lines (file_id, line) WHERE outcome <> 'matched';

    -- Orders that are paid here, and that no report tells of. Without an exception as long as a report may still come that does.
    CREATE TABLE report_missing (
      network_id TEXT NOT NULL REFERENCES networks (network_id),
      day TEXT NOT NULL,
      order_id TEXT NOT NULL,
      ours_minor INTEGER NOT NULL CHECK (ours_minor > 0),
      exception_id TEXT,
      PRIMARY KEY (network_id, day, order_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX report_missing_by_order ON report_missing (order_id);
    CREATE INDEX report_missing_by_exception ON report_missing (exception_id) WHERE exception_id IS NOT NULL;
  `,
}
