/** Whether a merchant's webhooks are signed by Standard Webhooks, too: it is so while it has a secret for that. */
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { generateStandardSecret, standardSecretName } from '../keys/standard-signature.ts'
import type { Vault } from '../keys/vault.ts'

export type StandardColumns = Pick<
  Row<'parties'>,
  | 'webhook_secret_ciphertext'
  | 'webhook_secret_at'
  | 'former_webhook_secret_ciphertext'
  | 'former_webhook_secret_until_at'
>

export const noStandardSecret: StandardColumns = {
  webhook_secret_ciphertext: null,
  webhook_secret_at: null,
  former_webhook_secret_ciphertext: null,
  former_webhook_secret_until_at: null,
}

/** A new secret; the one before signs beside it for so long. */
export function withStandardSecret(
  party: Pick<Row<'parties'>, 'id' | 'webhook_secret_ciphertext'>,
  { vault, at, overlapHours }: { vault: Vault; at: Instant; overlapHours: number },
): { secret: string; set: StandardColumns } {
  const secret = generateStandardSecret()
  const former = overlapHours === 0 ? null : party.webhook_secret_ciphertext
  const set = {
    webhook_secret_ciphertext: vault.seal(standardSecretName(party.id), secret),
    webhook_secret_at: at,
    former_webhook_secret_ciphertext: former,
    former_webhook_secret_until_at: former === null ? null : at + overlapHours * 3_600_000,
  }
  return { secret, set }
}

/** What a file that says so changes; null where it is so already, or the file says nothing. */
export function standardWebhooksAs(
  isWanted: boolean | undefined,
  before: Row<'parties'> | undefined,
  { id, vault, at }: { id: string; vault: Vault; at: Instant },
): { what: string; secret: string | null; set: StandardColumns } | null {
  const isSo = before !== undefined && before.webhook_secret_ciphertext !== null
  if (isWanted === undefined || isWanted === isSo) return null
  if (!isWanted)
    return { what: 'webhooks not signed by Standard Webhooks', secret: null, set: noStandardSecret }
  const none = { id, webhook_secret_ciphertext: null }
  const made = withStandardSecret(none, { vault, at, overlapHours: 0 })
  return { what: 'webhooks signed by Standard Webhooks, too', ...made }
}
