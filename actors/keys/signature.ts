/**
 * The signature of every request and webhook: protocol 5.1.
 *
 * The signed string is `KEY:MESSAGE_DATE:METHOD:PATH:BODY`; the digest is HMAC-SHA-256 under the secret's
 * bytes, in lowercase hexadecimal. Providers sign the same five parts (protocol 5.1).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'

export interface SignedMessage {
  key: string
  /** Decimal seconds since the epoch, signed as the text it is. */
  messageDate: string
  method: string
  /** The request target's path, undecoded. */
  path: string
  /** The exact bytes sent. */
  body: Uint8Array | string
}

/** The digest of a message, 64 lowercase hexadecimal digits. */
export function sign(message: SignedMessage, secret: string): string {
  const { key, messageDate, method, path, body } = message
  return createHmac('sha256', secret)
    .update(`${key}:${messageDate}:${method.toUpperCase()}:${path}:`)
    .update(body)
    .digest('hex')
}

const digestPattern = /^[0-9a-f]{64}$/

/** Whether `digest` is the message's, compared in constant time. */
export function verifySignature(message: SignedMessage, secret: string, digest: string): boolean {
  const expected = Buffer.from(sign(message, secret), 'hex')
  if (!digestPattern.test(digest)) return false
  return timingSafeEqual(expected, Buffer.from(digest, 'hex'))
}

const messageDatePattern = /^\d{10}(\.\d{1,9})?$/

/** Reads a Message-Date, to the millisecond; `null` when it is not ten digits of seconds with at most nine decimals. */
export function parseMessageDate(text: string): Instant | null {
  return messageDatePattern.test(text) ? Math.round(Number(text) * 1000) : null
}

/** Writes an instant as a Message-Date, for example `1790000000.123`. */
export function formatMessageDate(at: Instant): string {
  return (at / 1000).toFixed(3)
}
