import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8 } from '../../../actors/foundation/utf8.ts'

const table: [what: string, bytes: Buffer, problem: string][] = [
  [
    'Latin-1',
    Buffer.from('{\n "name": "Almacén"}', 'latin1'),
    'is not UTF-8: byte 0xE9 at line 2, byte 16; save it as UTF-8',
  ],
  [
    'a byte that never is',
    Buffer.from([0x61, 0xff]),
    'is not UTF-8: byte 0xFF at line 1, byte 2; save it as UTF-8',
  ],
  [
    'an end in mid-character',
    Buffer.from([0x61, 0xc3]),
    'is not UTF-8: byte 0xC3 at line 1, byte 2; save it as UTF-8',
  ],
  [
    'half of a pair',
    Buffer.from([0xed, 0xa0, 0x80]),
    'is not UTF-8: byte 0xED at line 1, byte 1; save it as UTF-8',
  ],
  [
    'an overlong slash',
    Buffer.from([0xc0, 0xaf]),
    'is not UTF-8: byte 0xC0 at line 1, byte 1; save it as UTF-8',
  ],
  [
    'a written replacement character before the fault',
    Buffer.concat([Buffer.from('\ufffd'), Buffer.from([0xe9])]),
    'is not UTF-8: byte 0xE9 at line 1, byte 4; save it as UTF-8',
  ],
  ['UTF-16 with its mark', Buffer.from('\ufeff{}', 'utf16le'), 'is UTF-16, not UTF-8: save it as UTF-8'],
  [
    'UTF-16 without',
    Buffer.from('{}', 'utf16le'),
    'is not text: a character 0 at line 1, byte 2; save it as UTF-8',
  ],
]

for (const [what, bytes, problem] of table)
  test(`${what} is refused with its place`, () => assert.equal(decodeUtf8(bytes), { ok: false, problem }))

test('a byte order mark is dropped, and everything else is kept', () => {
  assert.equal(decodeUtf8(Buffer.from('\ufeffAlmacén 🛒\r\n')), { ok: true, text: 'Almacén 🛒\r\n' })
  assert.equal(decodeUtf8(Buffer.alloc(0)), { ok: true, text: '' })
})

test('any bytes are the text they came from, or refused at a place that is in them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const decoded = decodeUtf8(bytes)
      if (decoded.ok) {
        const kept = Buffer.from(decoded.text)
        assert.ok(kept.equals(bytes) || kept.equals(bytes.subarray(3)))
      } else if (/ at line/.test(decoded.problem)) {
        const [, line = '', byte = ''] = /line (\d+), byte (\d+)/.exec(decoded.problem) ?? []
        const lines = Buffer.from(bytes).toString('latin1').split('\n')
        assert.ok(
          Number(byte) >= 1 && Number(byte) <= (lines[Number(line) - 1]?.length ?? 0),
          decoded.problem,
        )
      } else assert.match(decoded.problem, /^is UTF-16/)
    }),
    { numRuns: 3000 },
  )
})

test.run()
