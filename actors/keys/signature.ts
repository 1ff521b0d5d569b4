/**
 * The signature of every request and webhook: protocol 5.1.
 *
 * The signed string is `KEY:MESSAGE_DATE:METHOD:PATH:BODY`; the digest is HMAC-SHA-256 under the secret's
 * bytes, in lowercase hexadecimal. Providers sign the same five parts (protocol 5.1).
 */
import { timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import { hmacSha256, hmacSha256Text } from '../foundation/hmac.ts'

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
  return hmacSha256Text('hex', secret, signedHead(message), message.body)
}

function signedHead({ key, messageDate, method, path }: SignedMessage): string {
  return `${key}:${messageDate}:${method.toUpperCase()}:${path}:`
}

const digestPattern = /^[0-9a-f]{64}$/

/** Whether `digest` is the message's, compared in constant time. */
export function verifySignature(message: SignedMessage, secret: string, digest: string): boolean {
  return isDigest(hmacSha256(secret, signedHead(message), message.body), digest)
}

/** Whether a text is a digest of 32 bytes, in lowercase hexadecimal and in full. */
export function isDigest(expected: Uint8Array, digest: string): boolean {
  return digestPattern.test(digest) && timingSafeEqual(expected, Buffer.from(digest, 'hex'))
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
