import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { timeOrderedId } from '../../../actors/orders/time-ordered-id.ts'

test('an id is a UUID of version 7 with its time in front', () => {
  // The time of the example in RFC 9562, part A.6.
  const id = timeOrderedId(0x017f22e279b0)
  assert.match(id, /^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('ids of one moment differ, and later ones come behind', () => {
  const at = Date.UTC(2026, 2, 1)
  const ids = Array.from({ length: 1000 }, () => timeOrderedId(at))
  assert.is(new Set(ids).size, 1000)
  assert.ok(ids.every((id) => id < timeOrderedId(at + 1)))
})

test('what is not its time, version or variant is random, in every bit', () => {
  const digits = Array.from({ length: 500 }, () => timeOrderedId(0).replaceAll('-', ''))
  for (let place = 13; place < 32; place++) {
    const values = new Set(digits.map((id) => id[place]))
    assert.is(values.size, place === 16 ? 4 : 16, `digit ${place}`)
  }
})

test.run()
