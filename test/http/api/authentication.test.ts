/** Who speaks, and why a signature is refused: protocol 5.1. The caller learns only that it is; this is what the log says. */
import type { IncomingMessage } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../../actors/keys/signature.ts'
import { type Authenticated, authenticate } from '../../../http/api/authentication.ts'

const now = Date.UTC(2026, 2, 3, 12)
const secret = 'a-secret-with-thirty-two-characters-or-more'
const toleranceMs = 300_000
const path = '/api/v1/merchants/orders/pay-out/?limit=1'
const body = Buffer.from('{"price":"100.00"}')

const shop = {
  kind: 'merchant' as const,
  partyId: 'shop',
  name: 'Shop',
  key: 'mk',
  secret,
  isFrozen: false,
  requestsPerMinute: null,
}
const credentials = {
  identify: async (key: string) => (key === 'mk' ? shop : null),
  recordUse: async () => {},
  webhookCredential: async () => null,
}

type Headers = Record<string, string | string[] | undefined>

function ask(
  headers: Headers,
  kind: 'merchant' | 'provider' = 'merchant',
  method = 'POST',
): Promise<Authenticated> {
  const named = Object.entries(headers).filter(([, value]) => value !== undefined)
  const headersDistinct = Object.fromEntries(named.map(([name, value]) => [name, [value].flat()]))
  const message = { method, headersDistinct } as unknown as IncomingMessage
  const options = { credentials, clock: { now: () => now }, toleranceMs, refusesTestKeys: false }
  return authenticate(options, kind, { message, signedPath: path, body })
}

/** Signed as it ought to be, but for what is said. */
function signedAt(at: number, more: Headers = {}, withSecret = secret): Headers {
  const messageDate = (at / 1000).toFixed(3)
  const hash = sign({ key: 'mk', messageDate, method: 'POST', path, body }, withSecret)
  return { 'merchant-key': 'mk', 'message-date': messageDate, 'message-hash': hash, ...more }
}

const late = now + toleranceMs
const problems: [what: string, headers: Headers, problem: string, facts: Record<string, unknown>][] = [
  ['without a key', signedAt(now, { 'merchant-key': undefined }), 'headers', {}],
  ['without a date', signedAt(now, { 'message-date': undefined }), 'headers', {}],
  ['without a hash', signedAt(now, { 'message-hash': undefined }), 'headers', {}],
  ['with two keys', signedAt(now, { 'merchant-key': ['mk', 'mk'] }), 'headers', {}],
  ['with two dates', signedAt(now, { 'message-date': ['1', '2'] }), 'headers', {}],
  ['with two hashes', signedAt(now, { 'message-hash': ['a', 'b'] }), 'headers', {}],
  ['with the key of a provider, too', signedAt(now, { 'provider-key': 'pk' }), 'headers', {}],
  // What is no key of ours may be a secret in the wrong place: it is not told.
  [
    'with a key of nobody',
    signedAt(now, { 'merchant-key': 'other' }),
    'unknown_key',
    { clockOffsetSeconds: 0 },
  ],
  ['with a date that is none', signedAt(now, { 'message-date': 'today' }), 'message_date', { key: 'mk' }],
  ['with another secret', signedAt(now, {}, 'another'), 'signature', { key: 'mk', clockOffsetSeconds: 0 }],
  [
    'with another secret, in the past',
    signedAt(now - 12_340, {}, 'another'),
    'signature',
    { key: 'mk', clockOffsetSeconds: -12.3 },
  ],
  ['before its time', signedAt(late + 1_000), 'clock', { key: 'mk', clockOffsetSeconds: 301 }],
  ['after its time', signedAt(now - toleranceMs - 1), 'clock', { key: 'mk', clockOffsetSeconds: -300 }],
]

for (const [what, headers, problem, facts] of problems)
  test(`a request ${what} is refused: ${problem}`, async () => {
    const { ok, ...rest } = await ask(headers)
    assert.is(ok, false)
    const unsigned = 'unsigned' in rest ? rest.unsigned : null
    const bodyBytes = problem === 'headers' ? {} : { bodyBytes: body.length }
    assert.equal([unsigned?.problem, unsigned?.facts], [problem, { ...facts, ...bodyBytes }])
  })

test('a request that is signed as it ought to be is its party’s, up to the last moment of the tolerance', async () => {
  for (const at of [now, late, now - toleranceMs]) {
    const headers = signedAt(at)
    const digest = headers['message-hash']
    assert.equal(await ask(headers), {
      ok: true,
      signed: { identity: shop, digest, messageDate: headers['message-date'] },
    })
  }
})

test('what is signed is the method, the path and the body that came', async () => {
  const found = await ask(signedAt(now), 'merchant', 'GET')
  assert.is(found.ok, false)
})

test('a merchant’s key is no provider’s, whatever header it comes in', async () => {
  const headers = signedAt(now, { 'merchant-key': undefined, 'provider-key': 'mk' })
  const found = await ask(headers, 'provider')
  assert.is(found.ok ? null : found.unsigned.problem, 'wrong_party')
  const both = await ask({ ...headers, 'merchant-key': 'mk' }, 'provider')
  assert.is(both.ok ? null : both.unsigned.problem, 'headers')
})

test('a mistake is searched for only where a known key has signed something else', async () => {
  const refusedOf = async (headers: Headers) => {
    const found = await ask(headers)
    return found.ok ? null : found.unsigned.refused
  }
  const wrong = signedAt(now, {}, 'another')
  const message = { key: 'mk', messageDate: wrong['message-date'], method: 'POST', path, body }
  assert.equal(await refusedOf(wrong), {
    message,
    unsignedQuery: '',
    secret,
    digest: wrong['message-hash'],
  })
  for (const headers of [signedAt(now, { 'merchant-key': 'other' }), signedAt(late + 1_000), {}])
    assert.is(await refusedOf(headers), null)
})

test('what comes before its time is told, for it would be taken later; what comes after it is not', async () => {
  const earlyOf = async (headers: Headers) => {
    const found = await ask(headers)
    return found.ok ? null : found.unsigned.early
  }
  const headers = signedAt(late + 1)
  const expected = { identity: shop, digest: headers['message-hash'], messageDate: headers['message-date'] }
  assert.equal(await earlyOf(headers), expected)
  for (const other of [signedAt(now - toleranceMs - 1), signedAt(late + 1, {}, 'another'), {}])
    assert.is(await earlyOf(other), null)
})

test.run()
