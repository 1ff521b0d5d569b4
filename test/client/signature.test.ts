/** What the client signs and believes is what the node does: protocol 5.1. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign as signOfNode } from '../../actors/keys/signature.ts'
import { messageDate, type SignedParts, sign, verify } from '../../client/signature.ts'

const secret = 'a-secret-with-thirty-two-characters-or-more'
const parts: SignedParts = {
  key: 'mk',
  messageDate: '1772539200.000',
  method: 'post',
  path: '/api/v1/merchants/orders/pay-out/?a=ñ',
  body: '{"name":"Ñandú"}',
}
const hash = signOfNode(parts, secret)

test('a text and its bytes have the hash that the node makes of them', async () => {
  assert.is(await sign(parts, secret), hash)
  assert.is(await sign({ ...parts, body: new TextEncoder().encode(String(parts.body)) }, secret), hash)
  assert.is(await sign({ ...parts, body: '' }, secret), signOfNode({ ...parts, body: '' }, secret))
})

const others: [what: string, parts: SignedParts, secret: string, hash: string][] = [
  ['of another secret', parts, `${secret}!`, hash],
  ['of another key', { ...parts, key: 'mk2' }, secret, hash],
  ['of another date', { ...parts, messageDate: '1772539200.001' }, secret, hash],
  ['of another method', { ...parts, method: 'GET' }, secret, hash],
  ['of another path', { ...parts, path: '/' }, secret, hash],
  ['of another body', { ...parts, body: '' }, secret, hash],
  ['in capital letters', parts, secret, hash.toUpperCase()],
  ['with a character more behind it', parts, secret, `${hash}0`],
  ['with a character more before it', parts, secret, `0${hash}`],
  ['without its last character', parts, secret, hash.slice(0, -1)],
  ['of nothing', parts, secret, ''],
]

test('a hash is right once, and each other one is refused', async () => {
  assert.ok(await verify(parts, secret, hash))
  for (const [what, signed, withSecret, other] of others)
    assert.is(await verify(signed, withSecret, other), false, what)
})

test('a date is the seconds since 1970 with six decimals', () => {
  assert.is(messageDate(Date.UTC(2026, 2, 3, 12) + 7), '1772539200.007000')
})

test.run()
