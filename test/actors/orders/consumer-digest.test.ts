/** Which telephone numbers are one, however they are written; and that one that is meant is always found by its digest. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSamePhone, phoneDigest } from '../../../actors/orders/consumer-digest.ts'

const rows: readonly (readonly [stored: string, written: string, isSame: boolean])[] = [
  ['+525512345678', '+52 55 1234 5678', true],
  ['+525512345678', '55 1234-5678', true],
  ['+525512345678', '(55) 1234 5678', true],
  ['+525512345678', '0052 55 1234 5678', true],
  ['+525512345678', '+52 1 55 1234 5678', true],
  ['+525512345678', '1234 5678', true],
  ['+525512345678', '33 1234 5678', false],
  ['+525512345678', '+52 55 1234 5679', false],
  ['5512345678', '+525512345678', true],
  ['+56 9 8765 4321', '987654321', true],
  ['+595 21 234 567', '021 234567', true],
  ['+595 21 234 567', '234567', false],
  ['+５２５５１２３４５６７８', '5512345678', true],
  ['ext. none', 'EXT. none', true],
  ['', '5512345678', false],
]

for (const [stored, written, isSame] of rows)
  test(`${written} is ${isSame ? '' : 'not '}the number ${stored}`, () => {
    assert.is(isSamePhone(stored, written), isSame)
    assert.is(isSamePhone(written, stored), isSame)
    if (isSame) assert.is(phoneDigest('a key', written), phoneDigest('a key', stored))
  })

test('a digest is of the key, and there is none of nothing', () => {
  assert.is.not(phoneDigest('a key', '5512345678'), phoneDigest('another', '5512345678'))
  assert.match(phoneDigest('a key', '5512345678') ?? '', /^[\w-]{8}$/)
  assert.equal([phoneDigest('a key', ''), phoneDigest('a key', '  ')], [null, null])
})

test.run()
