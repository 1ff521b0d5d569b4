/** Foreign-currency orders over HTTP: protocol 2.3, 4.3 and 7. */

import { randomUUID } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { recordBuilt } from '../../../actors/chains/transactions.ts'
import { associatedTokenAccount, tokenProgram } from '../../../chain/solana/addresses.ts'
import { unreachableMonad, unreachableSolana, unreachableStellar } from '../../support/chains/unreachable.ts'
import {
  secretOf,
  startTestNode,
  stopTestNode,
  type TestAnswer,
  type TestNode,
  type TestRequest,
  testParties,
} from '../../support/node.ts'
import { foreignOrder, testRate } from '../../support/order-requests.ts'

const path = '/api/v1/merchants/orders/pay-out/'
const solanaWallet = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const stellarWallet = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'

let node: TestNode
test.before(async () => {
  node = await startTestNode({
    env: { ...unreachableSolana, ...unreachableStellar, ...unreachableMonad },
    parties: { ...testParties, rates: [testRate('SOLANA', 'STELLAR', 'MONAD')] },
  })
})
test.after(() => stopTestNode(node))

async function quoteFor(blockchain = 'SOLANA', as = 'mk_shop'): Promise<string> {
  const body = {
    blockchain,
    send: '100',
    send_currency: 'USDC',
    target_country: 'MX',
    target_currency: 'MXN',
  }
  const answer = await node.request({ as, path: '/api/v1/merchants/quotes/', body })
  assert.is(answer.status, 201)
  return answer.json.id
}

function create(changes: Record<string, unknown>, request: Partial<TestRequest> = {}): Promise<TestAnswer> {
  const body = {
    ...foreignOrder,
    merchant_order_id: randomUUID(),
    wallet: solanaWallet,
    expiry: new Date(node.clock.now() + 86_400_000).toISOString(),
    ...changes,
  }
  return node.request({ as: 'mk_shop', path, body, ...request })
}

/** `attr code` of each error. */
const problemsOf = ({ json }: TestAnswer): string[] =>
  json.errors.map(({ attr, code }: { attr: string; code: string }) => `${attr} ${code}`)

test('the answer is the order of protocol 2.3, in its order, with no transaction yet and its direction', async () => {
  const quote = await quoteFor()
  const { status, text, json } = await create({ quote, merchant_order_id: 'first' })
  assert.is(status, 201)
  assert.is(
    text,
    JSON.stringify({
      id: json.id,
      order_type: 'ForeignCurrencyOrder',
      country: 'MX',
      price: '1674.50',
      price_currency: 'MXN',
      description: foreignOrder.description,
      merchant_order_id: 'first',
      status: 'CREATED',
      notify_url: foreignOrder.notify_url,
      redirect_url: json.redirect_url,
      return_url: foreignOrder.return_url,
      consumer_email: json.consumer_email,
      consumer_phone_number: json.consumer_phone_number,
      expiry: json.expiry,
      paid: null,
      quote,
      wallet: solanaWallet,
      transaction: '',
      direction: 'PAY_OUT',
    }),
  )
})

test('a look and the list show the same without a direction', async () => {
  const created = await create({ quote: await quoteFor() })
  const { direction: _, ...order } = created.json
  const look = await node.request({ as: 'mk_shop', path: `${path}${order.id}/` })
  assert.equal(look.json, order)
  const listed = await node.request({
    as: 'mk_shop',
    path: `${path}?merchant_order_id=${order.merchant_order_id}`,
  })
  assert.equal(listed.json.results, [order])
})

test('what was built is not shown again without the chain, and the providers see the order like any', async () => {
  const { json: order } = await create({ quote: await quoteFor() })
  const at = node.clock.now()
  const assembled = { transaction: 'AQID', signableUntil: at + 45_000, landsUntil: at + 120_000 }
  const context = { store: node.core.store, ...node.core.orders.context }
  await recordBuilt(context, { orderId: order.id, amount: 100_000_000n, assembled, treasury: 'treasury' })
  const look = () => node.request({ as: 'mk_shop', path: `${path}${order.id}/` })
  assert.is((await look()).json.transaction, '')
  const code = (await node.core.orders.find(order.id))?.order.code
  const seen = await node.request({ as: 'pk_a', path: `/api/v1/providers/orders/pay-out/${code}/` })
  assert.equal([seen.json.status, seen.json.price], ['CREATED', '1674.50'])
})

test('a quote makes one order, whoever asks first', async () => {
  const quote = await quoteFor()
  const made = await Promise.all(Array.from({ length: 25 }, () => create({ quote })))
  const refused = made.filter(({ status }) => status === 400)
  assert.is(made.filter(({ status }) => status === 201).length, 1)
  assert.is(refused.length, 24)
  for (const answer of refused) {
    assert.equal(answer.json.errors, [
      { attr: 'quote', code: 'invalid', detail: 'This quote has already been used.' },
    ])
  }
})

test('a quote that is unknown, another merchant’s or past its time is refused on its field', async () => {
  const unknown = randomUUID()
  assert.equal((await create({ quote: unknown })).json.errors, [
    { attr: 'quote', code: 'does_not_exist', detail: `Invalid pk "${unknown}" - object does not exist.` },
  ])
  const others = await quoteFor('SOLANA', 'mk_other')
  assert.equal(problemsOf(await create({ quote: others })), ['quote does_not_exist'])
  const quote = await quoteFor()
  node.clock.advance(300_000)
  assert.equal((await create({ quote })).json.errors, [
    { attr: 'quote', code: 'invalid', detail: 'This quote has expired.' },
  ])
})

test('a wallet has to be one of its chain that can sign', async () => {
  const quote = await quoteFor('STELLAR')
  const muxed = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'
  for (const wallet of [solanaWallet, muxed, 'nobody']) {
    assert.equal(problemsOf(await create({ quote, wallet })), ['wallet invalid'], wallet)
  }
  assert.is((await create({ quote, wallet: stellarWallet })).status, 201)
})

test('the treasury is nobody’s wallet, however it is written', async () => {
  const solana = new PublicKey(unreachableSolana.VENTANILLA_CHAINS_SOLANA_TREASURY)
  const usdc = new PublicKey('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU')
  const tokenAccount = associatedTokenAccount(solana, usdc, tokenProgram).toBase58()
  const stellar = unreachableStellar.VENTANILLA_CHAINS_STELLAR_TREASURY
  const monad = unreachableMonad.VENTANILLA_CHAINS_MONAD_TREASURY
  const upper = `0x${monad.slice(2).toUpperCase()}`
  const wallets: Readonly<Record<string, readonly string[]>> = {
    SOLANA: [solana.toBase58(), ` ${solana.toBase58()} `, tokenAccount],
    STELLAR: [stellar, stellar.toLowerCase()],
    MONAD: [monad, monad.toLowerCase(), upper],
  }
  for (const [blockchain, spellings] of Object.entries(wallets)) {
    const quote = await quoteFor(blockchain)
    for (const wallet of spellings)
      assert.equal(problemsOf(await create({ quote, wallet })), ['wallet invalid'], `${blockchain} ${wallet}`)
  }
})

test('all that is wrong is told at once, quote and wallet too', async () => {
  const quote = await quoteFor()
  assert.is((await create({ quote })).status, 201)
  const answer = await create({
    quote,
    wallet: 'nobody',
    description: '',
    expiry: '2020-01-01T00:00:00Z',
    consumer_email: 'x',
  })
  assert.equal(problemsOf(answer), [
    'quote invalid',
    'description blank',
    'expiry invalid',
    'consumer_email invalid',
    'wallet invalid',
  ])
})

test('a duplicate merchant_order_id is refused, over both kinds of order, and leaves the quote', async () => {
  const quote = await quoteFor()
  await create({ quote: await quoteFor(), merchant_order_id: 'twice' })
  const again = await create({ quote, merchant_order_id: 'twice' })
  assert.equal(problemsOf(again), ['merchant_order_id unique'])
  assert.is((await create({ quote })).status, 201)
})

test('an Idempotency-Key repeats the creation, its quote being used', async () => {
  const changes = { quote: await quoteFor(), merchant_order_id: 'kept' }
  const headers = { 'Idempotency-Key': 'foreign-1' }
  const first = await create(changes, { headers })
  const second = await create(changes, { headers, at: 1 })
  assert.equal([second.status, second.text], [201, first.text])
})

test('a merchant that is no longer enabled for the pair gets no order from its quote', async () => {
  const secret = secretOf('mk_brief')
  const brief = (directions: string[]) => ({
    merchants: [
      {
        name: 'Brief Shop',
        credentials: [{ key: 'mk_brief', secret }],
        pairs: [{ country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00', directions }],
      },
    ],
  })
  await node.apply(brief(['PAY_OUT']))
  const quote = await quoteFor('SOLANA', 'mk_brief')
  await node.apply(brief(['PAY_IN']))
  const answer = await create({ quote }, { as: 'mk_brief' })
  assert.is(answer.status, 400)
  assert.match(answer.json.detail, 'No matching configuration found')
})

test.run()
