/** Merchants that have their webhooks signed by Standard Webhooks, too: the secret that is in use, and the one before. */
import type { Migration } from './migration.ts'

export const standardWebhooks: Migration = {
  name: '0038-standard-webhooks',
  sqlite: `
    -- Without one they are signed in the protocol's way alone.
    ALTER TABLE parties ADD COLUMN webhook_secret_ciphertext TEXT;
    ALTER TABLE parties ADD COLUMN webhook_secret_at INTEGER;
    -- Signs, too, until then.
    ALTER TABLE parties ADD COLUMN former_webhook_secret_ciphertext TEXT;
    ALTER TABLE parties ADD COLUMN former_webhook_secret_until_at INTEGER;
  `,
}
