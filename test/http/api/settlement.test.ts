/** Balances and statements as the parties themselves ask for them: protocol 4.2 and 15.10. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMerchantClient, createProviderClient, NotFound } from '../../../client/index.ts'
import { settlementRoutes } from '../../../http/api/settlement.ts'
import { dispatchOf } from '../../support/console.ts'
import { secretOf, startTestNode, stopTestNode, type TestAnswer, type TestNode } from '../../support/node.ts'
import { commit, inOrderWorld, type OrderWorld, shop, tills } from '../../support/order-world.ts'
import { call, newOrder, type OrderOfTest } from '../../support/orders.ts'
import { close, seal } from '../../support/payment-world.ts'
import { addWires, closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
type Party = typeof shop | (typeof tills)['A']

let node: TestNode
let payIn: OrderOfTest
/** Two sealed statements of the shop and of Network A each, and a pay-in since. */
test.before(async () => {
  node = await startTestNode()
  const ask = dispatchOf(node)
  const closeBoth = async () => {
    for (const party of ['Shop', 'Network A']) {
      await ask('statement.close', { party, currency: 'MXN' }, 'test')
    }
  }
  const paid = async () => {
    const order = await newOrder(node, 'PAY_IN')
    for (const action of ['start', 'confirm'] as const) {
      assert.is((await call(node, order, action)).status, 200)
    }
    return order
  }
  payIn = await paid()
  await closeBoth()
  node.clock.advance(86_400_000)
  await paid()
  await addWires(node, 4)
  await closeBoth()
  await closerOf({ ...node.core, clock: node.clock }).pass()
  await paid()
})
test.after(() => stopTestNode(node))

const base = { merchant: '/api/v1/merchants/', provider: '/api/v1/providers/' } as const
const get = (as: string, path: string, method = 'GET') =>
  node.request({ as, method, path: base[as.startsWith('mk') ? 'merchant' : 'provider'] + path })
const numbers = ({ json }: TestAnswer): number[] => json.results.map((one: { number: number }) => one.number)

/** `status`, and of an error `attr code` of each of its items. */
function ending({ status, json }: TestAnswer): string {
  const errors: { attr: string | null; code: string }[] = json.errors ?? []
  return [status, ...errors.map(({ attr, code }) => `${attr} ${code}`)].join(', ')
}

test('balances are those of the merchant, by currency', async () => {
  assert.equal((await get('mk_shop', 'balances/')).json, {
    results: [
      {
        currency: 'MXN',
        available: '1000.00',
        reserved: '0.00',
        payable: '102004.00',
        in_transit: '0.00',
        suspense: '0.00',
        debt: '0.00',
      },
    ],
  })
  assert.equal((await get('mk_other', 'balances/')).json, { results: [] })
})

const at = '2026-03-01T12:00:00.000Z'
const [fee, tax] = ['0.00', '0.00']

test('a merchant reads its statement with its own orders, and what it adds up', async () => {
  const { digest, ...whole } = (await get('mk_shop', 'statements/1/?currency=MXN')).json
  assert.match(digest, /^[0-9a-f]{64}$/)
  const { merchant_order_id } = (await get('mk_shop', `orders/pay-in/${payIn.id}/`)).json
  const line = { day: '2026-03-01', about_day: null, at, fee, tax }
  const deposit = { kind: 'deposit', direction: null, amount: '100000.00' }
  const order = { kind: 'settle', direction: 'PAY_IN', amount: '1000.00' }
  assert.equal(whole, {
    number: 1,
    currency: 'MXN',
    from: '2026-03-01',
    to: '2026-03-01',
    closed: at,
    opening: '0.00',
    closing: '101000.00',
    due: '101000.00',
    open: '101000.00',
    due_on: '2026-03-01',
    line_count: 2,
    previous_digest: '',
    sums: [
      { ...deposit, lines: 1, fee, tax },
      { ...order, lines: 1, fee, tax },
    ],
    lines: [
      { ...line, ...deposit, line: 1, order_id: null, reference: 'opening', balance: '100000.00' },
      {
        ...line,
        ...order,
        line: 2,
        order_id: payIn.id,
        reference: merchant_order_id,
        balance: '101000.00',
      },
    ],
    next: null,
  })
  assert.is((await get('mk_shop', 'statements/2/?currency=MXN')).json.previous_digest, digest)
})

test('a provider reads its statement, and nothing in it opens a checkout page', async () => {
  const { json, text } = await get('pk_a', 'statements/1/?currency=MXN')
  const { kind, direction, amount } = { kind: 'settle', direction: 'PAY_IN', amount: '-1000.00' }
  assert.equal(
    [json.due, json.sums, json.lines],
    [
      '-1000.00',
      [{ kind, direction, lines: 1, amount, fee, tax }],
      [
        {
          line: 1,
          day: '2026-03-01',
          about_day: null,
          at,
          kind,
          direction,
          network_id: '0001',
          reference: null,
          amount,
          fee,
          tax,
          balance: amount,
        },
      ],
    ],
  )
  assert.not.match(text, payIn.id)
  assert.not.match(text, payIn.code)
})

test('lists have what is sealed of the party that asks, the latest first, in pages', async () => {
  for (const as of ['mk_shop', 'pk_a']) {
    const first = await get(as, 'statements/?limit=1')
    const second = await get(as, `statements/?limit=1&cursor=${first.json.next}`)
    assert.equal([numbers(first), numbers(second), second.json.next], [[2], [1], null], as)
    const whole = await get(as, 'statements/?currency=MXN')
    assert.equal([numbers(whole), whole.json.next], [[2, 1], null], as)
    assert.is(numbers(await get(as, 'statements/?currency=CLP')).length, 0, as)
    // What it lists is what the statement itself says.
    const { lines: _, sums: __, next: ___, ...head } = (await get(as, 'statements/2/?currency=MXN')).json
    assert.equal(whole.json.results[0], head, as)
  }
  for (const as of ['mk_other', 'pk_b']) {
    assert.is((await get(as, 'statements/')).text, '{"results":[],"next":null}', as)
  }
})

test('lines come in pages, each once, and sums with the first alone', async () => {
  const lines: number[] = []
  const withSums: boolean[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`
    const { json } = await get('mk_shop', `statements/2/?currency=MXN&limit=2${after}`)
    lines.push(...json.lines.map(({ line }: { line: number }) => line))
    withSums.push('sums' in json)
    cursor = json.next
  }
  assert.equal(
    [lines, withSums],
    [
      [1, 2, 3, 4, 5],
      [true, false, false],
    ],
  )
})

const cursorOf = (text: string) => Buffer.from(text).toString('base64url')

/** What each is answered, for both kinds of party. */
const rows: readonly (readonly [path: string, ending: string])[] = [
  ['statements/2/?currency=MXN', '200'],
  ['statements/2?currency=MXN', '200'],
  ['statements/2/?currency=%20MXN%20&limit=5000', '200'],
  // Unknown, of another currency, and no number at all.
  ['statements/3/?currency=MXN', '404, null not_found'],
  ['statements/4/?currency=MXN', '404, null not_found'],
  ['statements/2/?currency=CLP', '404, null not_found'],
  ['statements/2/?currency=mxn', '404, null not_found'],
  ['statements/0/?currency=MXN', '404, null not_found'],
  ['statements/02/?currency=MXN', '404, null not_found'],
  ['statements/1e0/?currency=MXN', '404, null not_found'],
  ['statements/9999999999/?currency=MXN', '404, null not_found'],
  ['statements/x/', '404, null not_found'],
  ['statements/2/', '400, currency required'],
  ['statements/2/?currency=', '400, currency required'],
  ['statements/2/?currency=PESOS&limit=0', '400, currency max_length, limit min_value'],
  ['statements/2/?currency=M%00N', '400, currency null_characters_not_allowed'],
  ['statements/2/?currency=MXN&cursor=x', '400, cursor invalid'],
  ['statements/2/?currency=MXN&cursor=-1', '400, cursor invalid'],
  ['statements/2/?currency=MXN&cursor=5', '400, cursor invalid'],
  ['statements/?currency=PESOS&limit=ten', '400, currency max_length, limit invalid'],
  ['statements/?cursor=nonsense', '400, cursor invalid'],
  [`statements/?cursor=${cursorOf('1 MXN NaN')}`, '400, cursor invalid'],
  [`statements/?cursor=${cursorOf('1 M\0N 1')}`, '400, cursor invalid'],
  [`statements/?currency=CLP&cursor=${cursorOf('1 MXN 1')}`, '400, cursor invalid'],
]

for (const as of ['mk_shop', 'pk_a']) {
  test(`${as}: what is asked wrongly is refused in the words of other lists`, async () => {
    for (const [path, expected] of rows) assert.is(ending(await get(as, path)), expected, path)
  })
}

test('another’s statement is answered like one that never was', async () => {
  for (const [own, other] of [
    ['mk_shop', 'mk_other'],
    ['pk_a', 'pk_b'],
  ] as const) {
    const theirs = await get(other, 'statements/1/?currency=MXN')
    const unknown = await get(own, 'statements/9/?currency=MXN')
    assert.equal([theirs.status, theirs.text], [404, unknown.text])
  }
})

/** As if its signature had been verified; no worker of a node seals anything meanwhile. */
async function asked(store: OrderWorld['store'], party: Party, path: string, number = '', query = '') {
  const route = settlementRoutes({ store }).find((one) => one.path === path)
  const endpoint = route?.methods.GET?.endpoint
  if (endpoint === undefined) throw new Error(`There is no ${path}.`)
  const { kind, id: partyId, name, credential: key } = party
  return endpoint({
    identity: { kind, partyId, name, key, secret: '', isFrozen: false, requestsPerMinute: null },
    digest: '',
    messageDate: '',
    countRefusal: () => null,
    wantsTable: false,
    method: 'GET',
    path,
    params: { number },
    query,
    body: Buffer.alloc(0),
    document: {},
    idempotencyKey: null,
    isDryRun: false,
    note: () => {},
  })
}

play('an asset that only passed through on a blockchain is no balance', async (world) => {
  const currency = 'USDC.SOLANA/6'
  const debit = { kind: 'treasury', ownerId: '', currency } as const
  const credit = { kind: 'deposit', ownerId: shop.id, currency } as const
  const post = { kind: 'credit', debit, credit, amountMinor: 1n, orderId: null, reference: 'chain deposit' }
  await commit(world.store, [{ post }])
  await world.deposit(50n)
  const { results } = JSON.parse((await asked(world.store, shop, '/merchants/balances/')).body)
  assert.equal(
    results.map((one: { currency: string; available: string }) => [one.currency, one.available]),
    [['MXN', '0.50']],
  )
})

play('one that is closed and not sealed is neither listed nor there, until it is sealed', async (world) => {
  const { store } = world
  for (const party of [shop, tills.A] as const) {
    await close(world, party.id, { number: 1, dueMinor: 30_000n })
    await close(world, party.id, { number: 2, dueMinor: 20_000n, isSealed: false })
    const path = `/${party.kind}s/statements/`
    const listed = async () => {
      const { body } = await asked(store, party, path)
      return JSON.parse(body).results.map((one: { number: number }) => one.number)
    }
    const read = (number: string) => asked(store, party, `${path}:number/`, number, '?currency=MXN')
    assert.equal(await listed(), [1])
    assert.equal(await read('2'), await read('9'))
    await seal(store, party.id, 2)
    assert.equal([await listed(), (await read('2')).status], [[2, 1], 200])
  }
})

test('only a signed GET or HEAD of the party’s own kind is served', async () => {
  const paths = {
    merchant: ['balances/', 'statements/', 'statements/1/?currency=MXN'],
    provider: ['statements/', 'statements/1/?currency=MXN'],
  }
  for (const [kind, own, stranger] of [
    ['merchant', 'mk_shop', 'pk_a'],
    ['provider', 'pk_a', 'mk_shop'],
  ] as const) {
    for (const path of paths[kind].map((name) => base[kind] + name)) {
      const ask = async (as: string | undefined, method: string) =>
        (await node.request({ path, method, ...(as === undefined ? {} : { as }) })).status
      assert.equal([await ask(undefined, 'GET'), await ask(stranger, 'GET')], [403, 403], path)
      assert.equal([await ask(own, 'HEAD'), await ask(own, 'GET')], [200, 200], path)
    }
    for (const path of paths[kind].map((name) => base[kind] + name.replace(/\?.*/, ''))) {
      const posted = await node.request({ as: own, path, method: 'POST', body: {} })
      assert.is(ending(posted), '405, null method_not_allowed', path)
    }
  }
  const query = await node.request({
    as: 'mk_shop',
    path: `${base.merchant}balances/`,
    query: '?currency=MXN',
  })
  assert.match(query.text, /This path takes no query string\./)
  const added = await node.request({ as: 'mk_shop', path: `${base.merchant}statements/`, query: '?limit=1' })
  assert.is(added.status, 403, 'the query is signed')
})

test('the client has a method for each', async () => {
  const options = (key: string) => ({
    url: node.publicUrl,
    key,
    secret: secretOf(key),
    now: node.clock.now,
  })
  const merchant = createMerchantClient(options('mk_shop'))
  const provider = createProviderClient(options('pk_a'))
  assert.is((await merchant.getBalances()).results[0]?.payable, '102004.00')
  const query = { currency: 'MXN', limit: 1 }
  assert.is((await merchant.listMerchantStatements({ query })).results[0]?.number, 2)
  assert.is((await merchant.getMerchantStatement({ number: '1', query })).lines.length, 1)
  assert.is((await provider.listProviderStatements()).results.length, 2)
  assert.is((await provider.getProviderStatement({ number: '1', query })).lines[0]?.network_id, '0001')
  const unknown = await provider.getProviderStatement({ number: '3', query }).catch((error) => error)
  assert.instance(unknown, NotFound)
})

test.run()
