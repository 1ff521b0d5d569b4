/**
 * The test kit of age against what opens a backup's files, and both ways with Debian's own `age`.
 *
 * A backup is encrypted to keys, never to a passphrase, and never armoured: such files are refused in words.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import * as kit from 'cctv-age'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decryptFile, encryptFile } from '../../node/backup/encryption.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-age-'))
test.after(() => rmSync(folder, { recursive: true }))

interface Vector {
  name: string
  expect: string
  payload: string | undefined
  identities: string[]
  isArmored: boolean
  hasPassphrase: boolean
  bytes: Buffer
}

/** Lines of `name: value`, an empty line, and the encrypted file. */
function readVector(name: string, file: Buffer): Vector {
  const headEnd = file.indexOf('\n\n')
  const lines = file.subarray(0, headEnd).toString().split('\n')
  const told = (key: string) =>
    lines.flatMap((line) => (line.startsWith(`${key}: `) ? [line.slice(key.length + 2)] : []))
  const rest = file.subarray(headEnd + 2)
  return {
    name,
    expect: told('expect')[0] ?? '',
    payload: told('payload')[0],
    identities: told('identity'),
    isArmored: told('armored').length > 0,
    hasPassphrase: told('passphrase').length > 0,
    bytes: told('compressed').length > 0 ? inflateSync(rest) : rest,
  }
}

const vectors = Object.entries(kit)
  .filter(([, file]) => file instanceof Uint8Array)
  .map(([name, file]) => readVector(name, Buffer.from(file)))

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Opened {
  plain: Buffer | null
  error: CommandError | null
}

async function open(bytes: Uint8Array, identities: readonly string[]): Promise<Opened> {
  const [file, target, identity] = ['file.age', 'plain', 'identity'].map((name) => join(folder, name))
  writeFileSync(file ?? '', bytes)
  writeFileSync(identity ?? '', `${identities.join('\n')}\n`)
  try {
    await decryptFile(file ?? '', target ?? '', identity ?? '')
    return { plain: readFileSync(target ?? ''), error: null }
  } catch (error) {
    assert.instance(error, CommandError)
    return { plain: null, error: error as CommandError }
  } finally {
    rmSync(target ?? '', { force: true })
  }
}

test('the kit is whole', () => assert.is(vectors.length, 143))

for (const vector of vectors)
  test(`the kit's ${vector.name}: ${vector.expect}`, async () => {
    const { name, expect, bytes, payload, isArmored, hasPassphrase } = vector
    const identities = vector.identities.length > 0 ? vector.identities : [await generateX25519Identity()]
    const { plain, error } = await open(bytes, identities)
    if (expect === 'success' && !isArmored && !hasPassphrase) {
      assert.is(error, null, `${name}: ${error?.message}`)
      assert.is(sha256(plain ?? Buffer.alloc(0)), payload)
      return
    }
    assert.ok(error, `${name} opened`)
    assert.not.match(error.message, /[\p{Cc}\p{Cf}]/u)
    assert.ok(error.message.length < folder.length * 2 + 150, error.message)
    if (isArmored || !hasPassphrase)
      assert.is(
        error.exitCode,
        expect === 'no match' && !isArmored ? exitCodes.key : exitCodes.database,
        error.message,
      )
  })

test('what is no file of age is said to be none, whatever is in it', async () => {
  const identity = await generateX25519Identity()
  for (const text of [
    '',
    'SQLite format 3\0',
    '\u001b[2J\n',
    `${'x'.repeat(100_000)}\n`,
    'age-encryption.org/v2\n',
  ]) {
    const { error } = await open(Buffer.from(text), [identity])
    assert.match(error?.message.slice(folder.length) ?? '', /^\/file\.age: it is damaged: [ -~]{1,100}\.$/)
  }
})

function hasAge(): boolean {
  if (spawnSync('age', ['--version']).status === 0) return true
  assert.is(process.env.CI, undefined, 'age is missing')
  console.log('SKIP test/vectors/age.test.ts: age is not on this machine (Debian: age)')
  return false
}

/** Around the size of a chunk, of which a file may have none, one, a whole one or many. */
const sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_003]

if (hasAge())
  test('what we encrypt age decrypts, and what age encrypts we do', async () => {
    const identity = await generateX25519Identity()
    const recipients = [
      await identityToRecipient(identity),
      await identityToRecipient(await generateX25519Identity()),
    ]
    const [plain, key] = [join(folder, 'both'), join(folder, 'both.key')]
    writeFileSync(key, `${identity}\n`)
    const age = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('age', args, { maxBuffer: 2 ** 24 })
      assert.is(status, 0, stderr.toString())
      return stdout
    }
    for (const size of sizes) {
      const bytes = Buffer.alloc(size, 'what a backup holds, ')
      writeFileSync(plain, bytes)
      assert.ok(
        age('--decrypt', '-i', key, await encryptFile(plain, recipients)).equals(bytes),
        `${size} bytes`,
      )
      const theirs = age('--encrypt', ...recipients.flatMap((one) => ['-r', one]), plain)
      const opened = await open(theirs, [identity])
      assert.ok(opened.plain?.equals(bytes), `${size} bytes`)
    }
  })

test.run()
