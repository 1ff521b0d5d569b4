import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hmacSha256, hmacSha256Text } from '../../../actors/foundation/hmac.ts'

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }),
)

function expected(key: string | Uint8Array, parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const one of parts) hmac.update(one)
  return hmac.digest()
}

test('it is the HMAC-SHA-256 of OpenSSL, whatever the key and the parts', () => {
  fc.assert(
    fc.property(part, fc.array(part, { maxLength: 4 }), (key, parts) => {
      const digest = expected(key, parts)
      assert.equal(hmacSha256(key, ...parts), digest)
      assert.equal(hmacSha256Text('hex', key, ...parts), digest.toString('hex'))
      assert.equal(hmacSha256Text('base64url', key, ...parts), digest.toString('base64url'))
    }),
    { numRuns: 2000 },
  )
})

test('a key is itself up to a block of 64 bytes, and its hash beyond', () => {
  for (const sign of ['k', 'é', '€', '💶']) {
    for (let count = 0; count <= 66; count++) {
      const key = sign.repeat(count)
      assert.equal(hmacSha256(key, 'text'), expected(key, ['text']))
      assert.equal(hmacSha256(Buffer.from(key), 'text'), expected(key, ['text']))
    }
  }
})

test('what is longer than the memory kept for it is hashed all the same, and leaves nothing for the next', () => {
  for (const length of [5_000, 5_440, 5_441, 16_319, 16_320, 16_321, 100_000, 2_000_000]) {
    for (const sign of ['x', '€']) {
      const text = sign.repeat(length)
      assert.equal(hmacSha256('key', text), expected('key', [text]))
      assert.equal(hmacSha256('key', 'a', Buffer.from(text)), expected('key', ['a', text]))
      assert.equal(hmacSha256('', ''), expected('', ['']))
    }
  }
})

test.run()
