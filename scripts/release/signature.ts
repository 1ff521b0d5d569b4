/** The detached signature over a release's checksums, by the Ed25519 key that whoever releases gives. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Both of `openssl genpkey -algorithm ed25519`. */
export interface SigningKey {
  secret: KeyObject
  /** PEM: what others check the signature with. */
  publicKey: string
}

/** @throws Error in one line where the file is no such key */
export function readSigningKey(file: string): SigningKey {
  const secret = keyOf(file)
  if (secret.asymmetricKeyType !== 'ed25519') {
    throw new Error(`${file}: it is a key of ${secret.asymmetricKeyType}. ${howToMake}`)
  }
  const publicKey = createPublicKey(secret).export({ type: 'spki', format: 'pem' }).toString()
  return { secret, publicKey }
}

const howToMake = 'Make one: openssl genpkey -algorithm ed25519 -out release.key'

function keyOf(file: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(file))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${file}: no private key can be read from it (${why}). ${howToMake}`, { cause: error })
  }
}

/** The same each time: Ed25519 takes no chance into a signature. */
export function signatureOf(bytes: Buffer, { secret, publicKey }: SigningKey): Buffer {
  const signature = sign(null, bytes, secret)
  if (!verify(null, bytes, publicKey, signature)) throw new Error('The signature does not verify.')
  return signature
}
