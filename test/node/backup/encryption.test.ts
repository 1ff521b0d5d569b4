/** Backups that only the holder of an age identity can open. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decryptFile, encryptFile } from '../../../node/backup/encryption.ts'
import { digestOf } from '../../../node/backup/manifest.ts'
import { payOutBody, startTestNode, type TestNode } from '../../support/node.ts'
import { ventanilla } from '../../support/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-encrypted-'))
const backups = join(folder, 'backups')
const identityFile = join(folder, 'backups.key')
let node: TestNode
let backup = ''
let identity = ''

const world = (database: string) => ({
  cwd: folder,
  env: {
    VENTANILLA_DATABASE: `sqlite:${database}`,
    VENTANILLA_KEYS_FILE: join(node.directory, 'node.db.key'),
    VENTANILLA_BACKUPS_FOLDER: backups,
  },
  clock: node.clock,
})

test.before(async () => {
  identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  writeFileSync(identityFile, `# created: 2026-03-01T12:00:00Z\n# public key: ${recipient}\n${identity}\n`)
  node = await startTestNode({
    env: { VENTANILLA_BACKUPS_FOLDER: backups, VENTANILLA_BACKUPS_ENCRYPTTO: JSON.stringify([recipient]) },
  })
  await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body: payOutBody() })
  const made = await ventanilla(world(join(node.directory, 'node.db')), 'backup', '--json')
  assert.is(made.code, 0, made.err)
  backup = made.json.folder
})
test.after(async () => {
  await node.stop()
  for (const each of [node.directory, folder]) rmSync(each, { recursive: true, force: true })
})

/** A copy of the backup that is changed, and says of itself that it was written so. */
async function changed(name: string, change: (file: string) => void): Promise<string> {
  const copy = join(folder, name)
  cpSync(backup, copy, { recursive: true })
  const file = join(copy, 'ventanilla.db.age')
  change(file)
  const manifest = JSON.parse(readFileSync(join(copy, 'backup.json'), 'utf8'))
  manifest.digests.database = await digestOf(file)
  writeFileSync(join(copy, 'backup.json'), JSON.stringify(manifest))
  return copy
}

async function refused(from: string, ...args: string[]): Promise<{ code: number; err: string }> {
  const place = join(folder, 'place')
  const { code, err } = await ventanilla(world(join(place, 'node.db')), 'restore', from, ...args)
  assert.equal(existsSync(place) ? readdirSync(place) : [], [], 'nothing is left in the place')
  return { code, err }
}

test('nothing of an encrypted backup can be read but what it says of itself', async () => {
  assert.equal(readdirSync(backup).toSorted(), [
    'backup.json',
    'ventanilla.db.age',
    'ventanilla.db.anchors.age',
  ])
  const manifest = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8'))
  assert.equal([manifest.orders, manifest.encryptedTo], [1, [await identityToRecipient(identity)]])
  const bytes = readFileSync(join(backup, 'ventanilla.db.age'))
  assert.is(bytes.subarray(0, 22).toString(), 'age-encryption.org/v1\n')
  assert.not.ok(bytes.includes('SQLite format 3'))
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const plain = await decrypter.decrypt(bytes)
  assert.is(Buffer.from(plain.subarray(0, 15)).toString(), 'SQLite format 3')
  assert.is(plain.length, manifest.bytes)
})

test('it is restored with the identity, verified and quarantined', async () => {
  const elsewhere = world(join(folder, 'elsewhere/node.db'))
  const restored = await ventanilla(elsewhere, 'restore', backup, '--identity', identityFile, '--json')
  assert.is(restored.code, 0, restored.err)
  assert.is(restored.json.quarantined, 1)
  assert.is((await ventanilla(elsewhere, 'verify')).code, 0)
})

test('without the identity, and with another, it is said in one line whose is needed', async () => {
  const without = await refused(backup)
  assert.is(without.code, 4)
  assert.match(without.err, /it is encrypted to age1[0-9a-z]+\.\n.*--identity FILE/)
  const other = join(folder, 'other.key')
  writeFileSync(other, `${await generateX25519Identity()}\n`)
  const wrong = await refused(backup, '--identity', other)
  assert.is(wrong.code, 4)
  assert.match(wrong.err, /other\.key: .*ventanilla\.db\.age is encrypted to others\./)
  const none = join(folder, 'none.key')
  writeFileSync(none, 'age1notasecret\n')
  assert.match((await refused(backup, '--identity', none)).err, /there is no age identity in it/)
})

test('a file that was cut off, or has another byte in it, is damaged, whatever its digest says', async () => {
  const size = readFileSync(join(backup, 'ventanilla.db.age')).length
  const cut = await changed('cut', (file) => truncateSync(file, size - 70_000))
  const flipped = await changed('flipped', (file) => {
    const bytes = readFileSync(file)
    const place = Math.floor(bytes.length / 2)
    bytes[place] = (bytes[place] ?? 0) ^ 1
    writeFileSync(file, bytes)
  })
  for (const damaged of [cut, flipped]) {
    const { code, err } = await refused(damaged, '--identity', identityFile)
    assert.is(code, 3, err)
    assert.match(err, /ventanilla\.db\.age: it is damaged: [^\n]+\n.*Take another backup/)
  }
  const copy = join(folder, 'undigested')
  cpSync(backup, copy, { recursive: true })
  truncateSync(join(copy, 'ventanilla.db.age'), size - 1)
  assert.match((await refused(copy, '--identity', identityFile)).err, /it has changed since it was written/)
})

test('a file larger than what a stream holds at once is the same after it', async () => {
  const file = join(folder, 'large')
  writeFileSync(file, Buffer.alloc(5_000_000, 'a text that repeats'))
  const encrypted = await encryptFile(file, [await identityToRecipient(identity)])
  await decryptFile(encrypted, join(folder, 'again'), identityFile)
  assert.is(await digestOf(join(folder, 'again')), await digestOf(file))
})

test.run()
