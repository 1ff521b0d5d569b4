/** What leaves a former treasury is kept, too, beside what leaves the present one. */
import type { Migration } from './migration.ts'

export const formerOutflows: Migration = {
  name: '0010-former-outflows',
  sqlite: `
    ALTER TABLE treasury_outflows ADD COLUMN former_treasury TEXT;
  `,
}
