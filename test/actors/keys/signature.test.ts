import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  formatMessageDate,
  parseMessageDate,
  type SignedMessage,
  sign,
  verifySignature,
} from '../../../actors/keys/signature.ts'

const secret = 'sk_demo_0123456789abcdefghijklmnopqrstuvwxyz'

const create: SignedMessage = {
  key: 'mk_demo',
  messageDate: '1795780800.123',
  method: 'POST',
  path: '/api/v1/merchants/orders/pay-out/',
  body: '{"price": "1000.00","description":"café ☕"}',
}

/**
 * Made with OpenSSL, for example the first one:
 * printf '%s' 'mk_demo:1795780800.123:POST:/api/v1/merchants/orders/pay-out/:{"price": …}' |
 *   openssl dgst -sha256 -mac HMAC -macopt key:sk_demo_0123456789abcdefghijklmnopqrstuvwxyz
 */
const vectors: [what: string, message: SignedMessage, digest: string][] = [
  ['a request with a body', create, 'a4688361d9e9557134d92aa1267972d17114873bd3f72477b7a238d0f23dd628'],
  [
    'a request without a body',
    { ...create, method: 'GET', body: '' },
    'ca9ccc67195f8e9361fe5155ff5840efca855d363423d3e21e81c6b767bc7176',
  ],
  [
    'a webhook',
    { ...create, path: '/hooks/cash', body: '{"id":"1","status":"COMPLETED"}', messageDate: '1795780800' },
    '3443c6afd71c08c966a930d215c8b93b59bdefbbab3d90ae7640df7df5679190',
  ],
]

for (const [what, message, digest] of vectors) {
  test(`the digest of ${what} is what OpenSSL makes of the five parts`, () => {
    assert.is(sign(message, secret), digest)
  })

  test(`the digest of ${what} is the HMAC of its parts joined by colons`, () => {
    const { key, messageDate, method, path, body } = message
    const signed = [key, messageDate, method, path, body].join(':')
    assert.is(sign(message, secret), createHmac('sha256', secret).update(signed, 'utf8').digest('hex'))
  })
}

test('the method is signed in upper case, however it was sent', () => {
  assert.is(sign({ ...create, method: 'post' }, secret), sign(create, secret))
})

test('a body is signed as the bytes it is, text or not', () => {
  assert.is(sign({ ...create, body: Buffer.from(String(create.body)) }, secret), sign(create, secret))
  const [latin1, replaced] = [Buffer.from([0xe9, 0xff, 0x00]), Buffer.from('\ufffd\ufffd\u0000')]
  assert.is.not(sign({ ...create, body: latin1 }, secret), sign({ ...create, body: replaced }, secret))
})

test('a signature holds for its own message and secret', () => {
  assert.ok(verifySignature(create, secret, sign(create, secret)))
})

const changed: Partial<SignedMessage>[] = [
  { key: 'mk_demo2' },
  { messageDate: '1795780800.1230' },
  { method: 'PUT' },
  { path: '/api/v1/merchants/orders/pay-out' },
  { path: '/api/v1/merchants/orders/pay%2Dout/' },
  { body: `${create.body} ` },
  { body: '' },
]

for (const change of changed)
  test(`a signature does not hold with another ${Object.keys(change)}: ${JSON.stringify(change)}`, () => {
    assert.not(verifySignature({ ...create, ...change }, secret, sign(create, secret)))
  })

test('a signature does not hold under another secret', () => {
  assert.not(verifySignature(create, secret, sign(create, `${secret}x`)))
  assert.not(verifySignature(create, secret, sign(create, '')))
})

test('only 64 lowercase hexadecimal digits are a digest', () => {
  const digest = sign(create, secret)
  const texts = ['', digest.toUpperCase(), digest.slice(1), `${digest}0`, `${digest}\n`, ` ${digest}`]
  for (const text of [...texts, `0x${digest.slice(2)}`, 'z'.repeat(64)])
    assert.not(verifySignature(create, secret, text), JSON.stringify(text))
})

test('no digest whatever but the right one holds, and none throws', () => {
  const digest = sign(create, secret)
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9a-f]{64}$/))
  fc.assert(
    fc.property(texts, (text) => {
      assert.is(verifySignature(create, secret, text), text === digest)
    }),
  )
})

const dates: [text: string, seconds: number | null][] = [
  ['1795780800', 1_795_780_800],
  ['1795780800.5', 1_795_780_800.5],
  ['1795780800.123456789', 1_795_780_800.123_457],
  ['1795780800.1234567890', null],
  ['1795780800.', null],
  ['179578080', null],
  ['17957808000', null],
  ['1795780800123', null],
  ['-1795780800', null],
  ['+1795780800', null],
  [' 1795780800', null],
  ['1795780800\n', null],
  ['1795780800,5', null],
  ['1.7957808e9', null],
  ['１７９５７８０８００', null],
  ['Fri, 27 Nov 2026 12:00:00 GMT', null],
  ['', null],
]

for (const [text, seconds] of dates)
  test(`a Message-Date of ${JSON.stringify(text)} is ${seconds ?? 'none'}`, () => {
    const at = parseMessageDate(text)
    if (seconds === null || at === null) assert.is(at, seconds)
    else assert.is(at, Math.round(seconds * 1000))
  })

test('a Message-Date that is written is read as the same millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 }), (at) => {
      assert.is(parseMessageDate(formatMessageDate(at)), at)
    }),
  )
})

test.run()
