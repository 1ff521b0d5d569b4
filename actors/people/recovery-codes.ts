/** Recovery codes: each signs in once where passkey and authenticator are lost. Shown once, kept as digests. */
import { createHash, randomBytes } from 'node:crypto'

/** How many there are. */
const recoveryCodeCount = 10

// Without what looks like something else; 32 signs, so that each byte's low bits choose evenly.
const signs = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Each has 80 bits: nobody tries them all, so that a plain digest is enough. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = [...randomBytes(16)].map((byte) => signs[byte % 32]).join('')
    return text.match(/.{4}/g)?.join('-') ?? text
  })
}

/** However it was typed; `null` for what is no recovery code. */
export function recoveryCodeDigest(typed: string): string | null {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '')
  if (plain.length !== 16 || [...plain].some((sign) => !signs.includes(sign))) return null
  return createHash('sha256').update(plain).digest('base64url')
}
