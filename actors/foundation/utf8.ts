/**
 * Text from bytes, strictly: a file in another encoding is refused, and never read with replacement characters in
 * the place of what was meant.
 */

export type DecodedText =
  | { ok: true; text: string }
  /** Completes a sentence that begins with the file's name. */
  | { ok: false; problem: string }

/** A byte order mark at the beginning is dropped. */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { ok: false, problem: 'is UTF-16, not UTF-8: save it as UTF-8' }
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const offset = offsetOfFault(bytes)
    const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0')
    const place = `byte 0x${byte} at ${placeIn(bytes, offset)}`
    return { ok: false, problem: `is not UTF-8: ${place}; save it as UTF-8` }
  }
  // What UTF-16 without a mark looks like; no text that people write has it.
  const zero = bytes.indexOf(0)
  if (zero < 0) return { ok: true, text }
  return { ok: false, problem: `is not text: a character 0 at ${placeIn(bytes, zero)}; save it as UTF-8` }
}

/** @throws NotUtf8 */
export function textOf(bytes: Uint8Array): string {
  const decoded = decodeUtf8(bytes)
  if (decoded.ok) return decoded.text
  throw new NotUtf8(decoded.problem)
}

/** The message completes a sentence that begins with the file's name. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8'
}

const replacement = [0xef, 0xbf, 0xbd]

/** The first byte that a lenient decoder would replace. */
function offsetOfFault(bytes: Uint8Array): number {
  let offset = 0
  for (const character of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) {
    const isWritten = replacement.every((byte, index) => bytes[offset + index] === byte)
    if (character === '\ufffd' && !isWritten) break
    offset += Buffer.byteLength(character)
  }
  return offset
}

function placeIn(bytes: Uint8Array, offset: number): string {
  const before = bytes.subarray(0, offset)
  const line = before.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 1)
  return `line ${line}, byte ${offset - before.lastIndexOf(0x0a)}`
}
