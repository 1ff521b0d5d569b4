/** Protocol 8.2: from the socket, and from X-Forwarded-For only behind trusted proxies. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addressKey, createClientAddresses } from '../../../http/limits/client-address.ts'

function request(peer: string | undefined, forwardedFor?: string[]): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const message = new IncomingMessage(socket)
  if (forwardedFor) message.headersDistinct['x-forwarded-for'] = forwardedFor
  return message
}

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48']

const rows: [peer: string | undefined, forwardedFor: string[] | undefined, key: string][] = [
  ['203.0.113.5', undefined, '203.0.113.5'],
  // Whoever is no proxy of ours can write what he likes.
  ['203.0.113.5', ['198.51.100.1'], '203.0.113.5'],
  ['10.1.2.3', undefined, '10.1.2.3'],
  ['10.1.2.3', ['198.51.100.1'], '198.51.100.1'],
  ['::ffff:10.1.2.3', ['198.51.100.1'], '198.51.100.1'],
  // The rightmost that is none of ours: what is left of it is the client's own text.
  ['10.1.2.3', ['1.1.1.1, 198.51.100.1, 192.0.2.7'], '198.51.100.1'],
  ['10.1.2.3', ['1.1.1.1', '198.51.100.1 ', ' 10.9.9.9'], '198.51.100.1'],
  ['10.1.2.3', ['10.4.4.4, 10.5.5.5'], '10.4.4.4'],
  ['10.1.2.3', ['nonsense'], '10.1.2.3'],
  ['10.1.2.3', ['198.51.100.1, unknown, 10.5.5.5'], '10.5.5.5'],
  ['10.1.2.3', [''], '10.1.2.3'],
  ['10.1.2.3', ['198.51.100.1:4711'], '198.51.100.1'],
  ['10.1.2.3', ['[2001:db8:2:3:4::1]:4711'], '20010db800020003/64'],
  ['10.1.2.3', ['1'], '10.1.2.3'],
  ['10.1.2.3', ['0x7f.1'], '10.1.2.3'],
  ['2001:db8:1::5', ['2001:db8:2:3::1'], '20010db800020003/64'],
  // One customer has a /64, in which 2^64 addresses are one sender.
  ['2001:db8:2:3:ffff::1', undefined, '20010db800020003/64'],
  [undefined, ['198.51.100.1'], 'unknown'],
]
for (const [peer, forwardedFor, key] of rows)
  test(`${peer} with ${JSON.stringify(forwardedFor)} is ${key}`, () =>
    assert.is(createClientAddresses(proxies).of(request(peer, forwardedFor)), key))

test('without trusted proxies nothing but the socket counts', () =>
  assert.is(createClientAddresses([]).of(request('10.1.2.3', ['198.51.100.1'])), '10.1.2.3'))

test('a long list is read from its end only', () => {
  const hops = Array.from({ length: 1000 }, () => '10.0.0.1')
  assert.is(createClientAddresses(proxies).of(request('10.1.2.3', ['198.51.100.1', ...hops])), '10.0.0.1')
})

test('a proxy is told from a client', () => {
  const { isProxy } = createClientAddresses(proxies)
  assert.is(isProxy('192.0.2.7'), true)
  assert.is(isProxy('192.0.2.8'), false)
  assert.is(isProxy(undefined), false)
})

test('a socket’s address is a key of the same form', () => {
  assert.is(addressKey('::ffff:203.0.113.5'), '203.0.113.5')
  assert.is(addressKey('fe80::1%eth0'), 'fe80000000000000/64')
  assert.is(addressKey('nonsense'), 'unknown')
})

test.run()
