/** Movements, as a merchant asks for them over signed HTTP: protocol 15.14. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMerchantClient } from '../../../client/index.ts'
import { dispatchOf } from '../../support/console.ts'
import { secretOf, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { call, newOrder, type OrderOfTest } from '../../support/orders.ts'
import { addWires, closerOf } from '../../support/statement-world.ts'

let node: TestNode
let payIn: OrderOfTest
/** A deposit in a sealed statement, and a pay-in and two deposits since. */
test.before(async () => {
  node = await startTestNode()
  await dispatchOf(node)('statement.close', { party: 'Shop', currency: 'MXN' }, 'test')
  await closerOf({ ...node.core, clock: node.clock }).pass()
  payIn = await newOrder(node, 'PAY_IN')
  for (const action of ['start', 'confirm'] as const) await call(node, payIn, action)
  await addWires(node, 2)
})
test.after(() => stopTestNode(node))

const get = (query: string, as = 'mk_shop') =>
  node.request({ as, path: `/api/v1/merchants/movements/${query}` })

test('a merchant reads what moved its account, sealed or not', async () => {
  const { status, json } = await get('?currency=MXN')
  assert.is(status, 200)
  const same = { about_day: null, at: '2026-03-01T12:00:00.000Z', fee: '0.00', tax: '0.00' }
  const deposit = { kind: 'deposit', direction: null, order_id: null }
  assert.equal(json.results.slice(0, 3), [
    {
      statement: 1,
      line: 1,
      day: '2026-03-01',
      ...same,
      ...deposit,
      reference: 'opening',
      amount: '100000.00',
      balance: '100000.00',
    },
    {
      statement: null,
      line: null,
      day: '2026-03-02',
      ...same,
      kind: 'settle',
      direction: 'PAY_IN',
      order_id: payIn.id,
      reference: json.results[1]?.reference,
      amount: '1000.00',
      balance: null,
    },
    {
      statement: null,
      line: null,
      day: '2026-03-02',
      ...same,
      ...deposit,
      reference: 'wire 1',
      amount: '1.00',
      balance: null,
    },
  ])
  assert.is(json.next, null)
})

test('pages of one go on to the end, and then to what comes', async () => {
  const client = createMerchantClient({
    url: node.publicUrl,
    key: 'mk_shop',
    secret: secretOf('mk_shop'),
    now: node.clock.now,
  })
  const amounts: string[] = []
  let resume: string | null = null
  for (let next: string | null = ''; next !== null; ) {
    const cursor = resume === null ? {} : { cursor: resume }
    const page = await client.listMovements({ query: { currency: 'MXN', limit: 1, ...cursor } })
    amounts.push(...page.results.map(({ amount }) => amount))
    next = page.next
    resume = page.resume
  }
  assert.equal(amounts, ['100000.00', '1000.00', '1.00', '1.00'])
  await addWires(node, 1)
  const { json } = await get(`?currency=MXN&cursor=${resume}`)
  assert.equal([json.results.length, json.next], [1, null])
})

test('another merchant sees none of it, and no currency but the one that is named', async () => {
  assert.equal((await get('?currency=MXN', 'mk_other')).json, { results: [], next: null, resume: null })
  assert.equal((await get('?currency=CLP')).json, { results: [], next: null, resume: null })
  assert.is((await get('?currency=MXN', 'pk_a')).status, 403)
})

test('what is odd is told by its field', async () => {
  for (const [query, attr] of [
    ['', 'currency'],
    ['?currency=PESOS', 'currency'],
    ['?currency=MXN&from=2026-02-30', 'from'],
    ['?currency=MXN&to=tomorrow', 'to'],
    ['?currency=MXN&limit=0', 'limit'],
    ['?currency=MXN&cursor=x', 'cursor'],
    [`?currency=CLP&cursor=${Buffer.from('MXN 1 1').toString('base64url')}`, 'cursor'],
  ]) {
    const { status, json } = await get(query ?? '')
    assert.equal([status, json.errors.map((one: { attr: string }) => one.attr)], [400, [attr]], query)
  }
})

test.run()
