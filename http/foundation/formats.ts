/** What texts must look like. Every check is linear in the length of the text. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type FieldError, fieldError } from './errors.ts'

/** An `http` or `https` URL; whose it is, and whether webhooks may go there, is not judged here. */
export function isUrl(text: string): boolean {
  // The URL parser alone would also take `https:shop.example`, blanks, and backslashes for slashes.
  if (!/^https?:\/\/[^\s/?#\\]+(?:[/?#]\S*)?$/i.test(text) || !URL.canParse(text)) return false
  const host = new URL(text).hostname
  return host.startsWith('[') || isHostName(host)
}

/** A name of one label or more, or an IPv4 address. */
function isHostName(host: string): boolean {
  return host.length <= 253 && host.replace(/\.$/, '').split('.').every(isLabel)
}

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const user = text.slice(0, Math.max(at, 0))
  const domain = text.slice(at + 1)
  return /^[-!#$%&'*+/=?^_`{}|~\w]+(?:\.[-!#$%&'*+/=?^_`{}|~\w]+)*$/.test(user) && isMailDomain(domain)
}

function isMailDomain(domain: string): boolean {
  if (domain.startsWith('[') && domain.endsWith(']')) return isIP(domain.slice(1, -1)) !== 0
  if (domain.toLowerCase() === 'localhost') return true
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return false
  // Empty where it is no domain name; names in other alphabets become their xn-- form.
  const labels = domainToASCII(domain).split('.')
  return labels.length > 1 && labels.every(isLabel) && /^(?!\d+$).{2,}$/.test(labels.at(-1) ?? '')
}

function isLabel(label: string): boolean {
  return label.length <= 63 && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i.test(label)
}

/** The canonical form of a UUID: lower case, with hyphens. `null` where it is none. */
export function parseUuid(text: string): string | null {
  const match =
    /^(?:urn:uuid:)?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i.exec(text)
  return match ? match.slice(1).join('-').toLowerCase() : null
}

/** The first lone surrogate, as `D800`; `null` where there is none. */
export function loneSurrogate(text: string): string | null {
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) return codePoint.toString(16).toUpperCase()
  }
  return null
}

const decimal = /^(-?)([0-9]+)(?:\.([0-9]+))?$/

/** A plain decimal number: no exponent, no plus, no separators, digits on both sides of a point. */
export function isDecimal(text: string): boolean {
  return decimal.test(text)
}

/** Longer texts are not looked at. */
export const maxNumberLength = 1000

/** Any number of so many digits fits the ledger's 63 bits. */
const maxDigits = 18

/** Whether a decimal number is more than any amount with so many decimals can be, or less: its sign does not count. */
export function isBeyondLedger(text: string, decimals: number): boolean {
  const [, , whole = ''] = decimal.exec(text) ?? []
  return whole.replace(/^0+/, '').length > maxDigits - decimals
}

/**
 * What is wrong with a decimal number as an amount with so many decimals; `null` when nothing is. Leading
 * zeros and zeros at the end of the decimals are harmless.
 */
export function amountError(attr: string, text: string, decimals: number): FieldError | null {
  const match = decimal.exec(text)
  if (!match) return fieldError(attr, 'not_a_number')
  const whole = (match[2] ?? '').replace(/^0+/, '')
  const fraction = (match[3] ?? '').replace(/0+$/, '')
  // As Django counts: the zeros of 0.001 are digits, the one before its point is not.
  if (whole.length + fraction.length > maxDigits) {
    return fieldError(attr, 'max_digits', { max_digits: maxDigits })
  }
  if (fraction.length > decimals) {
    return fieldError(attr, 'max_decimal_places', { max_decimal_places: decimals })
  }
  if (whole.length > maxDigits - decimals) {
    return fieldError(attr, 'max_whole_digits', { max_whole_digits: maxDigits - decimals })
  }
  const isNegative = match[1] === '-' && whole + fraction !== ''
  return isNegative ? fieldError(attr, 'min_value', { min_value: 0 }) : null
}
