/** `POST /merchants/quotes/`: protocol 2.4 and 10.4. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Row } from '../../../persistence/store.ts'
import { row } from '../../../persistence/store.ts'
import { stopTestNode, type TestNode } from '../../support/node.ts'
import { parties, type Quote, quoteOn, startQuotingNode, valid } from '../../support/quoting.ts'

let node: TestNode
let quote: Quote
test.before(async () => {
  node = await startQuotingNode()
  quote = quoteOn(node)
})
test.after(() => stopTestNode(node))

async function quoteRow(id: string): Promise<Row<'quotes'> | null> {
  const result = await node.core.store.step({
    rows: { quote: row('quotes', { id }) },
    decide: (rows) => ({ answer: rows.quote, writes: [] }),
  })
  return result.outcome === 'committed' ? result.answer : null
}

test('a quote has the fields of protocol 2.4, in their order, exact to the cash increment', async () => {
  const now = node.clock.now()
  const answer = await quote()
  assert.is(answer.status, 201)
  assert.match(answer.json.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  // 100.00 less 0.50 and less 1 % is 98.50; times 17.25 is 1699.125; cash comes in steps of 0.50.
  assert.is(
    answer.text,
    JSON.stringify({
      id: answer.json.id,
      ...valid,
      fee: '1.50',
      fee_currency: 'USDC',
      order_price: '1699.00',
      order_price_currency: 'MXN',
      rate: '17.25',
      expires: new Date(now + 300_000).toISOString(),
    }),
  )
})

test('its row keeps what it was made of', async () => {
  const now = node.clock.now()
  const { json } = await quote()
  const kept = await quoteRow(json.id)
  assert.ok(kept)
  const { evidence_json = '', merchant_id: _, ...columns } = kept ?? {}
  assert.equal(columns, {
    id: json.id,
    blockchain: 'SOLANA',
    send_currency: 'USDC',
    asset_id: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
    asset_decimals: 6,
    send_minor: 100_000_000n,
    fee_minor: 1_500_000n,
    target_country: 'MX',
    target_currency: 'MXN',
    order_price_minor: 169_900n,
    rounding_minor: 12n,
    rate: '17.25',
    rate_source: 'fixed',
    rate_at: now,
    created_at: now,
    expires_at: now + 300_000,
    order_id: null,
  })
  assert.equal(JSON.parse(evidence_json), {
    feeFixed: '0.5',
    feeBps: 100,
    cashIncrementMinor: '50',
    minMinor: '1000',
    maxMinor: '5000000',
    reading: null,
  })
})

/** What is sent, and what the answer says of it: send, fee, order price. */
const amounts: [changes: Record<string, unknown>, shown: [string, string, string]][] = [
  [{ send: 100 }, ['100.00', '1.50', '1699.00']],
  [{ send: '100.5' }, ['100.50', '1.505', '1707.50']],
  [{ send: ' 000100.000000 ' }, ['100.00', '1.50', '1699.00']],
  [{ send: '1.123456' }, ['1.123456', '0.511235', '10.50']],
  // Stellar's USDC has seven decimals.
  [{ blockchain: 'STELLAR', send: '1.1234567' }, ['1.1234567', '0.5112346', '10.50']],
  [{ send: '2928.34' }, ['2928.34', '29.7834', '50000.00']],
]

for (const [changes, shown] of amounts)
  test(`${JSON.stringify(changes)} comes to ${shown.join(', ')}`, async () => {
    const { status, json } = await quote(changes)
    assert.is(status, 201, JSON.stringify(json))
    assert.equal([json.send, json.fee, json.order_price], shown)
  })

/** A field that is wrong: attr, code and detail. */
test('a rate past its age is 424, and another rate goes on', async () => {
  const pen = { target_country: 'PE', target_currency: 'PEN' }
  assert.is((await quote(pen)).status, 201)
  node.clock.advance(60_000)
  assert.is((await quote(pen)).status, 201, 'at its very age')
  node.clock.advance(1)
  const { status, json } = await quote(pen)
  assert.is(status, 424)
  const detail = 'A dependent operation failed.'
  assert.equal(json, {
    detail,
    type: 'client_error',
    errors: [{ attr: null, code: 'dependency_failed', detail }],
  })
  assert.is((await quote()).status, 201)
  // A rate that ages is confirmed by applying it again.
  await node.apply({ rates: parties.rates.filter(({ target }) => target === 'PEN') })
  assert.is((await quote(pen)).status, 201)
})

test('each merchant has its own limits and increment', async () => {
  const own = await quote({ send: '2.00' }, { as: 'mk_other' })
  assert.is(own.json.order_price, '25.53')
  assert.equal((await quote({}, { as: 'mk_other' })).json.errors[0].detail, 'Value is too high.')
})

test.run()
