/** Reports of a network's day, as its software sends them over signed HTTP: protocol 16.7. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createProviderClient } from '../../../client/index.ts'
import { quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import {
  payOutBody,
  secretOf,
  send,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
} from '../../support/node.ts'

const path = '/api/v1/providers/reports/'
const day = '2026-03-01'

let node: TestNode
test.before.each(async () => {
  node = await startTestNode()
  const network = (id: string) => ({ id, currency: 'MXN' })
  await node.apply({
    providers: [
      { name: 'Network A', networks: [network('0001'), 'a_shops'] },
      { name: 'Network B', networks: [network('0002')] },
    ],
  })
})
test.after.each(() => stopTestNode(node))

interface More {
  as?: string
  key?: string
}

const part = (change: object = {}) => ({
  ...{ network_id: '0001', day, report: 'r-1', part: 1, parts: 1, line_count: 0, paid_amount: '0.00' },
  lines: [] as object[],
  ...change,
})

let messages = 0
function post(body: unknown, { as = 'pk_a', key }: More = {}): Promise<TestAnswer> {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  messages += 1
  return node.request({ as, method: 'POST', path, body, headers, at: messages / 1000 })
}

function look(query = `?network_id=0001&day=${day}`, as = 'pk_a'): Promise<TestAnswer> {
  messages += 1
  return node.request({ as, path: `${path}${query}`, at: messages / 1000 })
}

/** `status`, and what was said of it. */
function ending({ status, json }: TestAnswer): string {
  if (json?.errors === undefined) return [status, json?.detail].filter(Boolean).join(', ')
  const errors: { attr: string | null; detail: string }[] = json.errors
  return [status, ...errors.map(({ attr, detail }) => `${attr} ${detail}`)].join(', ')
}

/** A pay-out that is READY. */
async function made(price = '1000.00'): Promise<{ id: string; code: string }> {
  const created = await node.request({
    ...{ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', method: 'POST' },
    body: payOutBody({ price }),
  })
  const { id } = created.json
  let code = ''
  await node.until(async () => {
    const found = await node.core.orders.find(id)
    code = found?.order.code ?? ''
    return found?.order.status === 'READY'
  })
  return { id, code }
}

/** A pay-out, paid by a provider; its code. */
async function paid(as = 'pk_a', network = '0001', price = '1000.00'): Promise<string> {
  const { code } = await made(price)
  for (const action of ['start', 'confirm']) {
    const answer = await node.request({
      ...{ as, method: 'POST', path: `/api/v1/providers/orders/pay-out/${code}/${action}-payment/` },
      body: { network_id: network, reference: `F-${code.slice(-4)}` },
    })
    assert.is(answer.status, 200, answer.text)
  }
  return code
}

const line = (order: string, change: object = {}) => ({
  ...{ order, outcome: 'paid', amount: '1000.00', paid_at: '2026-03-01T12:00:00Z' },
  ...change,
})
const stateOf = async () => {
  const { json } = await look()
  return json.state
}
const judged = () => node.until(async () => (await look()).json.sending === null)

test('a day in two parts: each line has its verdict, and the day is judged once the last is there', async () => {
  const [first, second] = [await paid(), await paid()]
  const unknown = '123456789012347'
  const one = await post(
    part({ parts: 2, line_count: undefined, paid_amount: undefined, lines: [line(first), line(unknown)] }),
  )
  assert.is(one.status, 200, one.text)
  assert.equal(one.json, {
    ...{ network_id: '0001', day, report: 'r-1', part: 1, parts: 2, next_part: 2 },
    lines: [
      { line: 1, outcome: 'matched', reason: null, reference: null },
      {
        line: 2,
        outcome: 'only_theirs',
        reason: 'No order of this provider has this name or reference.',
        reference: null,
      },
    ],
  })
  assert.equal([await stateOf(), (await look()).json.next_part], ['open', 2])
  const two = await post(
    part({ part: 2, parts: 2, line_count: 3, paid_amount: '3000.00', lines: [line(second)] }),
  )
  assert.equal([two.status, two.json.next_part, two.json.lines[0].line], [200, null, 3], two.text)
  await judged()
  const { json } = await look()
  assert.equal(
    [json.state, json.report, json.line_count, json.paid_count, json.paid_amount, json.open_differences],
    ['differences', 'r-1', 3, 3, '3000.00', 1],
  )
  assert.equal(
    json.lines.map(({ line: number, outcome }: { line: number; outcome: string }) => `${number} ${outcome}`),
    ['1 matched', '2 only_theirs', '3 matched'],
  )
  const page = (await look(`?network_id=0001&day=${day}&limit=2`)).json
  assert.equal([page.lines.length, page.next], [2, '2'])
  assert.is((await look(`?network_id=0001&day=${day}&limit=2&cursor=2`)).json.lines[0].line, 3)

  const corrected = await post(
    part({ report: 'r-2', line_count: 2, paid_amount: '2000.00', lines: [line(first), line(second)] }),
  )
  assert.is(corrected.status, 200, corrected.text)
  await judged()
  const after = (await look()).json
  assert.equal([after.report, after.open_differences, after.line_count], ['r-2', 0, 2])
})

test('parts come again, out of order, and with other content', async () => {
  const lines = [{ reference: 'F-1', outcome: 'not_paid' }]
  const first = part({ parts: 3, lines })
  const rows: [body: object, ending: string][] = [
    [part({ part: 2, parts: 3, lines }), '409, Part 1 of this report is expected.'],
    [first, '200'],
    [first, '200'],
    [
      part({ parts: 3, lines: [{ reference: 'F-2', outcome: 'not_paid' }] }),
      '409, This part was received before with other content. A corrected report has another name.',
    ],
    [
      part({ part: 2, parts: 4, lines }),
      '409, This part was received before with other content. A corrected report has another name.',
    ],
    [part({ part: 3, parts: 3, line_count: 2, lines }), '409, Part 2 of this report is expected.'],
    [part({ part: 2, parts: 3, lines }), '200'],
    [part({ part: 3, parts: 3, line_count: 4, lines }), '400, line_count All parts together have 3 lines.'],
    [
      part({ part: 3, parts: 3, line_count: 3, paid_amount: '1.00', lines }),
      '400, paid_amount The payments of all parts together are 0.00.',
    ],
    [part({ part: 3, parts: 3, line_count: 3, lines }), '200'],
    [part({ part: 3, parts: 3, line_count: 3, lines }), '200'],
    [first, '200'],
  ]
  for (const [body, expected] of rows) assert.is(ending(await post(body)), expected, JSON.stringify(body))
  await judged()
  assert.is(await stateOf(), 'reconciled')
  assert.is((await look()).json.line_count, 3)
  assert.is(ending(await post(first)), '200', 'after it was judged, too')
})

const refusals: [body: object, ending: string][] = [
  [
    {},
    '400, network_id This field is required., day This field is required., report This field is required., part This field is required., parts This field is required., lines This field is required.',
  ],
  [part({ network_id: '0002' }), '400, network_id This network is not registered for this provider.'],
  [part({ network_id: 'a_shops' }), '400, network_id No currency is agreed on for this network.'],
  [
    part({ day: '2026-02-30' }),
    '400, day Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
  ],
  [part({ day: '2026-03-03' }), '400, day Reports are taken of days from 2025-11-29 to 2026-03-02.'],
  [part({ day: '2025-11-28' }), '400, day Reports are taken of days from 2025-11-29 to 2026-03-02.'],
  [part({ part: 0 }), '400, part Ensure this value is greater than or equal to 1.'],
  [part({ part: 2 }), '400, part Ensure this value is less than or equal to 1.'],
  [part({ part: 'one' }), '400, part A valid integer is required.'],
  [part({ parts: 2001 }), '400, parts Ensure this value is less than or equal to 2000.'],
  [part({ report: ' ' }), '400, report This field may not be blank.'],
  [part({ report: 'x'.repeat(101) }), '400, report Ensure this field has no more than 100 characters.'],
  [
    part({ line_count: undefined, paid_amount: undefined }),
    '400, line_count This field is required., paid_amount This field is required.',
  ],
  [part({ paid_amount: '-1.00' }), '400, paid_amount Ensure this value is greater than or equal to 0.'],
  [part({ lines: null }), '400, lines This field may not be null.'],
  [part({ lines: {} }), '400, lines Expected a list of items but got type "dict".'],
  [part({ lines: ['x'] }), '400, lines.0.non_field_errors Invalid data. Expected a dictionary, but got str.'],
  [
    part({ lines: [{ outcome: 'paid' }] }),
    '400, lines.0.order At least one of order and reference is required.',
  ],
  [part({ lines: [line('1', { amount: undefined })] }), '400, lines.0.amount This field is required.'],
  [part({ lines: [line('1', { paid_at: undefined })] }), '400, lines.0.paid_at This field is required.'],
  [part({ lines: [line('1', { amount: '0.00' })] }), '400, lines.0.amount Value is too low.'],
  [
    part({ lines: [line('1', { amount: '-5.00' })] }),
    '400, lines.0.amount Ensure this value is greater than or equal to 0.',
  ],
  [
    part({ lines: [line('1', { amount: '1.001' })] }),
    '400, lines.0.amount Ensure that there are no more than 2 decimal places.',
  ],
  [part({ lines: [line('1', { outcome: 'lost' })] }), '400, lines.0.outcome "lost" is not a valid choice.'],
  [part({ lines: [line('1', { order: { $ne: 1 } })] }), '400, lines.0.order Not a valid string.'],
  [
    part({ lines: Array.from({ length: 301 }, () => ({})) }),
    '400, lines Ensure this list contains no more than 300 items.',
  ],
  [
    part({
      line_count: 2,
      paid_amount: '0.00',
      lines: [
        line('1', { amount: '9999999999999999.99' }),
        line('2', { amount: '9000000000000000.00' }),
      ].flatMap((one) => Array.from({ length: 6 }, () => one)),
    }),
    '400, lines A report has at most 200000 lines, and a sum that the ledger can hold.',
  ],
]

test('what is no part of a report is refused by its field, and nothing is kept', async () => {
  for (const [body, expected] of refusals)
    assert.is(ending(await post(body)), expected, JSON.stringify(body).slice(0, 300))
  const many = await post(part({ lines: Array.from({ length: 300 }, () => ({})) }))
  assert.is(many.json.errors.length, 50, 'a program that is wrong in each line reads no more at once')
  const { json } = await look()
  assert.equal([json.state, json.sending, json.line_count], ['open', null, 0])
})

test('nobody else’s network, and nothing of who has not signed', async () => {
  const body = part()
  assert.is((await post(body, { as: 'pk_b' })).status, 400)
  assert.is((await post(body, { as: 'mk_shop' })).status, 403)
  assert.is((await node.request({ path, method: 'POST', body })).status, 403)
  assert.is(
    ending(await look(undefined, 'pk_b')),
    '400, network_id This network is not registered for this provider.',
  )
  assert.is(ending(await look(`?network_id=0001&day=${day}&cursor=x`)), '400, cursor Invalid cursor.')
  const large = await send(node.publicUrl, node.clock, {
    as: 'pk_a',
    path,
    method: 'POST',
    body: ' '.repeat(65_537),
  })
  assert.is(large.status, 413)
})

for (const outcome of ['paid', 'reversed', 'not_paid']) {
  test(`of orders that it never held a provider learns nothing, whatever it calls ${outcome}`, async () => {
    const theirs = await paid('pk_b', '0002')
    const { id, code } = await made()
    const said = outcome === 'not_paid' ? { amount: undefined, paid_at: undefined } : {}
    const named = [theirs, code, id, '123456789012347', 'nothing']
    const lines = named.map((name) => line(name, { outcome, ...said }))
    const paid_amount = outcome === 'paid' ? '5000.00' : '0.00'
    const { json } = await post(part({ line_count: 5, paid_amount, lines }))
    const plain = ({ line: _, ...verdict }: { line: number }) => JSON.stringify(verdict)
    assert.is(new Set(json.lines.map(plain)).size, 1, JSON.stringify(json.lines))
    await judged()
    const day = (await look()).json
    assert.is(new Set(day.lines.map(plain)).size, 1, JSON.stringify(day.lines))
    // Nor by how many of them a person has to look at.
    assert.is(day.open_differences, outcome === 'not_paid' ? 0 : 5)
  })
}

test('what a till has given back, and its network calls taken back, is no difference', async () => {
  const { code } = await made()
  for (const action of ['start', 'cancel']) {
    const at = `/api/v1/providers/orders/pay-out/${code}/${action}-payment/`
    const told = await node.request({ as: 'pk_a', method: 'POST', path: at, body: { network_id: '0001' } })
    assert.is(told.status, 200)
  }
  const lines = [line(code, { outcome: 'reversed' })]
  const { json } = await post(part({ line_count: 1, lines }))
  assert.is(json.lines[0].outcome, 'matched')
})

test('an Idempotency-Key replays its answer, and is refused with another part', async () => {
  const first = await post(part({ report: 'k' }), { key: 'day-1' })
  const again = await post(part({ report: 'k' }), { key: 'day-1' })
  assert.equal([again.status, again.text], [200, first.text])
  assert.is((await post(part({ report: 'other' }), { key: 'day-1' })).status, 422)
})

test('a quarantined order is completed by the report, and only once all of it is there', async () => {
  const { id, code } = await made()
  await node.core.store.execute(quarantineOpenOrders, { at: node.clock.now() })
  node.clock.advance(60_000)
  const status = async () => (await node.core.orders.find(id))?.order.status
  const said = line(code, { reference: 'F-9' })
  assert.is((await post(part({ parts: 2, lines: [said] }))).status, 200)
  assert.is(await status(), 'READY')
  assert.is((await post(part({ part: 2, parts: 2, line_count: 1, paid_amount: '1000.00' }))).status, 200)
  await judged()
  assert.is(await status(), 'COMPLETED')
  assert.equal((await look()).json.lines[0].outcome, 'matched')
})

test('fifty reports of a day are enough', async () => {
  for (let count = 0; count < 50; count++)
    assert.is((await post(part({ report: `r-${count}`, parts: 2 }))).status, 200)
  assert.is(
    ending(await post(part({ report: 'one more' }))),
    '400, report There are 50 reports of this day already.',
  )
})

test('the client sends a day and reads it back', async () => {
  const order = await paid()
  const client = createProviderClient({
    ...{ url: node.publicUrl, key: 'pk_a', secret: secretOf('pk_a') },
    now: () => node.clock.now(),
  })
  const { lines, next_part } = await client.sendReport({
    body: {
      ...{ network_id: '0001', day, report: 'r-1', part: 1, parts: 1, line_count: 1, paid_amount: '1000.00' },
      lines: [{ order, outcome: 'paid', amount: '1000.00', paid_at: '2026-03-01T12:00:00Z' }],
    },
  })
  assert.equal([lines[0]?.outcome, next_part], ['matched', null])
  await judged()
  const found = await client.getReport({ query: { network_id: '0001', day } })
  assert.equal([found.line_count, found.paid_amount], [1, '1000.00'])
})

test.run()
