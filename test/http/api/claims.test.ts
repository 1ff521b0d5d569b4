/** Claims, as merchants and providers open, answer and read them over signed HTTP: protocol 16.8. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMerchantClient } from '../../../client/index.ts'
import { claimByNumber, unanchoredClaims } from '../../../persistence/queries/claims.ts'
import { secretOf, startTestNode, stopTestNode, type TestAnswer, type TestNode } from '../../support/node.ts'
import { commit } from '../../support/order-world.ts'
import { orderIn } from '../../support/orders.ts'

let node: TestNode
test.before.each(async () => {
  node = await startTestNode()
})
test.after.each(() => stopTestNode(node))

const merchants = '/api/v1/merchants/claims/'
const providers = '/api/v1/providers/claims/'

let messages = 0
function ask(
  path: string,
  {
    as = path.startsWith(merchants) ? 'mk_shop' : 'pk_a',
    body,
    key,
  }: { as?: string; body?: unknown; key?: string } = {},
): Promise<TestAnswer> {
  messages += 1
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  const method = body === undefined ? 'GET' : 'POST'
  return node.request({
    as,
    method,
    path,
    headers,
    at: messages / 1000,
    ...(body === undefined ? {} : { body }),
  })
}

/** `status`, and of an error `attr detail` of each of its items. */
function ending({ status, json }: TestAnswer): string {
  if (json?.errors === undefined) return [status, json?.detail].filter(Boolean).join(', ')
  const errors: { attr: string | null; detail: string }[] = json.errors
  return [status, ...errors.map(({ attr, detail }) => `${attr} ${detail}`)].join(', ')
}

/** All of an answer that may depend on what was asked for. */
function whole({ status, headers, text }: TestAnswer): unknown {
  const own = ['date', 'request-id', 'ratelimit', 'ratelimit-remaining', 'ratelimit-reset']
  return { status, text, headers: [...headers].filter(([name]) => !own.includes(name)) }
}

test('a claim and its end are in the anchors before they are told, whoever reads them', async () => {
  const { id } = await orderIn(node, 'PAY_IN', 'COMPLETED')
  const waiting = async () => (await node.core.store.query(unanchoredClaims, { limit: 9 })).length
  await ask(merchants, { body: { order: id, kind: 'twice' } })
  assert.is(await waiting(), 0)
  await ask(`${merchants}1/withdrawal/`, { body: {} })
  assert.is(await waiting(), 0)
  for (const path of [providers, `${providers}1/`]) {
    await commit(node.core.store, [
      { update: 'claims', key: { id: await idOf(1) }, set: { anchored_at: null } },
    ])
    assert.equal([await waiting(), (await ask(path)).status, await waiting()], [1, 200, 0])
  }
})

async function idOf(number: number): Promise<string> {
  const [claim] = await node.core.store.query(claimByNumber, { number })
  return claim?.id ?? ''
}

test('a merchant opens a claim, the provider denies it, and both read what was written', async () => {
  const { id, code } = await orderIn(node, 'PAY_IN', 'COMPLETED')
  const made = await ask(merchants, { body: { order: id, kind: 'twice', text: 'Two receipts.' } })
  assert.is(made.status, 201, made.text)
  const { number, reference, opened, ...claim } = made.json
  assert.equal([number, typeof reference, typeof opened], [1, 'string', 'string'])
  assert.equal(claim, {
    ...{ kind: 'twice', state: 'open', opened_by: 'merchant', claimed_against: 'provider', order: id },
    ...{ direction: 'PAY_IN', currency: 'MXN', price: '1000.00', amount: null },
    ...{ due_on: claim.due_on, answered: null, ended: null },
  })
  const seen = await ask(`${providers}1/`)
  assert.equal([seen.status, seen.json.order, seen.json.texts[0].text], [200, code, 'Two receipts.'])
  const denied = await ask(`${providers}1/answer/`, { body: { answer: 'denies', text: 'One payment.' } })
  assert.equal([denied.status, denied.json.state], [200, 'denied'])
  const read = await ask(`${merchants}1/`)
  assert.equal(
    read.json.texts.map(({ by, text }: { by: string; text: string }) => [by, text]),
    [
      ['merchant', 'Two receipts.'],
      ['provider', 'One payment.'],
    ],
  )
  assert.is((await ask(`${merchants}1/texts/`, { body: { text: 'See the second one.' } })).status, 200)
  assert.is((await ask(`${merchants}1/withdrawal/`, { body: {} })).json.state, 'withdrawn')
  assert.is(
    ending(await ask(`${providers}1/answer/`, { body: { answer: 'agrees' } })),
    '409, The claim is withdrawn.',
  )
  const list = await ask(`${providers}?state=withdrawn`)
  assert.equal([list.json.results.length, list.json.next], [1, null])
  assert.equal((await ask(`${merchants}?state=undecided`)).json.results, [])
})

test('a provider opens a claim by the code of an order that it has held', async () => {
  const { id, code } = await orderIn(node, 'PAY_OUT', 'COMPLETED')
  const made = await ask(providers, { body: { order: code, kind: 'wrong_amount', amount: '900.00' } })
  assert.equal([made.status, made.json.order, made.json.claimed_against], [201, code, 'merchant'])
  assert.is((await ask(`${merchants}1/`)).json.order, id)
  const refused = await ask(`${providers}1/answer/`, { body: { answer: 'agrees' } })
  assert.is(ending(refused), '403, null You do not have permission to perform this action.')
  const others = await ask(`${merchants}1/withdrawal/`, { body: {} })
  assert.is(ending(others), '403, null You do not have permission to perform this action.')
  assert.is((await ask(`${merchants}1/answer/`, { body: { answer: 'agrees' } })).json.state, 'agreed')
})

test('another party’s claim and order are byte for byte like unknown ones', async () => {
  const { id, code } = await orderIn(node, 'PAY_IN', 'COMPLETED')
  await ask(merchants, { body: { order: id, kind: 'twice' } })
  for (const [path, as] of [
    [merchants, 'mk_other'],
    [providers, 'pk_b'],
  ] as const) {
    for (const [rest, body] of [
      ['', undefined],
      ['answer/', { answer: 'agrees' }],
      ['texts/', { text: 'a' }],
      ['withdrawal/', {}],
    ] as const) {
      const of = async (number: string) =>
        whole(await ask(`${path}${number}/${rest}`, { as, ...(body === undefined ? {} : { body }) }))
      const other = await of('1')
      assert.equal(other, await of('2'))
      assert.equal(other, await of('nonsense'))
    }
    assert.equal((await ask(path, { as })).json.results, [])
    const named = path === merchants ? id : code
    const opening = await ask(path, { as, body: { order: named, kind: 'false_note', amount: '1.00' } })
    assert.is(ending(opening), `400, order Invalid pk "${named}" - object does not exist.`)
  }
})

test('what is no claim is refused by its field, and opens none', async () => {
  const { id } = await orderIn(node, 'PAY_IN', 'COMPLETED')
  const locked = await orderIn(node, 'PAY_IN', 'LOCKED')
  const cancelled = await orderIn(node, 'PAY_IN', 'CANCELLED')
  await ask(merchants, { body: { order: id, kind: 'twice' } })
  const rows: readonly [body: unknown, ending: string][] = [
    [{}, '400, order This field is required., kind This field is required.'],
    [{ order: id, kind: 'late' }, '400, kind "late" is not a valid choice.'],
    [{ order: 'x', kind: 'twice' }, '400, order Invalid pk "x" - object does not exist.'],
    [{ order: locked.id, kind: 'twice' }, '400, order The order has not ended yet.'],
    [{ order: cancelled.id, kind: 'paid_not_credited' }, '400, order No provider has held this order.'],
    [{ order: id, kind: 'twice' }, '400, kind There is a claim "twice" about this order already.'],
    [
      { order: id, kind: 'credited_not_paid', amount: '1.00' },
      '400, amount This kind of claim has no amount.',
    ],
    [{ order: id, kind: 'wrong_amount' }, '400, amount This kind of claim has an amount.'],
    [{ order: id, kind: 'wrong_amount', amount: '1000.00' }, '400, amount This is the price of the order.'],
    [{ order: id, kind: 'wrong_amount', amount: '0.00' }, '400, amount Value is too low.'],
    [
      { order: id, kind: 'false_note', amount: '1000.01' },
      '400, amount Value is more than the price of the order.',
    ],
    [
      { order: id, kind: 'wrong_amount', amount: '1.001' },
      '400, amount Ensure that there are no more than 2 decimal places.',
    ],
    [{ order: id, kind: 'false_note', amount: 'all' }, '400, amount A valid number is required.'],
    [
      { order: id, kind: 'credited_not_paid', text: 'a'.repeat(2001) },
      '400, text Ensure this field has no more than 2000 characters.',
    ],
  ]
  for (const [body, expected] of rows) assert.is(ending(await ask(merchants, { body })), expected)
  assert.is((await ask(merchants)).json.results.length, 1)
  assert.is(ending(await ask(`${merchants}?cursor=x`)), '400, cursor Invalid cursor.')
})

test('the same message is one claim, whether it has an Idempotency-Key or not', async () => {
  const { id } = await orderIn(node, 'PAY_IN', 'COMPLETED')
  const body = { order: id, kind: 'twice' }
  const one = { as: 'mk_shop', method: 'POST', path: merchants, body, at: 7 }
  const [first, second] = [await node.request(one), await node.request(one)]
  assert.equal([first.status, second.text], [201, first.text])
  const keyed = { order: id, kind: 'false_note', amount: '5.00' }
  const third = await ask(merchants, { body: keyed, key: 'a' })
  assert.equal((await ask(merchants, { body: keyed, key: 'a' })).text, third.text)
  assert.is((await ask(merchants, { body, key: 'a' })).status, 422)
  assert.is((await ask(merchants)).json.results.length, 2)
})

test('what is not signed opens nothing and reads nothing', async () => {
  for (const path of [merchants, providers]) {
    assert.is((await node.request({ method: 'POST', path, body: { order: 'a', kind: 'twice' } })).status, 403)
    assert.is((await node.request({ path: `${path}1/` })).status, 403)
  }
})

test('the client knows claims', async () => {
  const { id } = await orderIn(node, 'PAY_IN', 'COMPLETED')
  const client = createMerchantClient({
    url: node.publicUrl,
    key: 'mk_shop',
    secret: secretOf('mk_shop'),
    now: () => node.clock.now(),
  })
  const made = await client.createMerchantClaim({ body: { order: id, kind: 'twice' } })
  assert.is((await client.getMerchantClaim({ number: `${made.number}` })).texts.length, 0)
})

test.run()
