/** Withdrawals, as merchants ask for them over signed HTTP: protocol 15.13. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMerchantClient, InvalidRequest } from '../../../client/index.ts'
import { unanchoredStatements } from '../../../persistence/queries/statements.ts'
import { secretOf, startTestNode, stopTestNode, type TestAnswer, type TestNode } from '../../support/node.ts'
import { closerOf } from '../../support/statement-world.ts'

const dayMs = 86_400_000
const path = '/api/v1/merchants/withdrawals/'

let node: TestNode
/** A shop that is settled on request in MXN, with 100,000.00 available. */
test.before(async () => {
  node = await startTestNode()
  const settles = [
    {
      currency: 'MXN',
      timeZone: 'UTC',
      every: 'request',
      afterBankingDays: 1,
      minimum: '5.00',
      account: 'CLABE 1',
    },
    { currency: 'CLP', timeZone: 'UTC', every: 'day', account: 'RUT 1' },
    { currency: 'COP', timeZone: 'UTC', every: 'request' },
  ]
  await node.apply({ merchants: [{ name: 'Shop', settles }] })
})
test.after(() => stopTestNode(node))

const ask = (body: unknown, more: { as?: string; at?: number; idempotencyKey?: string } = {}) => {
  const { idempotencyKey, ...rest } = more
  return node.request({
    as: 'mk_shop',
    method: 'POST',
    path,
    body,
    ...(idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': idempotencyKey } }),
    ...rest,
  })
}

/** `status`, and of an error `attr code detail` of each of its items. */
function ending({ status, json }: TestAnswer): string {
  const errors: { attr: string | null; detail: string }[] = json?.errors ?? []
  return [status, ...errors.map(({ attr, detail }) => `${attr} ${detail}`)].join(', ')
}

const refusals: readonly [body: unknown, ending: string][] = [
  [{}, '400, currency This field is required.'],
  [{ currency: '' }, '400, currency This field may not be blank.'],
  [{ currency: 7 }, '400, currency No settlement is agreed on for this currency.'],
  [{ currency: 'PESOS' }, '400, currency Ensure this field has no more than 3 characters.'],
  [{ currency: 'USD' }, '400, currency No settlement is agreed on for this currency.'],
  [{ currency: 'CLP' }, '400, currency This account is closed by itself, not on request.'],
  [{ currency: 'COP' }, '400, currency No bank account is agreed on for this currency.'],
  [{ currency: 'MXN', amount: null }, '400, amount This field may not be null.'],
  [{ currency: 'MXN', amount: 'all' }, '400, amount A valid number is required.'],
  [{ currency: 'MXN', amount: '0.00' }, '400, amount Value is too low.'],
  [{ currency: 'MXN', amount: '-5.00' }, '400, amount Ensure this value is greater than or equal to 0.'],
  [{ currency: 'MXN', amount: '5.001' }, '400, amount Ensure that there are no more than 2 decimal places.'],
  [{ currency: 'MXN', amount: '4.99' }, '400, amount Ensure this value is greater than or equal to 5.00.'],
  [
    { currency: 'MXN', amount: '100000.01' },
    '400, amount Value is more than what can be withdrawn: 100000.00 MXN.',
  ],
]

test('what cannot be withdrawn is refused by its field, and closes nothing', async () => {
  for (const [body, expected] of refusals) assert.is(ending(await ask(body)), expected, JSON.stringify(body))
  assert.equal(
    (await node.request({ as: 'mk_shop', method: 'GET', path: '/api/v1/merchants/statements/' })).json
      .results,
    [],
  )
  assert.is((await node.request({ as: 'mk_shop', method: 'GET', path })).status, 405)
  assert.is((await ask({ currency: 'MXN' }, { as: 'pk_a' })).status, 403)
})

test('a drained node withdraws nothing', async () => {
  await node.core.drainWatch.drain('ana', 'test')
  const drained = await ask({ currency: 'MXN' })
  assert.is(drained.status, 503)
  assert.is(drained.headers.get('retry-after'), '60')
  await node.core.drainWatch.undrain()
})

test('it is answered with its statement, and the same message again with the same answer', async () => {
  const body = { currency: 'MXN', amount: '1500.00' }
  const done = await ask(body, { idempotencyKey: 'w 1' })
  assert.is(done.status, 201)
  assert.equal(done.json, {
    statement: 1,
    currency: 'MXN',
    amount: '1500.00',
    from: '2026-03-01',
    to: '2026-03-01',
    line_count: 1,
    due_on: '2026-03-02',
  })
  assert.is((await ask(body, { idempotencyKey: 'w 1' })).text, done.text)
  assert.is((await ask({ currency: 'MXN' }, { idempotencyKey: 'w 1' })).status, 422)
  const closed =
    'The account is closed for 2026-03-01. What comes now can be withdrawn once the next day has begun.'
  // The very same bytes, without a key; and another message with what they say.
  assert.is((await ask(body)).text, done.text)
  assert.is(ending(await ask(body, { at: 1 })), `400, currency ${closed}`)
  const { json } = await node.request({ as: 'mk_shop', method: 'GET', path: '/api/v1/merchants/balances/' })
  assert.equal([json.results[0].available, json.results[0].payable], ['98500.00', '1500.00'])
})

test('its number is in the anchors before it is told', async () => {
  assert.is((await node.core.store.query(unanchoredStatements, { limit: 1 })).length, 0)
})

test('the client asks for it, and finds its statement', async () => {
  node.clock.advance(dayMs)
  const client = createMerchantClient({
    url: node.publicUrl,
    key: 'mk_shop',
    secret: secretOf('mk_shop'),
    now: () => node.clock.now(),
  })
  const { statement, amount, line_count } = await client.createWithdrawal({ body: { currency: 'MXN' } })
  assert.equal([statement, amount, line_count], [2, '98500.00', 0])
  await closerOf({ ...node.core, clock: node.clock }).pass()
  const told = await client.getMerchantStatement({ number: String(statement), query: { currency: 'MXN' } })
  assert.equal(
    [told.opening, told.closing, told.due, told.lines, told.next],
    ['100000.00', '100000.00', '98500.00', [], null],
  )
  node.clock.advance(dayMs)
  const refused = await client
    .createWithdrawal({ body: { currency: 'MXN' } })
    .catch((error: unknown) => error)
  assert.instance(refused, InvalidRequest)
  assert.match(String(refused), /There is nothing to withdraw\./)
})

test.run()
