/** Rates that a source moved too far: what they are held against, and what is doubted. */
import type { Migration } from './migration.ts'

export const rateDoubts: Migration = {
  name: '0006-rate-doubts',
  sqlite: `
    ALTER TABLE rates ADD COLUMN max_jump_percent INTEGER;
    ALTER TABLE rates ADD COLUMN jump_base TEXT;
    ALTER TABLE rates ADD COLUMN jump_base_at INTEGER;
    ALTER TABLE rates ADD COLUMN doubt_json TEXT;
  `,
}
