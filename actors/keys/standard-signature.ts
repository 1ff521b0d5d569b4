/**
 * The signature of a webhook by Standard Webhooks 1.0 (https://www.standardwebhooks.com), beside the protocol's own:
 * HMAC-SHA-256 of `ID.TIMESTAMP.BODY` in base64, for receivers that have a ready-made verifier.
 */
import { randomBytes } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import { hmacSha256 } from '../foundation/hmac.ts'

/** The secret that signs a merchant's webhooks, and the one before until its end. */
export interface StandardSecrets {
  present: string
  former: { secret: string; untilAt: Instant } | null
}

const prefix = 'whsec_'
/** The standard allows 24 to 64. */
const secretBytes = 32

/** `whsec_` and 32 random bytes in base64. */
export function generateStandardSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`
}

/** How such a secret is named where it is sealed. */
export function standardSecretName(partyId: string): string {
  return `webhook-secret:${partyId}`
}

export interface StandardMessage {
  /** The same over all attempts. */
  id: string
  /** Whole seconds since the epoch. */
  timestamp: string
  body: string
}

/** `v1,` and 44 signs of base64. */
export function standardSignature({ id, timestamp, body }: StandardMessage, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${hmacSha256(key, `${id}.${timestamp}.`, body).toString('base64')}`
}

/** `webhook-timestamp` and `webhook-signature`; the standard's `webhook-id` is the protocol's `Webhook-Id`. */
export function standardHeaders(
  { id, body }: Omit<StandardMessage, 'timestamp'>,
  { present, former }: StandardSecrets,
  at: Instant,
): Record<string, string> {
  const message = { id, timestamp: String(Math.floor(at / 1000)), body }
  const secrets = former === null || former.untilAt <= at ? [present] : [present, former.secret]
  return {
    'Webhook-Timestamp': message.timestamp,
    'Webhook-Signature': secrets.map((secret) => standardSignature(message, secret)).join(' '),
  }
}
