/** `POST /merchants/quotes/` asked for twice. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMerchantClient } from '../../../client/index.ts'
import { statement } from '../../../persistence/statement.ts'
import { secretOf, stopTestNode, type TestNode } from '../../support/node.ts'
import { type Quote, quoteOn, startQuotingNode, valid } from '../../support/quoting.ts'

let node: TestNode
let quote: Quote
test.before(async () => {
  node = await startQuotingNode()
  quote = quoteOn(node)
})
test.after(() => stopTestNode(node))

const countQuotes = statement<Record<never, never>>()('test.quotes', ({ db }) =>
  db.selectFrom('quotes').select('id'),
)

test('an Idempotency-Key gives the same quote, and no other request', async () => {
  const headers = { 'Idempotency-Key': 'quote-1' }
  const before = (await node.core.store.query(countQuotes, {})).length
  const first = await quote({}, { headers })
  node.clock.advance(1000)
  const again = await quote({}, { headers })
  assert.equal([again.status, again.text], [201, first.text])
  assert.is((await node.core.store.query(countQuotes, {})).length, before + 1)
  const other = await quote({ send: '101.00' }, { headers })
  assert.equal([other.status, other.json.errors[0].code], [422, 'idempotency_key_reused'])
  // The key is the party's own.
  const foreign = await quote({ send: '2.00' }, { headers, as: 'mk_other' })
  assert.is(foreign.status, 201)
})

test('of requests under one Idempotency-Key that arrive together one makes a quote', async () => {
  const headers = { 'Idempotency-Key': 'quote-2' }
  const before = (await node.core.store.query(countQuotes, {})).length
  const answers = await Promise.all([1, 2, 3].map(() => quote({}, { headers })))
  const made = answers.filter(({ status }) => status === 201)
  assert.ok(made.length >= 1)
  assert.is(new Set(made.map(({ text }) => text)).size, 1)
  assert.is((await node.core.store.query(countQuotes, {})).length, before + 1)
})

test('a refusal is not kept under its Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': 'quote-3' }
  assert.is((await quote({ send: '0.10' }, { headers })).status, 400)
  assert.is((await quote({}, { headers })).status, 201)
})

test('the client asks for a quote, and asks again under the same key when the answer was lost', async () => {
  const before = (await node.core.store.query(countQuotes, {})).length
  let lost = 0
  const merchant = createMerchantClient({
    url: node.publicUrl,
    key: 'mk_shop',
    secret: secretOf('mk_shop'),
    now: node.clock.now,
    sleep: async () => {},
    async fetch(url, init) {
      const answer = await fetch(url, init)
      if (lost++ > 0) return answer
      await answer.text()
      throw new TypeError('the connection broke')
    },
  })
  const { order_price, rate: at } = await merchant.createQuote({ body: { ...valid, blockchain: 'SOLANA' } })
  assert.equal([order_price, at], ['1699.00', '17.25'])
  assert.is((await node.core.store.query(countQuotes, {})).length, before + 1)
})

test.run()
