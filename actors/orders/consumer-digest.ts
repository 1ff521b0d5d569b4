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

/** Its area and country are written or left out: in Latin America what is left has eight digits, or seven. */
const localDigits = 8

/** With its area, without its country: two that have both are the same in so many. */
const nationalDigits = 10

/** Of the last digits of a telephone number, however it is written; `null` for none. Enough to find it: which one it is, its digits say. */
export function phoneDigest(journalKey: string, phone: string): string | null {
  const digits = phoneDigits(phone)
  const last = digits === '' ? spelling(phone) : digits.slice(-localDigits)
  if (last === '') return null
  return hmacSha256Text('base64url', journalKey, 'telephone\n', last).slice(0, phoneDigestLength)
}

const phoneDigestLength = 8

/** Whether both are the same number, where one may have been written without its country, or its area. */
export function isSamePhone(one: string, other: string): boolean {
  const [left, right] = [phoneDigits(one), phoneDigits(other)]
  const known = Math.min(left.length, right.length, nationalDigits)
  if (known === 0) return spelling(one) === spelling(other)
  return known >= 7 ? left.slice(-known) === right.slice(-known) : left === right
}

/** Without what is dialled before it. */
function phoneDigits(phone: string): string {
  return phone.normalize('NFKC').replace(/\D/g, '').replace(/^0+/, '')
}

/** The same address, however a person has written it. */
export function spelling(value: string): string {
  return value.trim().toLowerCase()
}
