/** Evidence files of strangers: each is refused in a line, whatever is in it. */
import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { type Zippable, zipSync } from 'fflate'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkEvidence, keyFingerprint, readPublicKey, signedZip } from '../../../actors/evidence/manifest.ts'
import { type Entry, packZip, readZip } from '../../../actors/evidence/zip.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const text = (name: string, content: string): Entry => ({ name, bytes: Buffer.from(content) })
const entries = [text('order.json', '{"id":1}\n'), text('claims/1/2.pdf', '%PDF')]
const good = signedZip(entries, privateKey)

const unpacked = (): Entry[] => {
  const read = readZip(good)
  if (!read.ok) throw new Error(read.problem)
  return read.entries
}
/** The same with some entries changed, added or left out. */
const changed = (changes: Readonly<Record<string, string | Uint8Array | null>>): Uint8Array => {
  const kept = unpacked().filter(({ name }) => changes[name] === undefined)
  const added = Object.entries(changes).flatMap(([name, content]) =>
    content === null ? [] : [{ name, bytes: Buffer.from(content) }],
  )
  return packZip([...kept, ...added])
}
const manifest = Buffer.from(
  unpacked().find(({ name }) => name === 'manifest.sha256')?.bytes ?? '',
).toString()
const signedAs = (content: string, key = privateKey) =>
  changed({ 'manifest.sha256': content, 'manifest.sig': sign(null, Buffer.from(content), key) })
const otherPem = other.publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** As another program would make it: with whatever names and methods. */
const foreign = (files: Zippable) => zipSync(files)
const replaced = (from: string, to: string, zip = good) => {
  const bytes = Buffer.from(zip)
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at)
  return bytes
}
const bytesAfter = (bytes: Uint8Array, more: string) => Buffer.concat([bytes, Buffer.from(more)])
const changedByte = (place: number) => {
  const bytes = Buffer.from(good)
  bytes[place] = (bytes[place] ?? 0) ^ 1
  return bytes
}

/** An entry that says it has no more bytes than a few, and unpacks to 200 MB. */
function bomb(): Uint8Array {
  const packed = deflateRawSync(Buffer.alloc(200 * 1024 * 1024))
  const zip = Buffer.from(foreign({ 'order.json': [packed, { level: 0 }] }))
  const local = zip.indexOf('PK\x03\x04')
  const central = zip.indexOf('PK\x01\x02')
  zip.writeUInt16LE(8, local + 8)
  zip.writeUInt16LE(8, central + 10)
  zip.writeUInt32LE(0xffff, central + 24)
  return zip
}

const rows: readonly [what: string, zip: () => Uint8Array, problem: string][] = [
  ['no ZIP', () => Buffer.from('order'), 'it is no ZIP file'],
  ['text', () => Buffer.alloc(5000, 'a'), 'it is no ZIP file'],
  ['nothing but a beginning', () => Buffer.alloc(64, 'PK\x03\x04'), 'it is cut off, or damaged'],
  ['cut off', () => good.subarray(0, good.length - 30), 'it is cut off, or damaged'],
  ['cut in the middle', () => good.subarray(0, 200), 'it is cut off, or damaged'],
  ['too large', () => Buffer.alloc(64 * 1024 * 1024 + 1, 'PK'), 'it is larger than 67108864 bytes'],
  ['a bomb', bomb, 'order.json is compressed, which no entry of an evidence file is'],
  [
    'compressed',
    () => foreign({ 'order.json': Buffer.alloc(5000) }),
    'order.json is compressed, which no entry of an evidence file is',
  ],
  [
    'a path',
    () => replaced('claims/1/2.pdf', '../../../a.pdf'),
    'it has an entry with the name "../../../a.pdf", which none of ours has',
  ],
  [
    'a whole path',
    () => replaced('claims/1/2.pdf', '/etc/passwd.aa'),
    'it has an entry with the name "/etc/passwd.aa", which none of ours has',
  ],
  [
    'a drive',
    () => replaced('claims/1/2.pdf', 'C:\\aims/1/.pdf'),
    'it has an entry with the name "C:\\\\aims/1/.pdf", which none of ours has',
  ],
  [
    'a prototype',
    () => foreign({ '__proto__.x': [Buffer.from('x'), { level: 0 }] }),
    'it has an entry with the name "__proto__.x", which none of ours has',
  ],
  [
    'twice',
    () => replaced('other.json', 'order.json', packZip([...entries, text('other.json', '')])),
    'order.json is in it twice',
  ],
  [
    'something behind',
    () => bytesAfter(good, 'more'),
    'its bytes are not those of an evidence file: something was added, cut off or changed',
  ],
  ['something before', () => Buffer.concat([Buffer.from('PK'), good]), 'it is cut off, or damaged'],
  [
    'a time',
    () => foreign({ 'order.json': [Buffer.from('x'), { level: 0 }] }),
    'its bytes are not those of an evidence file: something was added, cut off or changed',
  ],
  ['no manifest', () => changed({ 'manifest.sha256': null }), 'manifest.sha256 is missing'],
  [
    'no signature and no key',
    () => changed({ 'manifest.sig': null, 'public-key.pem': null }),
    'manifest.sig, public-key.pem is missing',
  ],
  ['an entry more', () => changed({ 'more.json': '{}' }), 'more.json is not in manifest.sha256'],
  ['an entry less', () => changed({ 'order.json': null }), 'order.json is missing'],
  [
    'an entry changed',
    () => changed({ 'order.json': '{"id":2}\n' }),
    'order.json was changed: its SHA-256 is another',
  ],
  [
    'a manifest changed',
    () =>
      changed({
        'manifest.sha256': manifest.replace('order.json', 'other.json'),
        'order.json': null,
        'other.json': '{"id":1}\n',
      }),
    "manifest.sig is not the key's signature of manifest.sha256",
  ],
  [
    'a signature of another',
    () => signedAs(manifest, other.privateKey),
    "manifest.sig is not the key's signature of manifest.sha256",
  ],
  [
    'a signature cut off',
    () => changed({ 'manifest.sig': 'short' }),
    "manifest.sig is not the key's signature of manifest.sha256",
  ],
  ['a signed manifest that is none', () => signedAs('hello\n'), 'line 1 of manifest.sha256 cannot be read'],
  ['a signed manifest cut off', () => signedAs(manifest.slice(0, -1)), 'manifest.sha256 is cut off'],
  [
    'a line twice',
    () => signedAs(`${manifest}${manifest.split('\n')[0]}\n`),
    'claims/1/2.pdf is in manifest.sha256 twice',
  ],
  [
    'a key that is none',
    () => changed({ 'public-key.pem': 'key' }),
    'public-key.pem is no Ed25519 public key',
  ],
]

for (const [what, zip, problem] of rows)
  test(`${what}: ${problem}`, () => {
    const { ok, problems } = checkEvidence(zip(), null)
    assert.is(ok, false)
    assert.ok(problems.includes(problem), problems.join('\n'))
    assert.ok(problems.every((line) => !line.includes('\n')))
  })

test('a bomb costs no more memory than the file has', () => {
  const zip = bomb()
  const before = process.memoryUsage().arrayBuffers
  checkEvidence(zip, null)
  assert.ok(process.memoryUsage().arrayBuffers - before < 4 * zip.length + 1_000_000)
})

test('whichever bit of it is changed, it is refused', () => {
  for (let place = 0; place < good.length; place++) {
    const { ok } = checkEvidence(changedByte(place), publicKey)
    assert.is(ok, false, `byte ${place}`)
  }
})

test('the whole file signed anew by another key is told by the key that was expected, and only by it', () => {
  const forged = signedZip([text('order.json', '{"id":2}\n')], other.privateKey)
  assert.equal([checkEvidence(forged, null).ok, checkEvidence(forged, other.publicKey).ok], [true, true])
  const [first] = checkEvidence(forged, publicKey).problems
  assert.is(
    first,
    `it was signed by another key (${keyFingerprint(other.publicKey)}) than ${keyFingerprint(publicKey)}`,
  )
  assert.is(checkEvidence(good, publicKey).fingerprint, keyFingerprint(publicKey))
  // With the right key beside the signature of another.
  assert.is(checkEvidence(changed({ 'public-key.pem': otherPem }), publicKey).ok, false)
})

test('bytes follow from what is in it, in whichever zone they are made', () => {
  assert.equal(Buffer.from(signedZip(entries.toReversed(), privateKey)), Buffer.from(good))
  const script = `import { packZip } from './actors/evidence/zip.ts'
    process.stdout.write(packZip([{ name: 'a.txt', bytes: Buffer.from('a') }]))`
  const inZone = (TZ: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: { ...process.env, TZ } })
  assert.equal(inZone('Pacific/Auckland'), inZone('America/Mexico_City'))
})

test('no other kind of key is taken for one', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  assert.is(readPublicKey(rsa.export({ type: 'spki', format: 'pem' })), null)
  assert.is(readPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' })), null)
  assert.equal(
    readPublicKey(otherPem)?.export({ format: 'jwk' }),
    createPublicKey(otherPem).export({ format: 'jwk' }),
  )
})

test.run()
