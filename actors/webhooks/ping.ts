/**
 * A webhook that tells nothing: whether a receiver is there, verifies and acknowledges, seen at once.
 *
 * It is signed, judged and sent as every other one, once, and nothing is kept of it but what its sender keeps.
 */
import { randomUUID } from 'node:crypto'
import { formatInstant } from '../../machines/time.ts'
import type { Write } from '../../persistence/store.ts'
import { type Clock, worldNow } from '../foundation/clock.ts'
import type { Credentials } from '../keys/credentials.ts'
import type { TargetRules } from '../outbound/target.ts'
import { webhookHeaders } from './headers.ts'
import type { AttemptResult, WebhookSender } from './sender.ts'

export interface PingOptions {
  credentials: Pick<Credentials, 'webhookCredential'>
  sender: Pick<WebhookSender, 'send'>
  /** Where a merchant's webhooks may go, by its name. */
  rulesFor: (merchant: string) => TargetRules
  clock: Clock
  /** Writes what the sender wants kept. */
  keep: (writes: readonly Write[]) => Promise<void>
}

export interface AskedPing {
  merchantId: string
  merchant: string
  url: string
}

export interface Pinged extends AttemptResult {
  /** Its Webhook-Id. */
  id: string
  /** What it was signed with. */
  key: string
}

/** @returns `null` where the merchant has no live key to sign with */
export type Ping = (asked: AskedPing) => Promise<Pinged | null>

export function createPing({ credentials, sender, rulesFor, clock, keep }: PingOptions): Ping {
  return async ({ merchantId, merchant, url }) => {
    const credential = await credentials.webhookCredential(merchantId)
    if (credential === null) return null
    const id = randomUUID()
    const body = JSON.stringify({ type: 'ping', id, sent: formatInstant(clock.now()) })
    const headers = webhookHeaders({ id, sequence: 0, url, body }, 1, credential, worldNow(clock))
    const about = { merchantId, webhookId: id, orderId: null, attempt: 1, status: null }
    const { writes = [], ...result } = await sender.send({
      url,
      body,
      headers,
      rules: rulesFor(merchant),
      about,
    })
    if (writes.length > 0) await keep(writes)
    return { ...result, id, key: credential.key }
  }
}
