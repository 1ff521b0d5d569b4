import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isPointer, readAnswer } from '../../../actors/rates/answer.ts'

const body =
  '{"payload": {"bid": "17.25", "ask": 17.300, "deep": [{"": {"a/b": 1, "m~n": 2, "x y": 3}}], "none": null,' +
  ' "flag": true, "tiny": 0.000000000000000000001, "huge": 12345678901234567890.123}, "": "root"}'

/** RFC 6901: what stands there, or the problem. */
const rows: [pointer: string, told: string | null | undefined, problem?: string][] = [
  ['/payload/bid', '17.25'],
  // As it was written: nothing goes through a float.
  ['/payload/ask', '17.300'],
  ['/payload/tiny', '0.000000000000000000001'],
  ['/payload/huge', '12345678901234567890.123'],
  ['/payload/none', null],
  ['/payload/deep/0//a~1b', '1'],
  ['/payload/deep/0//m~0n', '2'],
  ['/payload/deep/0//x y', '3'],
  ['/', 'root'],
  ['/payload/last', undefined, 'its answer has nothing at /payload/last'],
  ['/payload/deep/1', undefined, 'its answer has nothing at /payload/deep/1'],
  ['/payload/deep/-', undefined, 'its answer has nothing at /payload/deep/-'],
  ['/payload/bid/0', undefined, 'its answer has nothing at /payload/bid/0'],
  ['/payload/constructor', undefined, 'its answer has nothing at /payload/constructor'],
  ['/payload/__proto__', undefined, 'its answer has nothing at /payload/__proto__'],
  ['/payload/flag', undefined, 'its answer has no number at /payload/flag'],
  ['/payload/deep', undefined, 'its answer has a list at /payload/deep'],
  ['', undefined, 'its answer has an object at '],
]

for (const [pointer, told, problem] of rows)
  test(`at ${JSON.stringify(pointer)} there is ${problem ?? JSON.stringify(told)}`, () => {
    const expected = problem === undefined ? { ok: true, told } : { ok: false, problem }
    assert.equal(readAnswer(Buffer.from(body), pointer), expected)
  })

test('the length of a list is no number of it', () => {
  assert.is(readAnswer(Buffer.from('{"a": [1, 2]}'), '/a/length').ok, false)
})

test('what is not JSON, or not UTF-8, or nests without end, is said to be none', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  for (const text of ['', '<html>', '{"a": 17.25', "{'a': 1}", deep])
    assert.equal(readAnswer(Buffer.from(text), '/a'), { ok: false, problem: 'its answer is not JSON' })
  assert.equal(readAnswer(Buffer.from([0x22, 0xff, 0x22]), ''), {
    ok: false,
    problem: 'its answer is not JSON',
  })
})

test('a pointer begins with a slash, and has tildes only as ~0 and ~1', () => {
  for (const text of ['', '/', '/a', '/a/0', '/a~1b/m~0n', '/a//b']) assert.ok(isPointer(text), text)
  for (const text of ['a', 'a/b', '/a~', '/a~2', '#/a', '$.a']) assert.not.ok(isPointer(text), text)
})

test.run()
