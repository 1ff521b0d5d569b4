/** Reports that networks' software sends in parts: what has come of each, until all of it is there. */
import type { Migration } from './migration.ts'

export const sentReports: Migration = {
  name: '0027-sent-reports',
  sqlite: `
    CREATE TABLE sent_reports (
      id TEXT PRIMARY KEY,
      network_id TEXT NOT NULL REFERENCES networks (network_id),
      day TEXT NOT NULL,
      name TEXT NOT NULL,
      currency TEXT NOT NULL,
      parts INTEGER NOT NULL CHECK (parts > 0),
      received INTEGER NOT NULL CHECK (received >= 0 AND received <= parts),
      line_count INTEGER NOT NULL CHECK (line_count >= 0),
      paid_count INTEGER NOT NULL CHECK (paid_count >= 0),
      paid_minor INTEGER NOT NULL CHECK (paid_minor >= 0),
      differing INTEGER NOT NULL CHECK (differing >= 0),
      digest TEXT NOT NULL,
      began_at INTEGER NOT NULL,
      said_by TEXT NOT NULL,
      credential TEXT NOT NULL,
      completed_at INTEGER,
      applied_at INTEGER,
      file_id TEXT REFERENCES report_files (id),
      CHECK ((received = parts) = (completed_at IS NOT NULL)),
      CHECK (applied_at IS NULL OR completed_at IS NOT NULL)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX sent_reports_by_name ON sent_reports (network_id, day, name);
    CREATE INDEX sent_reports_waiting ON sent_reports (completed_at, id) WHERE completed_at IS NOT NULL AND applied_at IS NULL;

    -- Its lines are kept here until they are judged as a file's are; the digest stays, so that a part that comes again is known.
    CREATE TABLE sent_report_parts (
      report_id TEXT NOT NULL REFERENCES sent_reports (id),
      part INTEGER NOT NULL CHECK (part > 0),
      digest TEXT NOT NULL,
      first_line INTEGER NOT NULL CHECK (first_line > 0),
      line_count INTEGER NOT NULL CHECK (line_count >= 0),
      lines_json TEXT,
      PRIMARY KEY (report_id, part)
    ) STRICT, WITHOUT ROWID;
  `,
}
