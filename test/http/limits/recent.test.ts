import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createRecent } from '../../../http/limits/recent.ts'

test('a key is known for a time after it was last noted', () => {
  const recent = createRecent({ forMs: 10, maxKeys: 5 })
  recent.note('a', 0)
  assert.equal([recent.has('a', 9), recent.has('a', 10), recent.has('b', 0)], [true, false, false])
  recent.note('a', 9)
  assert.ok(recent.has('a', 18))
})

test('beyond as many as are kept the one noted longest ago is forgotten', () => {
  const recent = createRecent({ forMs: 10, maxKeys: 2 })
  for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) recent.note(key, at)
  assert.equal(
    ['a', 'b', 'c'].map((key) => recent.has(key, 4)),
    [true, false, true],
  )
})

test('within a hundredth of its time a key is not noted anew', () => {
  const recent = createRecent({ forMs: 1_000, maxKeys: 5 })
  recent.note('a', 0)
  recent.note('a', 9)
  assert.equal([recent.has('a', 999), recent.has('a', 1_000)], [true, false])
  recent.note('a', 10)
  assert.ok(recent.has('a', 1_009))
})

test.run()
