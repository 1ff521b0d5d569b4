/** The signature of requests and webhooks: HMAC-SHA-256 over `KEY:DATE:METHOD:PATH:BODY`, in hexadecimal. */

export interface SignedParts {
  key: string
  /** Seconds since 1970 as a decimal number; signed as the text it is. */
  messageDate: string
  method: string
  /** As it is sent: undecoded, with the query of a list. */
  path: string
  /** The exact bytes; empty where there is no body. */
  body: Uint8Array | string
}

const encoder = new TextEncoder()

export async function sign(parts: SignedParts, secret: string): Promise<string> {
  const digest = await crypto.subtle.sign('HMAC', await hmacKey(secret, 'sign'), signedBytes(parts))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Compares in constant time. */
export async function verify(parts: SignedParts, secret: string, hash: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return false
  const bytes = Uint8Array.from(hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return crypto.subtle.verify('HMAC', await hmacKey(secret, 'verify'), bytes, signedBytes(parts))
}

function hmacKey(secret: string, usage: 'sign' | 'verify') {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [usage])
}

function signedBytes({ key, messageDate, method, path, body }: SignedParts): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${key}:${messageDate}:${method.toUpperCase()}:${path}:`)
  const rest = typeof body === 'string' ? encoder.encode(body) : body
  const bytes = new Uint8Array(head.length + rest.length)
  bytes.set(head)
  bytes.set(rest, head.length)
  return bytes
}

/** @param now milliseconds since 1970 */
export function messageDate(now: number): string {
  return (now / 1000).toFixed(6)
}
