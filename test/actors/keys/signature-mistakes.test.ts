import { createHash, createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../../actors/keys/signature.ts'
import { findMistakes } from '../../../actors/keys/signature-mistakes.ts'

const document = { price: '1.00', url: 'https://a.example/é', list: [1, 2] }
const message = {
  key: 'mk_shop',
  messageDate: '1772366400.250000',
  method: 'POST',
  path: '/api/v1/merchants/orders/pay-out/?a=b',
  body: JSON.stringify(document),
}
const secret = '00112233445566778899aabbccddeeff00112233'

interface Signed {
  key: string
  date: string
  method: string
  path: string
  body: string
  secret: string | Buffer
}

/** What a signer with these mistakes sends. */
function signedWith(change: Partial<Signed>): string {
  const { key, messageDate: date, method, path, body } = message
  const all = { key, date, method, path, body, secret, ...change }
  return createHmac('sha256', all.secret)
    .update(`${all.key}:${all.date}:${all.method}:${all.path}:${all.body}`)
    .digest('hex')
}

const python = '{"price": "1.00", "url": "https://a.example/\\u00e9", "list": [1, 2]}'
const php = '{"price":"1.00","url":"https:\\/\\/a.example\\/\\u00e9","list":[1,2]}'

const mistakes: [change: Partial<Signed>, told: RegExp][] = [
  [{ path: '/merchants/orders/pay-out/?a=b' }, /^the path is signed without \/api\/v1 \(\/merchants/],
  [{ path: '/api/v1/merchants/orders/pay-out?a=b' }, /^the path is signed without the slash at its end/],
  [{ path: '/api/v1/merchants/orders/pay-out/' }, /^the path is signed without its query string/],
  [
    { path: `${message.path}&c=d` },
    /^the path is signed with the query string, which does not belong to it here \(\/api/,
  ],
  [{ method: 'post' }, /^the method is in lower case$/],
  [{ date: '1772366400' }, /^the date is signed without its decimals \(1772366400\), and sent as/],
  [{ date: '1772366400250' }, /^the date is signed as milliseconds/],
  [{ date: '1772366400.25' }, /^the date is signed as a number/],
  [{ date: '2026-03-01T12:00:00.250Z' }, /^the date is signed in ISO 8601/],
  [{ body: python }, /^the body is serialized anew .*\(\d+ bytes instead of \d+\)$/],
  [{ body: php }, /^the body is serialized anew/],
  [{ body: JSON.stringify(document, null, 2) }, /^the body is serialized anew/],
  [{ body: `${message.body}\n` }, /^a line break at the end of the body is signed and not sent$/],
  [{ body: '' }, /^the body is left out/],
  [{ secret: Buffer.from(secret, 'hex') }, /^the secret is decoded from hexadecimal/],
  [{ secret: Buffer.from(secret, 'base64') }, /^the secret is decoded from base64/],
  [{ secret: `${secret}\n` }, /^the secret has a line break/],
  [{ key: 'pk_shop' }, /^another key \(pk_shop\) is signed/],
]

for (const [change, told] of mistakes) {
  test(`found: ${told.source.slice(1, 60)}`, () => {
    const others = { otherKeys: ['pk_shop'], unsignedQuery: '&c=d' }
    const found = findMistakes(message, secret, signedWith(change), others)
    assert.is(found?.length, 1)
    assert.match(found?.[0] ?? '', told)
  })
}

test('mistakes made together are found together, the fewest first', () => {
  const hash = signedWith({ method: 'post', path: '/merchants/orders/pay-out/?a=b', date: '1772366400' })
  assert.is(findMistakes(message, secret, hash), null)
  const found = findMistakes(message, secret, hash, { most: 3 })
  assert.equal(
    found?.map((text) => text.split(' ').slice(0, 2).join(' ')),
    ['the date', 'the method', 'the path'],
  )
})

test('the right hash has no mistakes, but the form in which it is written', () => {
  const hash = sign(message, secret)
  assert.equal(findMistakes(message, secret, hash), [])
  assert.match(findMistakes(message, secret, hash.toUpperCase())?.[0] ?? '', /capital letters/)
  const base64 = Buffer.from(hash, 'hex').toString('base64')
  assert.match(findMistakes(message, secret, base64)?.[0] ?? '', /base64/)
})

test('other ways to make a digest are told, and strange ones are not guessed', () => {
  const text = `${message.key}:${message.messageDate}:POST:${message.path}:${message.body}`
  const plain = createHash('sha256').update(text).digest('hex')
  assert.match(findMistakes(message, secret, plain)?.[0] ?? '', /plain SHA-256/)
  const swapped = createHmac('sha256', message.key).update(text).digest('hex')
  assert.match(findMistakes(message, secret, swapped)?.[0] ?? '', /swapped/)
  const body = createHmac('sha256', secret).update(message.body).digest('hex')
  assert.match(findMistakes(message, secret, body)?.[0] ?? '', /only the body/)
  assert.is(findMistakes(message, secret, 'f'.repeat(64)), null)
  assert.is(findMistakes(message, 'another secret', sign(message, secret)), null)
})

test.run()
