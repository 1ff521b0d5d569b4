/** The headers of a webhook's attempt: protocol 5.1 and 5.3. */
import type { Instant } from '../../machines/time.ts'
import { formatMessageDate, sign } from '../keys/signature.ts'
import { type StandardSecrets, standardHeaders } from '../keys/standard-signature.ts'

export interface OutgoingWebhook {
  /** The same over all attempts and resends: receivers drop repetitions by it. */
  id: string
  /** Per order, from 1. */
  sequence: number
  url: string
  body: string
}

export interface SigningCredential {
  key: string
  secret: string
  /** Of a merchant that wants Standard Webhooks, too. */
  standard?: StandardSecrets | null
}

/**
 * Signs an attempt afresh. The signed path is that of the notify URL as it is sent, without the query.
 *
 * @param attempt 1 = the first
 */
export function webhookHeaders(
  { id, sequence, url, body }: OutgoingWebhook,
  attempt: number,
  { key, secret, standard = null }: SigningCredential,
  at: Instant,
): Record<string, string> {
  const messageDate = formatMessageDate(at)
  const path = new URL(url).pathname
  return {
    'Content-Type': 'application/json',
    'Merchant-Key': key,
    'Message-Date': messageDate,
    'Message-Hash': sign({ key, messageDate, method: 'POST', path, body }, secret),
    'Webhook-Id': id,
    'Webhook-Attempt': String(attempt),
    'Webhook-Sequence': String(sequence),
    'User-Agent': 'Ventanilla',
    ...(standard === null ? {} : standardHeaders({ id, body }, standard, at)),
  }
}
