/**
 * An inbox: a notify_url of this very node, for a merchant of a sandbox that has no receiver yet. It verifies what comes as a receiver
 * has to, answers 200 or 403, and notes what came.
 *
 * Its address has a token that only this node can make: whose it is is known by a computation, and nothing is looked up for anybody else.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import { trimArrivals } from '../../persistence/queries/sandbox-receivers.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type Clock, worldNow } from '../foundation/clock.ts'
import { hmacSha256 } from '../foundation/hmac.ts'
import type { Credentials, WebhookSecrets } from '../keys/credentials.ts'
import { parseMessageDate, verifySignature } from '../keys/signature.ts'
import { findMistakes } from '../keys/signature-mistakes.ts'
import { standardSignature } from '../keys/standard-signature.ts'
import type { GoLive } from './go-live-steps.ts'
import { createOrderedIds } from './ordered-id.ts'

export const inboxPath = '/sandbox/inbox/'

export const inboxLimits = { maxBytes: 64 * 1024, arrivals: 200, toleranceMs: 300_000 } as const

/** Of a node: what its tokens are made with. */
export function inboxKeyOf(journalKey: string): string {
  return hmacSha256(journalKey, 'tokens of inboxes').toString('base64url')
}

const idBytes = 16

/** 43 signs: the merchant's id, and a code over it. */
export function inboxToken(inboxKey: string, merchantId: string): string {
  const id = Buffer.from(merchantId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, codeOf(inboxKey, id)]).toString('base64url')
}

/** Whose inbox it is; `null` for what is no token of this node. */
export function merchantOfToken(inboxKey: string, token: string): string | null {
  if (!/^[\w-]{43}$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.subarray(0, idBytes)
  if (!timingSafeEqual(codeOf(inboxKey, id), bytes.subarray(idBytes))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function codeOf(inboxKey: string, id: Uint8Array): Buffer {
  return hmacSha256(inboxKey, id).subarray(0, idBytes)
}

/** Where a merchant's inbox is. */
export function inboxUrl(publicUrl: string, inboxKey: string, merchantId: string): string {
  return `${baseOf(publicUrl)}${inboxToken(inboxKey, merchantId)}`
}

function baseOf(publicUrl: string): string {
  return `${new URL(publicUrl).href.replace(/\/$/, '')}${inboxPath}`
}

/** Whether a URL is exactly an inbox of this node, and nothing beside it. */
export function isInboxUrl(publicUrl: string, inboxKey: string, url: string): boolean {
  const base = baseOf(publicUrl)
  return url.startsWith(base) && merchantOfToken(inboxKey, url.slice(base.length)) !== null
}

/** What came, in full: names of headers in lower case. */
export interface Arrival {
  merchantId: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

export interface Received {
  /** What is wrong; `null` where it was verified. */
  problem: string | null
  hasStandard: boolean
}

export interface InboxOptions {
  store: Store
  clock: Clock
  credentials: Pick<Credentials, 'webhookCredential'>
  goLive: GoLive
}

const nextId = createOrderedIds()

export function createInbox(options: InboxOptions): (arrival: Arrival) => Promise<Received> {
  const { store, clock, credentials, goLive } = options
  let untrimmed = 0
  return async (arrival) => {
    const { merchantId, headers, body } = arrival
    const at = clock.now()
    const credential = await credentials.webhookCredential(merchantId)
    const problem = problemOf(arrival, credential, worldNow(clock))
    const hasStandard = problem === null && headers['webhook-signature'] !== undefined
    const webhookId = headers['webhook-id']?.slice(0, 100) ?? null
    const values: Row<'inbox_arrivals'> = {
      ...{ id: nextId(at), merchant_id: merchantId, received_at: at, webhook_id: webhookId },
      attempt: headers['webhook-attempt']?.slice(0, 20) ?? null,
      ...{ bytes: body.length, problem, is_standard: hasStandard ? 1 : 0 },
    }
    await store.step({
      rows: {},
      decide: () => ({ answer: null, writes: [{ insert: 'inbox_arrivals', values }] }),
      isEssential: false,
    })
    if (problem === null) await goLive.note(merchantId, ['webhook_verified'], `webhook ${webhookId}`)
    if (++untrimmed >= 20) {
      untrimmed = 0
      await store.execute(trimArrivals, { merchantId, keep: inboxLimits.arrivals })
    }
    return { problem, hasStandard }
  }
}

/** As a receiver has to judge it: its key, its date, its hash, and the standard's signature where it is there. */
function problemOf(
  { path, headers, body }: Arrival,
  credential: WebhookSecrets | null,
  at: Instant,
): string | null {
  const { 'merchant-key': key, 'message-date': messageDate, 'message-hash': hash } = headers
  if (key === undefined || messageDate === undefined || hash === undefined)
    return 'one of the headers Merchant-Key, Message-Date and Message-Hash is missing'
  if (credential === null || credential.key !== key)
    return `${key.slice(0, 80)} is not the key that signs these webhooks`
  const sentAt = parseMessageDate(messageDate)
  if (sentAt === null) return 'Message-Date is no time'
  if (Math.abs(sentAt - at) > inboxLimits.toleranceMs) return 'Message-Date is more than five minutes off'
  const message = { key, messageDate, method: 'POST', path, body }
  if (!verifySignature(message, credential.secret, hash)) {
    const mistakes = findMistakes(message, credential.secret, hash)
    return mistakes === null || mistakes.length === 0
      ? 'Message-Hash is not the hash of this message'
      : `Message-Hash: ${mistakes.join(', and ')}`
  }
  return standardProblem(headers, body, credential)
}

function standardProblem(
  headers: Arrival['headers'],
  body: Uint8Array,
  { standard }: WebhookSecrets,
): string | null {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': signatures,
  } = headers
  if (signatures === undefined || standard == null) return null
  const expected = standardSignature({ id, timestamp, body: Buffer.from(body).toString() }, standard.present)
  return signatures.split(' ').includes(expected) ? null : 'Webhook-Signature is not that of this message'
}
