/** The merchant's lists: protocol 4.2. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  payOutBody,
  signedHeaders,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
} from '../../support/node.ts'
import { call, cancelAsOperator, merchantPath, newOrder } from '../../support/orders.ts'
import { exchange } from '../../support/raw-http.ts'

let node: TestNode
test.before.each(async () => {
  node = await startTestNode()
})
test.after.each(() => stopTestNode(node))

const payOuts = merchantPath('PAY_OUT')
const payIns = merchantPath('PAY_IN')

const list = (query = '', path = payIns, as = 'mk_shop') =>
  node.request({ as, path: query === '' ? path : `${path}?${query}` })

/** Pay-ins, so that no funding comes in between; named so that a list reads well. */
async function create(
  name: string,
  overrides: Record<string, unknown> = {},
  as = 'mk_shop',
): Promise<string> {
  const body = payOutBody({ merchant_order_id: name, ...overrides })
  const created = await node.request({ as, path: payIns, body })
  assert.is(created.status, 201, created.text)
  return created.json.id
}

const names = ({ json }: TestAnswer): string[] =>
  json.results.map((order: { merchant_order_id: string }) => order.merchant_order_id)

async function pages(query: string, between: () => Promise<unknown> = async () => {}): Promise<string[][]> {
  const seen: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await list(`${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    assert.is(page.status, 200, page.text)
    seen.push(names(page))
    cursor = page.json.next
    await between()
  }
  return seen
}

test('nothing yet is an empty list', async () => {
  for (const path of [payOuts, payIns]) {
    const answer = await list('', path)
    assert.is(answer.status, 200)
    assert.is(answer.text, '{"results":[],"next":null}')
  }
})

test('the newest come first, each as its own GET shows it, with personal data and a pay-in’s code', async () => {
  await create('first')
  node.clock.advance(1000)
  const id = await create('second', { consumer_phone_number: '+525512345678' })
  const answer = await list()
  assert.equal(names(answer), ['second', 'first'])
  const read = await node.request({ as: 'mk_shop', path: merchantPath('PAY_IN', id) })
  assert.is(JSON.stringify(answer.json.results[0]), read.text)
  assert.is(answer.headers.get('cache-control'), 'no-store')
})

test('a list has one direction and one merchant', async () => {
  await create('pay-in')
  await create('of another', {}, 'mk_other')
  const body = payOutBody({ merchant_order_id: 'pay-out' })
  await node.request({ as: 'mk_shop', path: payOuts, body })
  assert.equal(names(await list()), ['pay-in'])
  assert.equal(names(await list('', payOuts)), ['pay-out'])
  assert.equal(names(await list('', payIns, 'mk_other')), ['of another'])
  assert.equal(names(await list('merchant_order_id=of%20another')), [])
})

test('filters: status, merchant_order_id, and a range that begins inclusive and ends exclusive', async () => {
  const cancelled = await create('a')
  node.clock.advance(1000)
  await create('b')
  node.clock.advance(1000)
  await create('c')
  await cancelAsOperator(node, cancelled)
  const rows: [query: string, found: string[]][] = [
    ['status=CANCELLED', ['a']],
    ['status=READY', ['c', 'b']],
    ['status=', ['c', 'b', 'a']],
    ['merchant_order_id=b', ['b']],
    ['merchant_order_id=b&status=CANCELLED', []],
    ['created_from=2026-03-01T12:00:01Z', ['c', 'b']],
    ['created_to=2026-03-01T12:00:02Z', ['b', 'a']],
    ['created_from=2026-03-01T13:00:01%2B01:00&created_to=2026-03-01T12:00:02', ['b']],
    ['created_from=2026-03-02T00:00&created_to=2026-03-01T00:00', []],
    ['limit=2', ['c', 'b']],
    ['limit=1000', ['c', 'b', 'a']],
    ['unknown=1', ['c', 'b', 'a']],
  ]
  for (const [query, found] of rows) assert.equal(names(await list(query)), found, query)
})

test('what is wrong with a query is told for all its fields', async () => {
  const answer = await list('cursor=a%00b&status=NOPE&limit=0&created_from=yesterday&created_to=2026-13-01')
  assert.is(answer.status, 400)
  assert.equal(
    answer.json.errors.map(({ attr, code }: { attr: string; code: string }) => `${attr} ${code}`),
    [
      'status invalid_choice',
      'created_from invalid',
      'created_to invalid',
      'limit min_value',
      'cursor null_characters_not_allowed',
    ],
  )
})

test('every order is seen once, although others are created at the same moments in between', async () => {
  for (let index = 0; index < 12; index++) {
    await create(`old ${index}`)
    // Several have the same time of creation: their ids decide.
    if (index % 3 === 0) node.clock.advance(1)
  }
  let added = 0
  const seen = (await pages('limit=5', () => create(`new ${added++}`))).flat()
  assert.equal(
    seen.filter((name) => name.startsWith('old')).toSorted(),
    Array.from({ length: 12 }, (_, index) => `old ${index}`).toSorted(),
  )
  assert.is(new Set(seen).size, seen.length)
  assert.ok(added >= 3)
})

test('the last page is known as such, even when it is full', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await create(name)
  assert.equal(
    (await pages('limit=2')).map((page) => page.length),
    [2, 2],
  )
})

test('a cursor of another list, of another merchant, or of nobody is refused', async () => {
  for (const name of ['a', 'b', 'c']) {
    await create(name)
    await create(name, {}, 'mk_other')
  }
  const { next } = (await list('limit=1')).json
  assert.is((await list(`limit=2&cursor=${next}`)).status, 200, 'another limit is no other list')
  const refused = [
    await list(`status=READY&cursor=${next}`),
    await list(`cursor=${next}`, payOuts),
    await list(`cursor=${next}`, payIns, 'mk_other'),
    await list(`cursor=${next.slice(1)}`),
    await list('cursor=nonsense'),
  ]
  for (const { status, json } of refused) {
    assert.is(status, 400)
    assert.equal(json.errors, [{ attr: 'cursor', code: 'invalid', detail: 'Invalid cursor.' }])
  }
})

test('what has fallen due is shown as EXPIRED, and found as such', async () => {
  await newOrder(node, 'PAY_IN')
  const held = await newOrder(node, 'PAY_IN')
  await create('later')
  await call(node, held, 'start')
  node.clock.advance(60_000)
  const shown = async () =>
    (await list()).json.results.map((order: { status: string }) => order.status).toSorted()
  assert.equal(await shown(), ['EXPIRED', 'PAYMENT_STARTED', 'READY'])
  assert.is((await list('status=EXPIRED')).json.results.length, 1)
  assert.equal(names(await list('status=READY')), ['later'])
  node.clock.advance(600_000)
  assert.is((await list('status=EXPIRED')).json.results.length, 2)
})

test('while the clock is in doubt nothing is expired by being listed', async () => {
  await newOrder(node, 'PAY_IN')
  node.clock.jump(3_600_000)
  await node.core.clockWatch.look()
  assert.is((await list()).json.results[0].status, 'READY')
})

test('the query is part of the signed path, and a POST takes none', async () => {
  const good = await node.request({ as: 'mk_shop', path: `${payIns}?limit=1` })
  assert.is(good.status, 200)
  const added = await node.request({ as: 'mk_shop', path: payIns, query: '?limit=1' })
  assert.is(added.status, 403)
  const bare = await node.request({ as: 'mk_shop', path: `${payIns}?` })
  assert.is(bare.status, 200, 'an empty query is signed as it was sent')
  const body = payOutBody()
  const posted = await node.request({ as: 'mk_shop', path: payIns, query: '?limit=1', body })
  assert.is(posted.status, 400)
  assert.equal(posted.json.errors[0].detail, 'This path takes no query string.')
})

test('a list takes no body: a colon in its query could be taken for the one before the body', async () => {
  await create('a')
  const whole = 'merchant_order_id=a:b'
  assert.equal(names(await list(whole)), [])
  const { port } = new URL(node.publicUrl)
  const signed = signedHeaders('mk_shop', node.clock.now() / 1000, 'GET', `${payIns}?${whole}`, '')
  const headers = Object.entries({ ...signed, Host: 'node', Connection: 'close', 'Content-Length': '2' })
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const [answer] = await exchange(port, `GET ${payIns}?merchant_order_id=a HTTP/1.1\r\n${head}\r\nb:`)
  assert.is(answer?.status, 400)
  assert.match(answer?.text ?? '', /A list takes no body\./)
})

test('without its slash at the end a list is the same', async () => {
  await create('a')
  const answer = await node.request({ as: 'mk_shop', path: `${payIns.slice(0, -1)}?status=READY` })
  assert.equal(names(answer), ['a'])
})

test.run()
