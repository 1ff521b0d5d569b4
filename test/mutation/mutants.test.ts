/** What mutates the sources for `npm run soak -- mutation`: each change it makes, and the list of those that cannot be seen. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hasRun } from './coverage.ts'
import { equivalents } from './equivalents.ts'
import { root } from './modules.ts'
import { type Mutant, mutantsOf, mutated } from './mutants.ts'
import { targets } from './targets.ts'

const samples: [what: string, text: string, mutated: string[]][] = [
  [
    'a comparison',
    'const f = (a: number) => a < 2',
    [
      'const f = (a: number) => a <= 2',
      'const f = (a: number) => a >= 2',
      'const f = (a: number) => a < 3',
      'const f = (a: number) => undefined',
    ],
  ],
  ['a sum', 'const a = b + 1n', ['const a = b - 1n', 'const a = b + 2n']],
  ['two facts', 'const a = b && c', ['const a = b || c', 'const a = b', 'const a = c']],
  ['a value and what stands in for it', 'const a = b ?? c', ['const a = b && c', 'const a = b']],
  ['a condition', 'if (a) b()', ['if (true) b()', 'if (false) b()', 'if (a) ;']],
  [
    'a refusal',
    "if (!a) return 'é'",
    ["if (true) return 'é'", "if (false) return 'é'", "if (a) return 'é'", "if (!a) return ''", 'if (!a) ;'],
  ],
  ['what is thrown', "throw new RangeError('Not at all')", [';']],
  ['a list', 'const a = [b, ...c]', ['const a = [...c]', 'const a = [b]']],
  ['a list of one', 'const a = [b]', ['const a = []']],
  [
    'an object',
    'const a = { b: 1, ...c, d }',
    [
      'const a = { ...c, d }',
      'const a = { b: 2, ...c, d }',
      'const a = { b: 1, d }',
      'const a = { b: 1, ...c }',
    ],
  ],
  ['a twin', 'const a = b.every(c)', ['const a = b.some(c)']],
  ['what could be left out', 'const a = b.trim()', ['const a = b']],
  [
    'a pattern',
    'const a = /^\\d{2,3}$/u',
    [
      'const a = /\\d{2,3}$/u',
      'const a = /^\\d{2,3}/u',
      'const a = /^\\D{2,3}$/u',
      'const a = /^\\d{3,3}$/u',
      'const a = /^\\d{2,4}$/u',
      'const a = /^\\d{2,2}$/u',
    ],
  ],
  ['a template', 'const a = `b`', ['const a = ``']],
  ['a question', 'const a = b?.c', ['const a = b.c']],
  ['a sign', 'const a = -b', ['const a = b']],
  ['a count', 'a++', [';', 'a--']],
  ['types, imports and keys', "import b from 'c'\ntype A = 'd' | 2\nconst a = b as 'd'", []],
]

for (const [what, text, expected] of samples) {
  test(`${what}: ${expected.length} mutants of ${text}`, () => {
    // The parser takes a return for a mistake outside of functions.
    const [before, after] = text.includes('return') ? ['function f() { ', ' }'] : ['', '']
    const whole = before + text + after
    const made = mutantsOf(whole).map((mutant) => mutated(whole, mutant))
    assert.equal(made.toSorted(), expected.map((one) => before + one + after).toSorted())
  })
}

test('a place has run where the smallest range around it has, or one inside of it', () => {
  const coverage = {
    'a.ts': [
      [0, 100, 1],
      [10, 50, 0],
      [20, 30, 2],
    ] as [number, number, number][],
  }
  const places: [start: number, end: number, has: boolean][] = [
    [0, 5, true],
    [10, 15, false],
    [21, 22, true],
    [12, 40, true],
    [31, 40, false],
  ]
  for (const [start, end, has] of places) assert.is(hasRun(coverage, 'a.ts', start, end), has, `${start}`)
  assert.not(hasRun(coverage, 'b.ts', 0, 5))
})

test('what is mutated, and its tests, are there', () => {
  for (const { files, tests } of Object.values(targets))
    for (const file of [...files, ...tests]) assert.ok(existsSync(join(root, file)), file)
})

test('each equivalent is one mutant of a file, and has its reason', () => {
  const known = new Map<string, Mutant[]>()
  const keys = new Set<string>()
  for (const { file, line, change, reason } of equivalents) {
    const mutants = known.get(file) ?? mutantsOf(readFileSync(join(root, file), 'utf8'))
    known.set(file, mutants)
    assert.ok(
      mutants.some((one) => one.lineText === line && one.change === change),
      `${file} has no mutant ${change} in: ${line}`,
    )
    assert.ok(reason.length > 10)
    const key = `${file} ${line} ${change}`
    assert.not(keys.has(key), `${key} is named twice`)
    keys.add(key)
  }
})

test.run()
