/** At which of the operator's banks a deposit was booked. */
import type { Migration } from './migration.ts'

export const depositBanks: Migration = {
  name: '0021-deposit-banks',
  sqlite: `
    -- The name that its posting has: '' where no bank of the currency was named.
    ALTER TABLE account_deposits ADD COLUMN bank TEXT NOT NULL DEFAULT '';
  `,
}
