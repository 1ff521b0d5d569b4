/** How a message is signed, laid open for whoever has to find out why two hashes differ. */
import { createHash } from 'node:crypto'
import { type SignedMessage, sign } from './signature.ts'
import { findMistakes } from './signature-mistakes.ts'

export interface SignatureExplanation {
  /** The signed string up to the body, with the colon before it. */
  head: string
  body: {
    bytes: number
    /** Hexadecimal. */
    sha256: string
    /** Its first characters, as JSON writes them: line breaks and blanks can be seen. */
    begins: string
    /** Its last ones; `''` where `begins` is all of it. */
    ends: string
  }
  signedBytes: number
  /** The hash that belongs to the message. */
  expected: string
  received: {
    hash: string
    isRight: boolean
    /** What the signer did; `null` where none of the known mistakes leads to the received hash. */
    mistakes: readonly string[] | null
  } | null
}

const shownCharacters = 60

export function explainSignature(
  message: SignedMessage,
  secret: string,
  receivedHash: string | null,
  otherKeys: readonly string[] = [],
): SignatureExplanation {
  const { key, messageDate, method, path } = message
  const body = Buffer.from(message.body)
  const head = `${key}:${messageDate}:${method.toUpperCase()}:${path}:`
  const text = body.toString()
  const isShort = text.length <= 2 * shownCharacters
  const expected = sign(message, secret)
  return {
    head,
    body: {
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      begins: JSON.stringify(isShort ? text : text.slice(0, shownCharacters)),
      ends: isShort ? '' : JSON.stringify(text.slice(-shownCharacters)),
    },
    signedBytes: Buffer.byteLength(head) + body.length,
    expected,
    received:
      receivedHash === null
        ? null
        : {
            hash: receivedHash,
            isRight: receivedHash === expected,
            mistakes:
              receivedHash === expected
                ? []
                : findMistakes({ ...message, body }, secret, receivedHash, { most: 3, otherKeys }),
          },
  }
}
