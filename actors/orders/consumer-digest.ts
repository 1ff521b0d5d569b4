/**
 * What a consumer is found by where their data must not be: an HMAC under the node's own key. Without that key nobody can
 * tell whose it is, not even by trying addresses, and it is erased with what it stands for.
 */
import { hmacSha256Text } from '../foundation/hmac.ts'

/** Of an e-mail address or a telephone number, whichever way it is spelt; `null` for none. 43 signs. */
export function consumerDigest(journalKey: string, value: string): string | null {
  const spelled = spelling(value)
  if (spelled === '') return null
  return hmacSha256Text('base64url', journalKey, 'consumer\n', spelled)
}

/** Enough to tell millions of addresses apart, and short: every order with an address has it, in an index too. */
const shortLength = 16

/** The beginning of the digest of an e-mail address, as orders that are no archived ones have it. */
export function emailDigest(journalKey: string, email: string): string | null {
  return consumerDigest(journalKey, email)?.slice(0, shortLength) ?? null
}

/** The same address, however a person has written it. */
export function spelling(value: string): string {
  return value.trim().toLowerCase()
}
