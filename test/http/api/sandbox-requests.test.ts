/** What a sandbox shows of requests to those who have sent them, and which mistakes of a signature it names. */
import { createHash, createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../../actors/keys/signature.ts'
import { createRequestLog, maskedPath } from '../../../actors/sandbox/request-log.ts'
import { secretOf, send, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode({ env: { VENTANILLA_LIMITS_UNAUTHENTICATEDPERMINUTE: '1000' } })
})
test.after(() => stopTestNode(node))

const path = '/api/v1/merchants/quotes/'
const body = '{"blockchain":"SOLANA","send":"100.00"}'
const secret = secretOf('mk_shop')

interface Signing {
  key: string
  date: string
  method: string
  path: string
  body: string
  secret: string | Buffer
}
const hmac = ({ key, date, method, path: signed, body: text, secret: with_ }: Signing) =>
  createHmac('sha256', with_).update(`${key}:${date}:${method}:${signed}:${text}`).digest('hex')
const right = (date: string): Signing => ({ key: 'mk_shop', date, method: 'POST', path, body, secret })

/** What a signer does wrong, what is said of it, and where it differs: in the date, path or body, or nowhere that can be told. */
const mistakes: [name: string, hash: (signing: Signing) => string, said: RegExp, part: string | null][] = [
  ['no /api/v1', (s) => hmac({ ...s, path: '/merchants/quotes/' }), /signed without \/api\/v1/, 'path'],
  [
    'no slash at the end',
    (s) => hmac({ ...s, path: path.slice(0, -1) }),
    /without the slash at its end/,
    'path',
  ],
  [
    'body serialized anew',
    (s) => hmac({ ...s, body: JSON.stringify(JSON.parse(body), null, 2) }),
    /serialized anew/,
    'body',
  ],
  ['body left out', (s) => hmac({ ...s, body: '' }), /body is left out/, 'body'],
  [
    'line break after the body',
    (s) => hmac({ ...s, body: `${body}\n` }),
    /line break at the end of the body/,
    'body',
  ],
  ['method in lower case', (s) => hmac({ ...s, method: 'post' }), /method is in lower case/, 'method'],
  [
    'date in milliseconds',
    (s) => hmac({ ...s, date: `${Number(s.date) * 1000}` }),
    /as milliseconds/,
    'date',
  ],
  [
    'secret decoded',
    (s) => hmac({ ...s, secret: Buffer.from(secret, 'base64') }),
    /decoded from base64/,
    null,
  ],
  ['hash in capitals', (s) => hmac(s).toUpperCase(), /must be lower-case hexadecimal/, null],
  ['plain SHA-256', (s) => createHash('sha256').update(text(s)).digest('hex'), /plain SHA-256/, null],
  [
    'key and secret swapped',
    (s) => createHmac('sha256', s.key).update(text(s)).digest('hex'),
    /swapped/,
    null,
  ],
  ['another secret', (s) => hmac({ ...s, secret: 'another secret' }), /is it another secret/, null],
]
const text = (s: Signing) => `${s.key}:${s.date}:${s.method}:${s.path}:${s.body}`

const ask = (headers: Record<string, string>) =>
  send(node.publicUrl, node.clock, {
    method: 'POST',
    path,
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
const listed = async (as = 'mk_shop') =>
  (await node.request({ as, path: '/api/v1/sandbox/requests/', at: ++messages / 1000 })).json.results
let messages = 0
const now = () => (node.clock.now() / 1000).toFixed(6)

for (const [name, hash, said, part] of mistakes) {
  test(`${name}: it is named`, async () => {
    const date = now()
    const headers = { 'Merchant-Key': 'mk_shop', 'Message-Date': date, 'Message-Hash': hash(right(date)) }
    const answer = await ask(headers)
    assert.is(answer.status, 403)
    const [request] = (await listed()).filter(
      ({ request_id }: { request_id: string }) => request_id === answer.headers.get('request-id'),
    )
    assert.equal([request.status, request.refused, request.body], [403, 'signature', null])
    assert.match(request.mistake, said)
    assert.is(request.signed_string, text(right(date)))
    const ours = Object.entries({ key: 'mk_shop', date, method: 'POST', path, body })
    assert.is(partAt(ours, request.differs_at), part)
  })
}

/** Which part of the string a byte is in; behind its end it is the body's. */
function partAt(parts: [string, string][], at: number | null): string | null {
  if (at === null) return null
  let end = 0
  for (const [name, value] of parts) {
    end += value.length + 1
    if (at < end) return name
  }
  return 'body'
}

test('a clock that is off is told by how much', async () => {
  const date = (node.clock.now() / 1000 - 3600).toFixed(3)
  const answer = await ask({
    'Merchant-Key': 'mk_shop',
    'Message-Date': date,
    'Message-Hash': hmac(right(date)),
  })
  assert.is(answer.status, 403)
  const [request] = (await listed()).filter(({ refused }: { refused: string }) => refused === 'clock')
  assert.is(request.clock_offset, '-3600 s')
})

test('what a key has signed is listed with its body, and codes by their end', async () => {
  await node.request({ as: 'pk_a', path: '/api/v1/providers/orders/pay-out/123456789012347/' })
  const all = await listed('pk_a')
  const found = all.find(({ status }: { status: number }) => status === 404)
  assert.is(found.path, '/api/v1/providers/orders/pay-out/***********2347/')
  await node.request({ as: 'mk_shop', path, body: { send: '1' } })
  const sent = (await listed()).find(
    (one: { path: string; status: number }) => one.path === path && one.status === 400,
  )
  assert.is(sent.body, '{"send":"1"}')
})

test('nobody sees what others have sent, and no hash or secret is in it', async () => {
  const seen = JSON.stringify(await listed())
  assert.not.match(seen, secret)
  const date = now()
  assert.not.match(seen, sign({ ...right(date), messageDate: date, body }, secret))
  assert.not.match(JSON.stringify(await listed('mk_other')), /mk_shop/)
})

test('whoever only knows a key’s name drives out nothing of its own', () => {
  const log = createRequestLog()
  const entry = (id: string, at: number) => ({
    ...{ id, at, key: 'mk', method: 'GET', path: '/', status: 200, refused: null, milliseconds: 1 },
    ...{ body: null, signature: null, isReplayed: false, place: '' },
  })
  log.note({ partyId: 'shop', kind: 'merchant', key: 'mk', isProved: true }, entry('own', 0))
  for (let at = 1; at <= 5_000; at++) {
    log.note({ partyId: 'shop', kind: 'merchant', key: 'mk', isProved: false }, entry(`stranger ${at}`, at))
  }
  const all = log.of({ partyId: 'shop', limit: 10_000 })
  assert.is(all.length, 101)
  assert.is(all.at(-1)?.id, 'own')
  for (let at = 1; at <= 5_000; at++)
    log.note({ partyId: 'shop', kind: 'merchant', key: 'mk', isProved: true }, entry('own', at))
  assert.is(log.of({ partyId: 'shop', limit: 10_000 }).length, 1_100)
})

test('long digits in a path are codes', () => {
  assert.is(maskedPath('/a/123456789012347/b?c=1'), '/a/***********2347/b?c=1')
})

test.run()
