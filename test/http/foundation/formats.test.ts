import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isEmail, isUrl, loneSurrogate, parseUuid } from '../../../http/foundation/formats.ts'
import { processorMs } from '../../support/processor-time.ts'

function judges(what: string, is: (text: string) => boolean, good: string[], bad: string[]) {
  for (const text of good) test(`"${text.slice(0, 60)}" is ${what}`, () => assert.ok(is(text)))
  for (const text of bad) test(`"${text.slice(0, 60)}" is not ${what}`, () => assert.not.ok(is(text)))
}

judges(
  'a URL',
  isUrl,
  [
    'https://shop.example',
    'http://shop.example/a/b?c=d&e#f',
    'HTTPS://SHOP.EXAMPLE/',
    'https://shop.example:8443/x',
    'https://ana:secret@shop.example/',
    'http://localhost:3000/',
    'http://till/',
    'http://my_till:80/',
    'https://127.0.0.1/',
    'https://[::1]:8080/',
    'https://ñandú.example/café',
    'https://shop.example.',
    `https://${'a'.repeat(63)}.example/`,
  ],
  [
    '',
    'shop.example',
    '//shop.example',
    'https:shop.example',
    'https:/shop.example',
    'https://',
    'https:///x',
    'https://?x',
    'ftp://shop.example',
    'javascript:alert(1)',
    'myshop://orders/1',
    'https://shop .example',
    'https://shop.example/a b',
    'https://shop.example/\n',
    'https:\\\\shop.example',
    'https://shop.example\\@evil.example',
    'https://shop.example:99999',
    'https://[::1',
    'https://[zz]/',
    'https://.example',
    'https://shop..example',
    'https://-shop.example',
    'https://%00.example/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(127)}example/`,
  ],
)

judges(
  'an e-mail address',
  isEmail,
  [
    'ana@example.com',
    "ana.o'neil+cash@mail.example.com",
    'a_b@example.co',
    'ana@localhost',
    'ana@ñandú.example',
    'ana@[127.0.0.1]',
    'ana@[::1]',
  ],
  [
    '',
    'ana',
    'ana@',
    '@example.com',
    'ana@example',
    'ana@example.c',
    'ana@example.42',
    'ana@127.0.0.1',
    'ana@@example.com',
    'ana@b@example.com',
    '.ana@example.com',
    'ana.@example.com',
    'a..b@example.com',
    'a b@example.com',
    'ana@exa mple.com',
    'ana@example.com/x',
    'ana@example.com:25',
    'ana@example.com?x',
    'ana@example.com.',
    'ana@-example.com',
    'ana@exa_mple.com',
    'ana@example..com',
    'ana@[nowhere]',
    'añá@example.com',
    `ana@${'a'.repeat(64)}.com`,
  ],
)

const uuids: [text: string, id: string | null][] = [
  ['6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55', '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55'],
  ['6F1C3C0E-6D0A-4B0E-9A39-2D3F4C1E7A55', '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55'],
  ['6f1c3c0e6d0a4b0e9a392d3f4c1e7a55', '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55'],
  ['urn:uuid:6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55', '6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55'],
  ['6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a5', null],
  ['6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a555', null],
  ['6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a5g', null],
  [' 6f1c3c0e-6d0a-4b0e-9a39-2d3f4c1e7a55', null],
  ['', null],
]
for (const [text, id] of uuids)
  test(`"${text}" is ${id === null ? 'no UUID' : `the UUID ${id}`}`, () => assert.is(parseUuid(text), id))

test('halves of surrogate pairs are found, and pairs are left in peace', () => {
  assert.is(loneSurrogate('a😀b'), null)
  assert.is(loneSurrogate('a\ud83d'), 'D83D')
  assert.is(loneSurrogate('\ude00\ud83d'), 'DE00')
})

test('every check is done with 64 KiB before anyone notices', () => {
  const long = 64 * 1024
  const texts = ['a', 'a.', ' ', '@', '-', '0', 'a@', '/', '[', '\\', '😀'].flatMap((part) => [
    part.repeat(long / part.length),
    `https://${part.repeat(long / part.length)}!`,
    `a@${part.repeat(long / part.length)}!`,
  ])
  const tookMs = processorMs(() => {
    for (const text of texts) {
      isUrl(text)
      isEmail(text)
      parseUuid(text)
      loneSurrogate(text)
    }
  })
  // A check that backtracks takes seconds for one of these texts alone.
  assert.ok(tookMs < 1000, `${tookMs} ms`)
})

test.run()
