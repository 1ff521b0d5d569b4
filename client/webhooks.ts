/** Webhooks: whether one is the node's own, and what it says. */
import type { PayInWebhook, PayOutWebhook } from './api.ts'
import { WebhookRefused } from './errors.ts'
import { verify, verifyStandard } from './signature.ts'

export type WebhookOrder = PayOutWebhook | PayInWebhook

export interface ReceivedWebhook {
  /**
   * The path of the request line, without its query: `request.url.split('?')[0]` in Node. That is the one of notify_url
   * in the form in which URLs are sent (`/ñ` as `/%C3%B1`); as it was given to the node will do, too.
   */
  path: string
  /** By their names in lower case, as Node gives them; or the platform's `Headers`. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The raw bytes or text, as they came. */
  body: Uint8Array | string
}

export interface WebhookRules {
  /** The merchant's secrets by their keys: two while one is being replaced. */
  secrets: Readonly<Record<string, string>>
  /** How far the Message-Date may be from `now`; 300 unless said otherwise. */
  toleranceSeconds?: number
  /** Milliseconds since 1970. */
  now?: () => number
}

export interface VerifiedWebhook {
  /** The same over all attempts: one that was handled before may be acknowledged and dropped. */
  id: string
  /** Counts the webhooks of the order, from 1: an older one than the last may be dropped. */
  sequence: number
  attempt: number
  order: WebhookOrder
}

/** @throws WebhookRefused when the webhook is not the node's, or too old */
export async function verifyWebhook(webhook: ReceivedWebhook, rules: WebhookRules): Promise<VerifiedWebhook> {
  const { headers, body } = webhook
  const path = pathAsSent(webhook.path)
  const key = header(headers, 'merchant-key')
  const date = header(headers, 'message-date')
  const secret = Object.hasOwn(rules.secrets, key) ? rules.secrets[key] : undefined
  if (secret === undefined) throw new WebhookRefused('It is signed with an unknown key.')
  const parts = { key, messageDate: date, method: 'POST', path, body }
  if (!(await verify(parts, secret, header(headers, 'message-hash')))) {
    throw new WebhookRefused('Its hash differs.')
  }
  assertRecent(date, rules)
  return toldBy(headers, body)
}

export interface StandardWebhookRules extends Omit<WebhookRules, 'secrets'> {
  /** Those that begin with `whsec_`: several while one is being replaced. */
  secrets: readonly string[]
}

/**
 * By Standard Webhooks, where the operator has the merchant's webhooks signed so.
 *
 * @throws WebhookRefused when the webhook is not the node's, or too old
 */
export async function verifyStandardWebhook(
  { headers, body }: Omit<ReceivedWebhook, 'path'>,
  rules: StandardWebhookRules,
): Promise<VerifiedWebhook> {
  const timestamp = header(headers, 'webhook-timestamp')
  const message = { id: header(headers, 'webhook-id'), timestamp, body }
  const signatures = header(headers, 'webhook-signature').split(' ')
  const verdicts = await Promise.all(
    rules.secrets.flatMap((secret) => signatures.map((one) => verifyStandard(message, secret, one))),
  )
  if (!verdicts.includes(true)) throw new WebhookRefused('Its signature differs.')
  assertRecent(timestamp, rules)
  return toldBy(headers, body)
}

function assertRecent(
  date: string,
  { toleranceSeconds = 300, now = Date.now }: Omit<WebhookRules, 'secrets'>,
): void {
  if (!(Math.abs(now() / 1000 - Number(date)) <= toleranceSeconds)) {
    throw new WebhookRefused('It was signed at another time.')
  }
}

function toldBy(headers: ReceivedWebhook['headers'], body: ReceivedWebhook['body']): VerifiedWebhook {
  return {
    id: header(headers, 'webhook-id'),
    sequence: Number(header(headers, 'webhook-sequence')),
    attempt: Number(header(headers, 'webhook-attempt')),
    order: parsed(typeof body === 'string' ? body : new TextDecoder().decode(body)),
  }
}

/** In the form of a request line, which is what is signed. A query is no part of it, and is refused with the rest. */
function pathAsSent(path: string): string {
  const url = `https://shop.example${path}`
  const isPath = /^(\/|$)/.test(path) && !/[?#]/.test(path) && URL.canParse(url)
  return isPath ? new URL(url).pathname : path
}

function parsed(text: string): WebhookOrder {
  let order: WebhookOrder | null
  try {
    order = JSON.parse(text)
  } catch (cause) {
    throw new WebhookRefused('Its body is not JSON.', { cause })
  }
  if (typeof order !== 'object' || order === null) throw new WebhookRefused('Its body is no order.')
  return order
}

function header(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}
