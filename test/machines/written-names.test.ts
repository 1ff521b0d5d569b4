import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { likeness, oneSpelling, writtenProblem } from '../../machines/written-names.ts'

const spellings: [written: string, spelling: string][] = [
  ['Almacén', 'Almacén'],
  ['Almace\u0301n', 'Almacén'],
  ['  Demo   Shop\t', 'Demo Shop'],
  ['Demo\u00a0\u3000Shop', 'Demo Shop'],
]

for (const [written, spelling] of spellings)
  test(`${JSON.stringify(written)} is spelled ${JSON.stringify(spelling)}`, () =>
    assert.is(oneSpelling(written), spelling))

test('a spelling is the same when it is spelled again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) =>
      assert.is(oneSpelling(oneSpelling(text)), oneSpelling(text)),
    ),
  )
})

/** Each stands between two letters, where it would be overlooked. */
const refused: [what: string, from: number, to: number][] = [
  ['control characters', 0x00, 0x1f],
  ['delete and the C1 controls', 0x7f, 0x9f],
  ['soft hyphen', 0xad, 0xad],
  ['Arabic letter mark', 0x61c, 0x61c],
  ['Hangul fillers', 0x115f, 0x1160],
  ['zero-width and direction marks', 0x200b, 0x200f],
  ['line and paragraph separators, embeddings, overrides', 0x2028, 0x202e],
  ['word joiner and isolates', 0x2060, 0x206f],
  ['the empty Braille pattern', 0x2800, 0x2800],
  ['lone surrogates', 0xd800, 0xdfff],
  ['private use', 0xe000, 0xe0ff],
  ['variation selectors', 0xfe00, 0xfe0f],
  ['the byte order mark', 0xfeff, 0xfeff],
  ['interlinear annotation and the replacement character', 0xfff9, 0xfffd],
  ['noncharacters', 0xfffe, 0xffff],
  ['tags', 0xe0001, 0xe007f],
]

for (const [what, from, to] of refused)
  test(`a name with ${what} in it is refused`, () => {
    for (let codePoint = from; codePoint <= to; codePoint++) {
      if (codePoint === 0xfffc) continue
      const name = `Al${String.fromCodePoint(codePoint)}ma`
      assert.type(writtenProblem(name), 'string', codePoint.toString(16))
    }
  })

test('what is wrong with a name is told with the character that is wrong', () => {
  const problems: [name: string, problem: string][] = [
    ['Al\u0001ma', 'has a character in it that cannot be seen (U+0001)'],
    ['Al\u00adma', 'has a character in it that cannot be seen (U+00AD)'],
    ['Al\u{e0001}ma', 'has a character in it that cannot be seen (U+E0001)'],
    ['Al\ud800ma', 'has half of a character (U+D800) in it'],
    ['\u0301alma', 'begins with an accent that belongs to no letter'],
    ['!?', 'has no letter and no digit in it'],
  ]
  for (const [name, problem] of problems) assert.is(writtenProblem(name), problem)
  // An accent that has no letter of its own with it stands behind one.
  assert.is(writtenProblem('X\u0304alma'), null)
})

for (const name of ['.', '..', '-', '!?', '\u0301', '🛒'])
  test(`${JSON.stringify(name)} alone is no name`, () => assert.type(writtenProblem(name), 'string'))

for (const name of [
  'Almacén Peñaloza',
  '7-Eleven',
  'Müller & Söhne, S.A. de C.V.',
  '東京',
  'Ñandú (Centro) 🛒',
])
  test(`${name} is a name`, () => assert.is(writtenProblem(name), null))

test('what is wrong is told by its code point', () => {
  assert.is(writtenProblem('a\u202eb'), 'has a character in it that cannot be seen (U+202E)')
  assert.match(writtenProblem('Pe\ufffdaloza') ?? '', /another encoding/)
  assert.is(writtenProblem('a\ud800'), 'has half of a character (U+D800) in it')
})

const alike: [one: string, other: string][] = [
  ['Almacén Peñaloza', 'almacen penaloza'],
  ['Demo Shop', 'DemoShop'],
  ['Demo Shop', 'DEMO  SHOP'],
  ['Demo Shop', 'Ｄｅｍｏ Ｓｈｏｐ'],
  ['Demo Shop', 'De\u200bmo Shop'],
  ['Straße', 'STRASSE'],
]

for (const [one, other] of alike)
  test(`${one} looks like ${JSON.stringify(other)}`, () => assert.is(likeness(one), likeness(other)))

for (const [one, other] of [
  ['Demo Shop', 'Demo Shop 2'],
  ['Almacén', 'Almacena'],
  ['Kiosk 1', 'Kiosk 7'],
] as const)
  test(`${one} does not look like ${other}`, () => assert.is.not(likeness(one), likeness(other)))

test('no change of accents, case, blanks or width makes a name look otherwise', () => {
  const words = fc.stringMatching(/^[a-zA-ZáéíóúñÑüÜ0-9 ]{1,30}$/)
  const changes = [
    (name: string) => name.toUpperCase(),
    (name: string) => name.normalize('NFD'),
    (name: string) => name.normalize('NFD').replace(/\p{M}/gu, ''),
    (name: string) => ` ${name.replaceAll(' ', '\u00a0 ')}\t`,
    (name: string) => name.replace(/[!-~]/g, (it) => String.fromCodePoint(it.charCodeAt(0) + 0xfee0)),
    (name: string) => [...name].join('\u200d'),
  ]
  fc.assert(
    fc.property(words, fc.subarray(changes), (name, chosen) => {
      const changed = chosen.reduce((text, change) => change(text), name)
      assert.is(likeness(changed), likeness(name), JSON.stringify(changed))
    }),
    { numRuns: 1000 },
  )
})

test.run()
