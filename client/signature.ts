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

export interface StandardParts {
  id: string
  timestamp: string
  body: Uint8Array | string
}

/** Whether `v1,…` is the signature by Standard Webhooks; in constant time. */
export async function verifyStandard(
  { id, timestamp, body }: StandardParts,
  secret: string,
  signature: string,
): Promise<boolean> {
  const given = fromBase64(signature.replace(/^v1,/, ''))
  const key = fromBase64(secret.replace(/^whsec_/, ''))
  if (!signature.startsWith('v1,') || given === null || key === null || key.length === 0) return false
  return crypto.subtle.verify(
    'HMAC',
    await importKey(key, 'verify'),
    given,
    joined(`${id}.${timestamp}.`, body),
  )
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function hmacKey(secret: string, usage: 'sign' | 'verify') {
  return importKey(encoder.encode(secret), usage)
}

function importKey(bytes: Uint8Array<ArrayBuffer>, usage: 'sign' | 'verify') {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])
}

function signedBytes({ key, messageDate, method, path, body }: SignedParts): Uint8Array<ArrayBuffer> {
  return joined(`${key}:${messageDate}:${method.toUpperCase()}:${path}:`, body)
}

function joined(text: string, body: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(text)
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
