/**
 * Hostile inputs: valid samples with a few changes, of their text or of their JSON, and texts of nothing but trouble. A text's
 * half characters from U+DC80 to U+DCFF are single bytes where bytes are asked for, so that there is no UTF-8 that cannot be had.
 */
import fc from 'fast-check'

export interface Input {
  /** Which of the samples it was. */
  sample: number
  text: string
}

const trouble = [
  ...['', '\0', '\u2028', '\ufeff', '\ud800', '\udc80', '\udcff', '"', '""', "'", '\\', '\\u0000', '\\ud800'],
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ';',
    '=',
    '\n',
    '\r\n',
    '\r',
    '\t',
    ' ',
    '\u00a0',
    '/',
    '?',
    '#',
    '%',
    '%00',
  ],
  ...['-', '+', '.', '0', '1', '-1', '-0', '1e400', '1E-7', '0x1', '9'.repeat(30), '0.1', 'NaN', 'Infinity'],
  ...['null', 'true', '{}', '[]', '""', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '=cmd()'],
  ...['../', 'http://[', 'https://a@b', '\u202e', '\u200b', 'é', 'e\u0301', 'İ', 'ﬀ', '😀', '１', '２９'],
  ...['2026-02-30', '24:00', '-000001-01-01T00:00:00Z', '+275760-09-13T00:00:00.001Z', '$1', "$'", '$&'],
  ...['['.repeat(2_000), '{"a":'.repeat(1_000), '0'.repeat(5_000), ' '.repeat(5_000), 'a'.repeat(5_000)],
  ...[
    '1'.repeat(5_000),
    ','.repeat(5_000),
    '"'.repeat(2_000),
    '\\'.repeat(2_000),
    '\n'.repeat(2_000),
    '%25'.repeat(2_000),
  ],
]

const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...trouble) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
)

/** As much as a listener takes of a body; files may be larger. */
const maxLength = 64 * 1024

interface Edit {
  kind: 'cut' | 'end' | 'put' | 'instead' | 'again' | 'moved'
  /** Of the text, in ten-thousandths. */
  at: number
  length: number
  piece: string
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('put', 'instead', 'cut', 'again', 'moved', 'end'),
  at: fc.nat(9_999),
  length: fc.oneof(fc.nat(8), fc.nat(400)),
  piece,
})

function edited(text: string, { kind, at, length, piece: put }: Edit): string {
  const start = Math.floor((at * (text.length + 1)) / 10_000)
  const [before, part, after] = [
    text.slice(0, start),
    text.slice(start, start + length),
    text.slice(start + length),
  ]
  switch (kind) {
    case 'cut':
      return before + after
    case 'end':
      return before
    case 'put':
      return before + put + part + after
    case 'instead':
      return before + put + after
    case 'again':
      return before + part.repeat(1 + Math.min(400, length)) + after
    case 'moved':
      return after + part + before
  }
}

const anyValue = fc.oneof(
  piece,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, 2 ** 53, [], {}, [[]], [null], { a: 1 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

interface Change {
  kind: 'instead' | 'gone' | 'beside' | 'within'
  place: number
  value: unknown
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('instead', 'gone', 'beside', 'within'),
  place: fc.nat(9_999),
  value: anyValue,
})

/** Every object and list with each of its names. */
function placesOf(json: unknown, places: [holder: object, name: string][] = []): [object, string][] {
  if (typeof json !== 'object' || json === null) return places
  for (const [name, member] of Object.entries(json)) {
    places.push([json, name])
    placesOf(member, places)
  }
  return places
}

function changed(text: string, changes: readonly Change[]): string {
  const document = { json: JSON.parse(text) }
  for (const { kind, place, value } of changes) {
    const put = structuredClone(value)
    const places = placesOf(document)
    const [holder, name] = places[place % places.length] ?? [document, 'json']
    const present: unknown = Reflect.get(holder, name)
    if (kind === 'gone') Reflect.deleteProperty(holder, name)
    else if (kind === 'instead') Reflect.set(holder, name, put)
    else if (kind === 'within') Reflect.set(holder, name, [present, put])
    else Object.defineProperty(holder, `${put}`, { value: present, enumerable: true, configurable: true })
  }
  return JSON.stringify(document.json) ?? ''
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/** Inputs that begin with one of the samples, and others. */
export function hostileInputs(samples: readonly string[]): fc.Arbitrary<Input> {
  const sample = fc.nat(Math.max(0, samples.length - 1))
  const from = (which: number) => samples[which] ?? ''
  const inText = fc
    .tuple(sample, fc.array(edit, { maxLength: 4 }))
    .map(([which, edits]) => ({ sample: which, text: edits.reduce(edited, from(which)).slice(0, maxLength) }))
  const without = fc
    .tuple(sample, fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.array(piece, { maxLength: 8 })))
    .map(([which, text]) => ({ sample: which, text: typeof text === 'string' ? text : text.join('') }))
  const documents = samples.flatMap((text, which) => (isJson(text) ? [which] : []))
  if (documents.length === 0)
    return fc.oneof({ weight: 4, arbitrary: inText }, { weight: 1, arbitrary: without })
  const inJson = fc
    .tuple(fc.constantFrom(...documents), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([which, changes]) => ({ sample: which, text: changed(from(which), changes) }))
  return fc.oneof(
    { weight: 4, arbitrary: inJson },
    { weight: 3, arbitrary: inText },
    { weight: 1, arbitrary: without },
  )
}

/** The bytes of a text, see above. */
export function bytesOf(text: string): Buffer {
  const parts = text.split(/([\udc80-\udcff]+)/)
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 0 ? Buffer.from(part) : Buffer.from([...part].map((half) => half.charCodeAt(0) - 0xdc00)),
    ),
  )
}
