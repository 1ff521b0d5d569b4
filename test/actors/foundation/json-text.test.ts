import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseJson } from '../../../actors/foundation/json-text.ts'

const table: [text: string, problem: string][] = [
  ['{"a": 1, "a": 2}', 'names a twice: at line 1, column 2, and at line 1, column 10'],
  ['{"a": 1,\n "\\u0061": 2}', 'names a twice: at line 1, column 2, and at line 2, column 2'],
  [
    '{"merchants": [{"name": "A"},\n {"name": "B", "deposits": [1, [{"x": {}, "x": []}]]}]}',
    'names merchants[1].deposits[1][0].x twice: at line 2, column 34, and at line 2, column 43',
  ],
  [
    '[{"a": {"b": 1}, "b": 2, "": 3, "": 4}]',
    'names [0]. twice: at line 1, column 26, and at line 1, column 33',
  ],
  [
    '{"__proto__": 1, "__proto__": 2}',
    'names __proto__ twice: at line 1, column 2, and at line 1, column 18',
  ],
  ['{"a\\u0007": 1, "a\\u0007": 2}', 'names a? twice: at line 1, column 2, and at line 1, column 16'],
  ['{"a": 1', 'is not JSON: line 1, column 8'],
  ['{"a": ', 'is not JSON: it ends too early'],
  ['\ufeff\ufeff{}', 'is not JSON: line 1, column 1'],
]

for (const [text, problem] of table)
  test(`${JSON.stringify(text)} ${problem}`, () => assert.equal(parseJson(text), { ok: false, problem }))

const fine = [
  '{"a": {"a": {"a": "a"}}, "b": ["a", "a", {"a": "b:"}, {"a": 1}]}',
  '{"a": "\\"a\\": 1, \\"a\\": 2", "b": "{\\"a\\":1,\\"a\\":2}"}',
  '["a", "a"]',
  '"a"',
  '\ufeff{"a": "\\\\", "b": "\\\\\\""}',
]

for (const text of fine)
  test(`${JSON.stringify(text)} names nothing twice`, () =>
    assert.equal(parseJson(text), { ok: true, value: JSON.parse(text.replace(/^\ufeff/, '')) }))

test('any document is read as it is, and refused with one of its names once more', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(4), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.equal(parseJson(text), { ok: true, value: JSON.parse(text) })
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return
      const [name] = Object.keys(value)
      if (name === undefined) return
      const twice = `${text.trimEnd().slice(0, -1)}, ${JSON.stringify(name)}: 0}`
      const read = parseJson(twice)
      assert.ok(!read.ok && /^names [\s\S]* twice: at line /.test(read.problem), twice)
    }),
    { numRuns: 1000 },
  )
})

test('a large document takes no time that grows faster than it', () => {
  const many = JSON.stringify({ list: Array.from({ length: 50_000 }, (_, at) => ({ name: `n${at}`, at })) })
  assert.ok(parseJson(many).ok)
  assert.ok('value' in parseJson(`${'['.repeat(5_000)}${']'.repeat(5_000)}`))
  assert.ok('value' in parseJson(JSON.stringify({ long: '\\"'.repeat(1_000_000) })))
})

test.run()
