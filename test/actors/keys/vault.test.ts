import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  createVault,
  generateMasterKey,
  generateSecret,
  parseMasterKey,
  VaultError,
} from '../../../actors/keys/vault.ts'

const masterKey = new Uint8Array(32).fill(7)
const vault = createVault(masterKey)

const isVaultError = (error: unknown) => error instanceof VaultError

test('what is sealed opens under the same name, also after a restart', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (name, secret) => {
      const sealed = vault.seal(name, secret)
      assert.is(vault.open(name, sealed), secret)
      assert.is(createVault(masterKey).open(name, sealed), secret)
    }),
  )
})

test('a sealed text does not contain the secret, and is another one each time', () => {
  const [one, other] = [
    vault.seal('credential:mk_demo', 'secret'),
    vault.seal('credential:mk_demo', 'secret'),
  ]
  assert.match(one, /^v1\.[A-Za-z0-9_-]+$/)
  assert.not.match(one, /secret|c2VjcmV0/)
  assert.is.not(one, other)
})

test('a sealed text opens under no other name, so it cannot be moved to another row', () => {
  const sealed = vault.seal('credential:mk_demo', 'secret')
  vault.open('credential:mk_demo', sealed)
  for (const name of ['credential:mk_other', 'credential:mk_dem', 'credential:mk_demo\n', ''])
    assert.throws(() => vault.open(name, sealed), isVaultError)
})

test('a sealed text opens under no other master key', () => {
  const other = createVault(new Uint8Array(32).fill(8))
  assert.throws(
    () => other.open('credential:mk_demo', vault.seal('credential:mk_demo', 'secret')),
    isVaultError,
  )
})

test('no change of a single character goes unnoticed', () => {
  // Two lengths: after one of them the last character holds bits that mean nothing.
  for (const secret of ['12', '1234']) {
    const sealed = vault.seal('name', secret)
    for (let index = 0; index < sealed.length; index++) {
      for (const character of ['A', 'B', '_', '.', '=', ' ']) {
        const damaged = sealed.slice(0, index) + character + sealed.slice(index + 1)
        if (damaged !== sealed) assert.throws(() => vault.open('name', damaged), isVaultError, damaged)
      }
    }
  }
})

test('a sealed text that was cut off, lengthened or is none does not open', () => {
  const sealed = vault.seal('name', 'secret')
  const texts = [sealed.slice(0, -1), sealed.slice(0, 20), `${sealed}A`, `${sealed}=`, `${sealed}\n`]
  for (const text of [...texts, '', 'v1.', 'v1', 'secret', sealed.replace('v1', 'v2'), sealed.slice(3)])
    assert.throws(() => vault.open('name', text), isVaultError, JSON.stringify(text))
})

test('the error names what does not open, and not what was in it', () => {
  const sealed = vault.seal('credential:mk_demo', 'secret')
  for (const text of [sealed.slice(0, 20), `${sealed.slice(0, -4)}AAAA`]) {
    assert.throws(
      () => vault.open('credential:mk_demo', text),
      (error: unknown) => error instanceof VaultError && /credential:mk_demo/.test(error.message),
    )
  }
})

test('a fingerprint tells one master key from another, and is always the same', () => {
  assert.match(vault.fingerprint, /^[0-9a-f]{16}$/)
  assert.is(createVault(new Uint8Array(masterKey)).fingerprint, vault.fingerprint)
  assert.is.not(createVault(new Uint8Array(32)).fingerprint, vault.fingerprint)
})

test('a master key has 32 bytes', () => {
  for (const length of [0, 16, 31, 33, 64])
    assert.throws(() => createVault(new Uint8Array(length)), isVaultError, `${length} bytes`)
})

test('a master key is made as its file holds it, and is another one each time', () => {
  const [one, other] = [generateMasterKey(), generateMasterKey()]
  assert.match(one, /^[A-Za-z0-9+/]{43}=\n$/)
  assert.is(parseMasterKey(one).length, 32)
  assert.is.not(one, other)
})

const key = Buffer.alloc(32, 0xfb).toString('base64')

test('a master key may stand in its file with or without the end of its line', () => {
  for (const text of [key, `${key}\n`, `${key}\r\n`, ` ${key} `])
    assert.equal([...parseMasterKey(text)], new Array(32).fill(0xfb))
})

const noKeys: [what: string, text: string][] = [
  ['nothing', ''],
  ['31 bytes', Buffer.alloc(31).toString('base64')],
  ['33 bytes', Buffer.alloc(33).toString('base64')],
  ['hexadecimal digits', Buffer.alloc(32).toString('hex')],
  ['base64url', Buffer.alloc(32, 0xfb).toString('base64url')],
  ['base64 without its padding', key.slice(0, -1)],
  ['two lines', `${key}\n${key}`],
  ['a line broken in two', `${key.slice(0, 20)}\n${key.slice(20)}`],
  ['a comment', `# key\n${key}`],
  ['characters that base64 has not', `${key.slice(0, 20)}!${key.slice(21)}`],
  ['bits beyond the last byte', `${key.slice(0, -2)}9=`],
]

for (const [what, text] of noKeys)
  test(`${what} in the place of a master key is an error that does not repeat it`, () => {
    assert.throws(
      () => parseMasterKey(text),
      (error: unknown) =>
        error instanceof VaultError && error.message === 'A master key is 32 bytes as one line of base64.',
    )
  })

test('a new secret has 43 printable characters, and is another one each time', () => {
  const secrets = new Set(Array.from({ length: 100 }, generateSecret))
  assert.is(secrets.size, 100)
  for (const secret of secrets) assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
})

test.run()
