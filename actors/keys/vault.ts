/**
 * The key vault: what is secret at rest, under one master key that lives outside the database.
 *
 * From the master key one key a purpose is derived (HKDF-SHA-256). Secrets are sealed with AES-256-GCM and
 * bound to their name, so that a ciphertext moved to another row does not open.
 */
import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { decodeUtf8 } from '../foundation/utf8.ts'
import { openBytes, sealBytes, sealedOverheadBytes } from './aes-gcm.ts'

/** 256 bits. */
const keyBytes = 32
const maxRemembered = 10_000

export interface Vault {
  /** Identifies the master key without telling anything of it: 16 hexadecimal digits. */
  readonly fingerprint: string
  /** Text → `v1.<base64url of nonce, ciphertext and tag>`. `name` has to be given again to open it. */
  seal(name: string, secret: string): string
  /** @throws VaultError when the text was sealed under another master key or name, or was changed. */
  open(name: string, sealed: string): string
}

export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/** @param masterKey 32 bytes. */
export function createVault(masterKey: Uint8Array): Vault {
  if (masterKey.length !== keyBytes) throw new VaultError(`A master key has ${keyBytes} bytes.`)
  const sealingKey = derive(masterKey, 'sealing')
  const fingerprint = createHash('sha256').update(derive(masterKey, 'fingerprint')).digest('hex').slice(0, 16)
  // Opening costs more than the signature it serves; the same few credentials sign nearly every request.
  const opened = new Map<string, string>()

  return {
    fingerprint,
    seal(name, secret) {
      return `v1.${sealBytes(sealingKey, name, secret).toString('base64url')}`
    },
    open(name, sealed) {
      const known = opened.get(`${name}\n${sealed}`)
      if (known !== undefined) return known
      const secret = openSealed(sealingKey, name, sealed)
      if (opened.size >= maxRemembered) opened.clear()
      opened.set(`${name}\n${sealed}`, secret)
      return secret
    },
  }
}

function openSealed(sealingKey: Buffer, name: string, sealed: string): string {
  const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
  // Node reads over what is no base64url, so a changed text may hold unchanged bytes.
  if (sealed !== `v1.${bytes.toString('base64url')}` || bytes.length < sealedOverheadBytes) {
    throw new VaultError(`The sealed value of ${name} is damaged.`)
  }
  try {
    return openBytes(sealingKey, name, bytes).toString('utf8')
  } catch (error) {
    throw new VaultError(`The sealed value of ${name} does not open under this master key.`, { cause: error })
  }
}

function derive(masterKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', `ventanilla ${purpose}`, keyBytes))
}

/**
 * Reads a master key as it stands in its file: 32 random bytes as one line of base64.
 * @throws VaultError
 */
export function parseMasterKey(file: Uint8Array | string): Uint8Array {
  const decoded = decodeUtf8(typeof file === 'string' ? Buffer.from(file) : file)
  // Some shells write UTF-16. Nothing else is said of what may be a key in another form.
  if (!decoded.ok && decoded.problem.includes('UTF-16')) {
    throw new VaultError(
      'A master key is 32 bytes as one line of base64, and the file is UTF-16: save it as UTF-8.',
    )
  }
  const line = decoded.ok ? decoded.text.trim() : ''
  const bytes = Buffer.from(line, 'base64')
  if (bytes.length !== keyBytes || bytes.toString('base64') !== line) {
    throw new VaultError('A master key is 32 bytes as one line of base64.')
  }
  return bytes
}

export function generateMasterKey(): string {
  return `${randomBytes(keyBytes).toString('base64')}\n`
}

/** A secret for a new credential: 43 characters, 256 bits. */
export function generateSecret(): string {
  return randomBytes(keyBytes).toString('base64url')
}
