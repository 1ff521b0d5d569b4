/** What one caller may ask: protocol 8. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateCode } from '../../../actors/orders/code.ts'
import { secretOf, startTestNode, stopTestNode, type TestAnswer, type TestNode } from '../../support/node.ts'
import { call, merchantPath, newOrder, orderIn, providerPath } from '../../support/orders.ts'

let node: TestNode
async function start(limits: Record<string, number>, env: Record<string, string> = {}) {
  const settings = Object.entries(limits).map(([name, value]) => [`VENTANILLA_LIMITS_${name}`, String(value)])
  node = await startTestNode({ env: { ...Object.fromEntries(settings), ...env } })
}
test.after.each(() => stopTestNode(node))

const unknownId = '0f8fad5b-d9cb-469f-a165-70867728950e'
const ask = (as = 'mk_shop') => node.request({ as, path: merchantPath('PAY_OUT', unknownId) })
const refusedSignature = (headers: Record<string, string> = {}) =>
  node.request({ path: merchantPath('PAY_OUT', unknownId), headers })

const rateLimit = ({ headers }: TestAnswer) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))

function assertThrottled(answer: TestAnswer, seconds: number): void {
  assert.is(answer.status, 429, answer.text)
  assert.is(answer.headers.get('retry-after'), String(seconds))
  const detail = `Request was throttled. Expected available in ${seconds} seconds.`
  assert.equal(answer.json, {
    detail,
    type: 'client_error',
    errors: [{ attr: null, code: 'throttled', detail }],
  })
}

test('a key has its requests a minute, and is told how many are left', async () => {
  await start({ REQUESTSPERMINUTE: 3 })
  assert.equal(rateLimit(await ask()), ['3', '2', '60'])
  node.clock.advance(10_500)
  assert.equal(rateLimit(await ask()), ['3', '1', '50'])
  assert.is((await ask()).status, 404)
  const over = await ask()
  assertThrottled(over, 50)
  assert.equal(rateLimit(over), ['3', '0', '50'])
  assert.is((await ask('mk_other')).status, 404, 'another key has its own')
  node.clock.advance(49_500)
  assert.is((await ask()).status, 404)
})

test('the same is told in both families of headers', async () => {
  await start({ REQUESTSPERMINUTE: 3 })
  await ask()
  node.clock.advance(10_500)
  const { headers } = await ask()
  assert.is(headers.get('ratelimit-policy'), '"requests";q=3;w=60')
  assert.is(headers.get('ratelimit'), '"requests";r=1;t=50')
})

test('a party’s own limit wins', async () => {
  await start({ REQUESTSPERMINUTE: 1 })
  await node.apply({
    merchants: [
      {
        name: 'Big Shop',
        contact: 'ops@big.example',
        credentials: [{ key: 'mk_big', secret: secretOf('mk_big') }],
        limits: { requestsPerMinute: 5 },
      },
    ],
  })
  const statuses = await Promise.all(Array.from({ length: 6 }, () => ask('mk_big')))
  assert.equal(statuses.map(({ status }) => status).toSorted(), [404, 404, 404, 404, 404, 429])
})

test('an over-limit key is told so before its method, its media type and its body are judged', async () => {
  await start({ REQUESTSPERMINUTE: 1 })
  await ask()
  const path = merchantPath('PAY_OUT')
  assert.is((await node.request({ as: 'mk_shop', method: 'PUT', path, body: 'nonsense' })).status, 429)
  const wrong = { as: 'mk_shop', path, body: 'x', headers: { 'Message-Hash': '0'.repeat(64) } }
  assert.is((await node.request(wrong)).status, 403, 'a signature comes first')
})

test('refused signatures have a budget an address; what is signed rightly is served', async () => {
  await start({ UNAUTHENTICATEDPERMINUTE: 2 })
  assert.is((await refusedSignature()).status, 403)
  const second = await refusedSignature({ 'Merchant-Key': 'mk_shop' })
  assert.is(second.status, 403)
  assert.equal(rateLimit(second), [null, null, null], 'nothing is told to strangers within the budget')
  const third = await refusedSignature()
  assertThrottled(third, 60)
  assert.equal(rateLimit(third), ['2', '0', '60'])
  assert.is((await ask()).status, 404)
  node.clock.advance(60_000)
  assert.is((await refusedSignature()).status, 403)
})

test('what X-Forwarded-For says is believed of a trusted proxy only', async () => {
  await start({ UNAUTHENTICATEDPERMINUTE: 1 })
  const from = (address: string) => refusedSignature({ 'X-Forwarded-For': address })
  assert.is((await from('198.51.100.1')).status, 403)
  assert.is((await from('198.51.100.2')).status, 429, 'whoever is no proxy of ours speaks for himself')
  await stopTestNode(node)

  await start({ UNAUTHENTICATEDPERMINUTE: 1 }, { VENTANILLA_HTTP_TRUSTEDPROXIES: '["127.0.0.0/8"]' })
  assert.is((await from('198.51.100.1')).status, 403)
  assert.is((await from('198.51.100.2')).status, 403)
  assert.is((await from('1.1.1.1, 198.51.100.1')).status, 429, 'only the end of the list is the proxy’s word')
})

test('the holder of an order confirms and cancels it although its key is over its limit', async () => {
  await start({ REQUESTSPERMINUTE: 6 })
  const kept = await orderIn(node, 'PAY_OUT', 'LOCKED')
  const released = await orderIn(node, 'PAY_IN', 'LOCKED')
  const ready = await newOrder(node, 'PAY_IN')
  const others = await newOrder(node, 'PAY_IN')
  await call(node, others, 'start', 'pk_b')
  const done = await orderIn(node, 'PAY_IN', 'COMPLETED')
  while ((await call(node, ready, 'check')).status !== 429);

  assert.is((await call(node, kept, 'start')).status, 429)
  assert.is((await call(node, kept, 'confirm', 'pk_a', { network_id: 'nonsense' })).status, 400)
  const confirmed = await call(node, kept, 'confirm')
  assert.is(confirmed.status, 200, confirmed.text)
  const cancelled = await call(node, released, 'cancel')
  assert.is(cancelled.status, 200, cancelled.text)
  // Only the holder, only while it holds, only these two: nothing else gets around the limit.
  assert.is((await call(node, released, 'start')).status, 429)
  for (const action of ['confirm', 'cancel'] as const) {
    for (const order of [ready, others, done, kept]) {
      assertThrottled(await call(node, order, action), 60)
    }
    const unknown = { direction: 'PAY_IN', code: generateCode() } as const
    assertThrottled(await call(node, unknown, action), 60)
  }
  const path = providerPath('PAY_IN', others.code, 'confirm')
  assert.is((await node.request({ as: 'pk_a', method: 'PUT', path, body: {} })).status, 429)
})

test('an unknown code with a right check digit is a miss, and one of another shape is none', async () => {
  await start({ CODEMISSESPERMINUTE: 3 })
  const order = await newOrder(node, 'PAY_OUT')
  const asked = (code: string) => call(node, { direction: 'PAY_OUT', code }, 'check')
  const shapes = [
    '1',
    'abc',
    '123456789012345',
    `${order.code}0`,
    encodeURIComponent('٠'.repeat(15)),
    '%00',
    '0'.repeat(4000),
  ]
  for (const code of shapes) assert.is((await asked(code)).status, 404, code)
  // A till may try both directions: the code was not guessed.
  for (let index = 0; index < 5; index++) {
    assert.is((await call(node, { ...order, direction: 'PAY_IN' }, 'check')).status, 404)
  }
  for (let index = 0; index < 3; index++) assert.is((await asked(generateCode())).status, 404)
  const over = await asked(generateCode())
  assertThrottled(over, 60)
  assert.equal(rateLimit(over), ['3', '0', '60'])
  for (const code of shapes) assert.is((await asked(code)).status, 404, 'that needs no look')
})

test('past the budget of misses GET and start wait, confirm and cancel go on', async () => {
  await start({ CODEMISSESPERMINUTE: 3 })
  const held = await orderIn(node, 'PAY_OUT', 'LOCKED')
  const paid = await orderIn(node, 'PAY_IN', 'COMPLETED')
  const released = await orderIn(node, 'PAY_IN', 'LOCKED')
  const ready = await newOrder(node, 'PAY_IN')
  // A miss counts whatever is asked: confirmations must not be a way around.
  for (const action of ['start', 'confirm', 'cancel'] as const) {
    const unknown = { direction: 'PAY_IN', code: generateCode() } as const
    assert.is((await call(node, unknown, action)).status, 404)
  }
  assertThrottled(await call(node, ready, 'check'), 60)
  assertThrottled(await call(node, ready, 'start'), 60)
  assert.is((await call(node, held, 'confirm')).status, 200)
  assert.is((await call(node, paid, 'confirm')).status, 200, 'an answer that was lost is asked for again')
  assert.is((await call(node, released, 'cancel')).status, 200)
  // Of all others it is not told which codes there are.
  const known = await call(node, ready, 'confirm')
  const unknown = await call(node, { direction: 'PAY_IN', code: generateCode() }, 'confirm')
  assertThrottled(known, 60)
  assert.is(unknown.text, known.text)
  assert.is((await call(node, ready, 'check', 'pk_b')).status, 200, 'another provider has its own')
  node.clock.advance(60_000)
  assert.is((await call(node, ready, 'check')).status, 200)
})

test('a day’s budget of misses holds after the minute has passed', async () => {
  await start({ CODEMISSESPERMINUTE: 2, CODEMISSESPERDAY: 3 })
  const miss = () => call(node, { direction: 'PAY_IN', code: generateCode() }, 'check')
  const statuses: number[] = []
  for (let index = 0; index < 5; index++) {
    statuses.push((await miss()).status)
    node.clock.advance(60_000)
  }
  assert.equal(statuses, [404, 404, 404, 429, 429])
  const over = await miss()
  assert.is(over.status, 429)
  assert.is(rateLimit(over)[0], '3')
  node.clock.advance(Number(over.headers.get('retry-after')) * 1000)
  assert.is((await miss()).status, 404)
})

test.run()
