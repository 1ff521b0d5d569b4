/**
 * HMAC-SHA-256 (RFC 2104), from two hashes of one call each: an object of `createHmac` costs several times what it works out,
 * for the collector too, and each request and each entry of a journal has one.
 */
import { hash } from 'node:crypto'

/** SHA-256's block, to which a key is filled up with zeros. */
const blockBytes = 64
const digestBytes = 32
/** What is hashed at most without a buffer of its own: a body beyond it is none of the usual ones. */
const scratchBytes = 16_384

const keyBlock = Buffer.alloc(blockBytes)
const scratch = Buffer.alloc(scratchBytes)
const outer = Buffer.alloc(blockBytes + digestBytes)

/** Of the parts as one text, each a text's UTF-8 or bytes: 32 bytes. A key that is a text is its UTF-8. */
export function hmacSha256(key: Uint8Array | string, ...parts: readonly (Uint8Array | string)[]): Buffer {
  sealInner(key, parts)
  return hash('sha256', outer, 'buffer')
}

/** The same as a text: 43 signs of base64url, or 64 hexadecimal digits. */
export function hmacSha256Text(
  encoding: 'base64url' | 'hex',
  key: Uint8Array | string,
  ...parts: readonly (Uint8Array | string)[]
): string {
  sealInner(key, parts)
  return hash('sha256', outer, encoding)
}

/** Leaves in `outer` what the second hash is of. */
function sealInner(key: Uint8Array | string, parts: readonly (Uint8Array | string)[]): void {
  readKey(key)
  let most = blockBytes
  // A text's code unit is at most three bytes of UTF-8.
  for (const part of parts) most += typeof part === 'string' ? part.length * 3 : part.length
  const inner = most <= scratchBytes ? scratch : Buffer.allocUnsafe(most)
  for (let index = 0; index < blockBytes; index++) {
    const byte = keyBlock[index] ?? 0
    inner[index] = byte ^ 0x36
    outer[index] = byte ^ 0x5c
  }
  let end = blockBytes
  for (const part of parts) {
    if (typeof part === 'string') end += inner.write(part, end)
    else {
      inner.set(part, end)
      end += part.length
    }
  }
  // Texts of Latin-1 are bytes, one a sign, and cost no buffer.
  outer.write(hash('sha256', inner.subarray(0, end), 'binary'), blockBytes, 'latin1')
}

function readKey(key: Uint8Array | string): void {
  keyBlock.fill(0)
  const isLong = key.length > blockBytes || (typeof key === 'string' && Buffer.byteLength(key) > blockBytes)
  if (isLong) keyBlock.write(hash('sha256', key, 'binary'), 'latin1')
  else if (typeof key === 'string') keyBlock.write(key)
  else keyBlock.set(key)
}
