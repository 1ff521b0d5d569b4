/** In which language, and by the clock of which zone, the console is written for each operator. */
import type { Migration } from './migration.ts'

export const operatorLanguages: Migration = {
  name: '0028-operator-languages',
  sqlite: `
    -- Without one it is the browser's; without a zone it is UTC.
    ALTER TABLE operators ADD COLUMN language TEXT CHECK (language IN ('en', 'es', 'pt'));
    ALTER TABLE operators ADD COLUMN time_zone TEXT;
  `,
}
