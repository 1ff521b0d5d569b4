/** What Project Wycheproof says of HMAC-SHA-256 and AES-GCM, against what signs requests and seals secrets. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hmacSha256 } from '../../actors/foundation/hmac.ts'
import { openBytes, sealBytes } from '../../actors/keys/aes-gcm.ts'
import { isDigest, sign, verifySignature } from '../../actors/keys/signature.ts'
import { createVault } from '../../actors/keys/vault.ts'
import { sign as signAsClient } from '../../client/signature.ts'
import { readVectors } from '../support/vectors.ts'

interface MacVector {
  id: number
  key: string
  message: string
  tag: string
  tagBits: number
  result: 'valid' | 'invalid'
  comment: string
}

interface SealVector {
  id: number
  key: string
  nonce: string
  aad: string
  plain: string
  sealed: string
  tag: string
  result: 'valid' | 'invalid'
  comment: string
}

const bytes = (hex: string) => Buffer.from(hex, 'hex')

const macs = readVectors<MacVector>('hmac-sha256')
const seals = readVectors<SealVector>('aes-gcm')

test('a whole tag is a digest where it is valid, and one that was changed or cut off is none', () => {
  const counts = { valid: 0, invalid: 0 }
  for (const { id, key, message, tag, tagBits, result, comment } of macs) {
    const digest = hmacSha256(bytes(key), bytes(message))
    const isRight = digest.toString('hex').slice(0, tagBits / 4) === tag
    assert.is(isRight, result === 'valid', `${id} ${comment}`)
    // What was cut to 128 bits is refused, though it is the right beginning.
    assert.is(isDigest(digest, tag), result === 'valid' && tagBits === 256, `${id} ${comment}`)
    counts[result]++
  }
  assert.equal(counts, { valid: 66, invalid: 108 })
})

test('a signature over each key and message is the same for the client, and holds for no other tag', async () => {
  for (const { id, key: secret, message: body, tag } of macs) {
    const message = { key: 'mk', messageDate: '1795780800', method: 'POST', path: '/', body: bytes(body) }
    const digest = sign(message, secret)
    assert.is(await signAsClient(message, secret), digest, String(id))
    assert.ok(verifySignature(message, secret, digest), String(id))
    assert.not(verifySignature(message, secret, tag), String(id))
  }
})

test('what is sealed is what the vectors say, and what they call invalid does not open', () => {
  const counts = { valid: 0, invalid: 0 }
  for (const { id, key, nonce, aad, plain, sealed, tag, result, comment } of seals) {
    // Keys have 256 bits here, nonces 96.
    if (key.length !== 64 || nonce.length !== 24) continue
    counts[result]++
    const whole = bytes(nonce + sealed + tag)
    const what = `${id} ${comment}`
    if (result === 'valid') {
      assert.equal(sealBytes(bytes(key), bytes(aad), bytes(plain), bytes(nonce)), whole, what)
      assert.equal(openBytes(bytes(key), bytes(aad), whole), bytes(plain), what)
      assert.throws(() => openBytes(bytes(key), bytes(`${aad}00`), whole), what)
      // Node takes tags of 4, 8 and 12 to 16 bytes unless it is told how long they are.
      for (const cut of [1, 2, 3, 4, 8, 12]) {
        assert.throws(() => openBytes(bytes(key), bytes(aad), whole.subarray(0, -cut)), what)
      }
    } else assert.throws(() => openBytes(bytes(key), bytes(aad), whole), what)
  }
  assert.equal(counts, { valid: 21, invalid: 27 })
})

test('keys and nonces of other sizes are refused, or open nothing', () => {
  let others = 0
  for (const { id, key, nonce, aad, sealed, tag } of seals) {
    if (key.length === 64 && nonce.length === 24) continue
    others++
    assert.throws(() => openBytes(bytes(key), bytes(aad), bytes(nonce + sealed + tag)), String(id))
  }
  assert.is(others, seals.length - 48)
})

test('texts of the vectors come out of a vault as they went in, and out of no other', () => {
  const vaults = seals.slice(0, 8).map(({ key }) => createVault(bytes(key.padEnd(64, '0').slice(0, 64))))
  for (const [index, { aad, plain }] of seals.entries()) {
    const [own, other] = [vaults[index % 8], vaults[(index + 1) % 8]]
    const sealed = own?.seal(aad, plain) ?? ''
    assert.is(own?.open(aad, sealed), plain)
    assert.throws(() => own?.open(`${aad}0`, sealed))
    if (own?.fingerprint !== other?.fingerprint) assert.throws(() => other?.open(aad, sealed))
  }
})

test.run()
