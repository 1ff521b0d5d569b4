/** Items of structured fields, as headers of ours take them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBoolean, unquoted } from '../../../http/foundation/structured-fields.ts'

const quoted: [text: string, read: string | null][] = [
  ['order-1', 'order-1'],
  ['"order-1"', 'order-1'],
  ['a"b', 'a"b'],
  ['', ''],
  ['""', ''],
  [String.raw`"a \"b\" \\c"`, String.raw`a "b" \c`],
  ['"order-1', null],
  ['"order"-1"', null],
  ['"order-1";a=1', null],
  [String.raw`"a\b"`, null],
  ['"ü"', null],
]
for (const [text, read] of quoted) {
  test(`${JSON.stringify(text)} is ${JSON.stringify(read)}`, () => assert.is(unquoted(text), read))
}

test('a boolean is true, false, ?1 or ?0', () => {
  const texts = ['true', '?1', 'false', '?0', 'TRUE', '1', 'yes', '']
  assert.equal(texts.map(readBoolean), [true, true, false, false, null, null, null, null])
})

test.run()
