/** What an evidence file is signed by: the SHA-256 of each entry, in the form of `sha256sum`, under an Ed25519 key. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { type Entry, packZip, readZip } from './zip.ts'

export const manifestName = 'manifest.sha256'
export const signatureName = 'manifest.sig'
export const publicKeyName = 'public-key.pem'

/** SHA-256 over the key in DER (SubjectPublicKeyInfo), in hex. */
export function keyFingerprint(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }))
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The ZIP of these entries with the public key, the manifest and its signature. @param key an Ed25519 private key */
export function signedZip(entries: readonly Entry[], key: KeyObject): Uint8Array {
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' })
  const all = [...entries, { name: publicKeyName, bytes: Buffer.from(pem) }].toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  const manifest = Buffer.from(all.map(({ name, bytes }) => `${sha256(bytes)}  ${name}\n`).join(''))
  return packZip([
    ...all,
    { name: manifestName, bytes: manifest },
    { name: signatureName, bytes: sign(null, manifest, key) },
  ])
}

export interface CheckedEvidence {
  ok: boolean
  /** Of the key that has signed it; null where nothing could be read of it. */
  fingerprint: string | null
  /** In a line each; none of a file that is whole and signed. */
  problems: string[]
  entries: { name: string; bytes: number }[]
}

/** @param expected the key that the operator has published; null for the one that is in the file, which says nothing of whose it is */
export function checkEvidence(zip: Uint8Array, expected: KeyObject | null): CheckedEvidence {
  const read = readZip(zip)
  if (!read.ok) return failed(read.problem)
  const byName = new Map(read.entries.map(({ name, bytes }) => [name, bytes]))
  const [manifest, signature, pem] = [manifestName, signatureName, publicKeyName].map((name) =>
    byName.get(name),
  )
  if (manifest === undefined || signature === undefined || pem === undefined) {
    const lacks = [manifestName, signatureName, publicKeyName].filter((name) => !byName.has(name))
    return failed(`${lacks.join(', ')} is missing`)
  }
  const own = readPublicKey(pem)
  if (own === null) return failed(`${publicKeyName} is no Ed25519 public key`)
  const fingerprint = keyFingerprint(own)
  const problems: string[] = []
  if (expected !== null && keyFingerprint(expected) !== fingerprint)
    problems.push(`it was signed by another key (${fingerprint}) than ${keyFingerprint(expected)}`)
  if (!verify(null, manifest, expected ?? own, signature))
    problems.push(`${signatureName} is not the key's signature of ${manifestName}`)
  problems.push(...manifestProblems(manifest, byName))
  const entries = read.entries.map(({ name, bytes }) => ({ name, bytes: bytes.length }))
  return { ok: problems.length === 0, fingerprint, problems, entries }
}

function failed(problem: string): CheckedEvidence {
  return { ok: false, fingerprint: null, problems: [problem], entries: [] }
}

function manifestProblems(manifest: Uint8Array, byName: ReadonlyMap<string, Uint8Array>): string[] {
  const lines = Buffer.from(manifest).toString('utf8').split('\n')
  const problems: string[] = []
  const named = new Map<string, string>()
  if (lines.pop() !== '') problems.push(`${manifestName} is cut off`)
  for (const [index, line] of lines.entries()) {
    const [, digest, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (digest === undefined || name === undefined)
      return [`line ${index + 1} of ${manifestName} cannot be read`]
    if (named.has(name)) problems.push(`${name} is in ${manifestName} twice`)
    named.set(name, digest)
  }
  for (const [name, digest] of named) {
    const bytes = byName.get(name)
    if (bytes === undefined) problems.push(`${name} is missing`)
    else if (sha256(bytes) !== digest) problems.push(`${name} was changed: its SHA-256 is another`)
  }
  for (const name of byName.keys()) {
    if (!named.has(name) && name !== manifestName && name !== signatureName)
      problems.push(`${name} is not in ${manifestName}`)
  }
  return problems
}

/** `null` for what is no Ed25519 public key in PEM. */
export function readPublicKey(pem: Uint8Array | string): KeyObject | null {
  try {
    // A private key has its public one in it, and is nobody's to give.
    const isPublic = Buffer.from(pem).toString('latin1').trimStart().startsWith('-----BEGIN PUBLIC KEY-----')
    const key = isPublic ? createPublicKey({ key: Buffer.from(pem), format: 'pem' }) : null
    return key?.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}
