/** AES-256-GCM of bytes that belong to a name: nonce, text and tag in one piece (NIST SP 800-38D). */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** How much longer it is sealed; what is shorter was not. */
export const sealedOverheadBytes = nonceBytes + tagBytes
/** Without it a tag that was cut to four bytes would do. */
const options = { authTagLength: tagBytes }

/**
 * @param key 32 bytes.
 * @param name has to be given again to open it.
 * @param nonce 12 bytes, never twice under one key.
 */
export function sealBytes(
  key: Uint8Array,
  name: Uint8Array | string,
  plain: Uint8Array | string,
  nonce: Uint8Array = randomBytes(nonceBytes),
): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, options)
  cipher.setAAD(Buffer.from(name))
  const text = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()])
  return Buffer.concat([nonce, text, cipher.getAuthTag()])
}

/** @throws Error when it was sealed under another key or name, or was changed. */
export function openBytes(key: Uint8Array, name: Uint8Array | string, sealed: Uint8Array): Buffer {
  const textEnd = sealed.length - tagBytes
  if (sealed.length < sealedOverheadBytes) throw new Error('It is too short to have been sealed.')
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), options)
  decipher.setAAD(Buffer.from(name))
  decipher.setAuthTag(sealed.subarray(textEnd))
  const text = decipher.update(sealed.subarray(nonceBytes, textEnd))
  return Buffer.concat([text, decipher.final()])
}
