/** By which terms a report was judged: the same file is judged again once others are in force. */
import type { Migration } from './migration.ts'

export const reportRules: Migration = {
  name: '0039-report-rules',
  sqlite: `
    -- SHA-256 in hex over what was agreed on with the network; '' of what was judged before this was kept.
    ALTER TABLE report_files ADD COLUMN rules TEXT NOT NULL DEFAULT '';
  `,
}
