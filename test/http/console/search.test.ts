import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Found } from '../../../actors/search/operations.ts'
import { addOperators, type ConsoleVisitor, dispatchOf, visitorAs } from '../../support/console.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const email = 'Ana.Ruiz@mail.example'

let node: TestNode
let operator: ConsoleVisitor
let viewer: ConsoleVisitor

async function make(fields: Record<string, unknown> = {}): Promise<string> {
  const path = '/api/v1/merchants/orders/pay-out/'
  const { json } = await node.request({ as: 'mk_shop', path, body: payOutBody(fields) })
  return json.id
}

const codeOf = async (id: string) => (await node.core.orders.find(id))?.order.code ?? ''

/** Where a search leads, if it leads anywhere at once. */
async function leads(visitor: ConsoleVisitor, text: string): Promise<string | null> {
  const { headers } = await visitor.get(`/search?q=${encodeURIComponent(text)}`)
  return headers.get('location')
}

test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
  operator = await visitorAs(node, 'operator')
  viewer = await visitorAs(node, 'viewer')
})

test.after(() => stopTestNode(node))

test('whatever somebody has of an order leads to its page', async () => {
  const id = await make({ merchant_order_id: 'Shoes-4711', consumer_email: email })
  await make({ merchant_order_id: 'Shoes-4712', consumer_email: 'another@mail.example' })
  const code = await codeOf(id)
  const digits = id.replaceAll('-', '')
  const had = [
    id,
    id.toUpperCase(),
    digits,
    digits.slice(-6),
    `…${id.slice(-8)}`,
    digits.slice(-12),
    id.slice(0, 20),
    `https://console.example/orders/${id}?done=x`,
    code,
    code.replace(/(.{4})/g, '$1 '),
    code.replace(/(.{4})/g, '$1-').replace(/-$/, ''),
    'Shoes-4711',
    ' shoes-4711 '.toUpperCase().trim(),
    email,
    `<${email.toUpperCase()}>`,
  ]
  const found = await Promise.all(had.map((text) => leads(operator, text)))
  const wrong = had.filter((_, index) => found[index] !== `/orders/${id}`)
  assert.equal(wrong, ['SHOES-4711'], 'a merchant’s id in other letters is another one')
})

test('one that was changed to upper or lower letters as a whole is found all the same', async () => {
  const id = await make({ merchant_order_id: 'box-99a' })
  assert.is(await leads(operator, 'BOX-99A'), `/orders/${id}`)
})

test('viewers find by ids, and by neither codes nor e-mails', async () => {
  const id = await make({ consumer_email: 'viewed@mail.example' })
  assert.is(await leads(viewer, id.slice(-8)), `/orders/${id}`)
  for (const text of [await codeOf(id), 'viewed@mail.example']) {
    assert.is(await leads(viewer, text), null)
    const { text: page } = await viewer.get(`/search?q=${encodeURIComponent(text)}`)
    assert.match(page, /Nothing was found/)
    assert.not.match(page, new RegExp(id))
    assert.not.match(page, /codes of orders|e-mail addresses/)
  }
})

test('erasing a consumer takes away what finds them, and digests from before there were any are made', async () => {
  const ask = dispatchOf(node)
  const id = await make({ consumer_email: 'gone@mail.example' })
  await ask('order.cancel', { id, reason: 'x' }, 'test')
  const { store } = node.core
  const consumer = async () => {
    const { answer } = (await store.step({
      rows: { consumer: { table: 'consumers', key: { order_id: id } } },
      decide: ({ consumer: its }) => ({ answer: its, writes: [] }),
    })) as { answer: { email_digest: string | null } | null }
    return answer
  }
  assert.match((await consumer())?.email_digest ?? '', /^[\w-]{16}$/)
  assert.is(await leads(operator, 'gone@mail.example'), `/orders/${id}`)
  await ask('personal.erase', { order: id, reason: 'asked for' }, 'test')
  assert.is((await consumer())?.email_digest, null)
  assert.is(await leads(operator, 'gone@mail.example'), null)
})

test('a consumer’s telephone number leads to their order, however it is written, and for viewers to nothing', async () => {
  const id = await make({ consumer_phone_number: '+52 81 9876 5432' })
  await make({ consumer_phone_number: '+52 33 9876 5432' })
  for (const text of ['+528198765432', '81 9876-5432', '(81) 9876 5432', '0052 81 98765432'])
    assert.is(await leads(operator, text), `/orders/${id}`, text)
  const { text } = await operator.get('/search?q=9876+5432')
  assert.is(text.match(/href="\/orders\/[\w-]+"/g)?.length, 2, 'without its area it is either')
  assert.is(await leads(viewer, '+528198765432'), null)
  assert.not.match(
    (await viewer.get('/search?q=%2B528198765432')).text,
    new RegExp(`${id}|telephone numbers`),
  )
  await dispatchOf(node)('order.cancel', { id, reason: 'x' }, 'test')
  await dispatchOf(node)('personal.erase', { order: id, reason: 'asked for' }, 'test')
  assert.is(await leads(operator, '+528198765432'), null)
})

test('a part of a name finds merchants and providers, however it is spelt', async () => {
  assert.is(await leads(operator, 'other sh'), '/merchants/Other%20Shop')
  assert.is(await leads(operator, 'NETWORK a'), '/providers/Network%20A')
  const { text } = await operator.get('/search?q=network')
  assert.match(text, /Network A<[\s\S]*Network B</)
  assert.match(text, /value="network"/, 'the box still says it')
})

test('what is sent by the box where scripts run is in no address', async () => {
  const id = await make({ consumer_email: 'quiet@mail.example' })
  await operator.get('/')
  const sent = await operator.post('/search', { q: await codeOf(id) })
  assert.equal([sent.status, sent.headers.get('location')], [303, `/orders/${id}`])
  await operator.get('/')
  const none = await operator.post('/search', { q: 'nobody@mail.example' })
  assert.is(none.status, 200)
  assert.match(none.text, /Nothing was found[\s\S]*e-mail addresses of consumers/)
  assert.is((await operator.post('/search', { q: 'x', form_token: 'another’s' })).status, 403)
})

test('what merchants write is shown as they write it, in the place of the search', async () => {
  for (const merchant_order_id of ['Big-1', 'Big-2'])
    await make({ merchant_order_id, consumer_email: 'big@mail.example' })
  await operator.get('/orders')
  const { text } = await operator.post('/search', { q: 'big@mail.example', form_page: '/orders' })
  assert.match(text, />Big-1</)
  assert.match(text, />Big-2</)
  assert.not.match(text, /aria-current="page"/)
})

test('what looks like nothing is told what else there is', async () => {
  const { text } = await operator.get('/search?q=no+such+thing')
  assert.match(text, /was looked for among/)
  assert.match(text, /last six to twelve digits/)
  assert.match(text, /the whole of a code/)
  assert.match((await operator.get('/search')).text, /The key \//)
  assert.is((await operator.get(`/search?q=${'x'.repeat(600)}`)).status, 200)
})

test('every page has the box, and the way in has none', async () => {
  for (const path of ['/', '/orders', '/audit', '/account'])
    assert.match((await (path === '/audit' ? operator : viewer).get(path)).text, /action="\/search"/)
  const { text } = await fetch(`${node.operatorUrl}/sign-in`).then(async (r) => ({ text: await r.text() }))
  assert.not.match(text, /action="\/search"/)
})

test('what a network calls the payment of an order leads to it', async () => {
  const id = await make({ merchant_order_id: 'by its till' })
  await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  const path = `/api/v1/providers/orders/pay-out/${await codeOf(id)}/start-payment/`
  const body = { network_id: '0001', price: '1000.00', price_currency: 'MXN', reference: 'TILL-0042' }
  assert.is((await node.request({ as: 'pk_a', path, body })).status, 200)
  assert.is(await leads(operator, 'till-0042'), `/orders/${id}`)
})

test('references, numbers and transactions are looked up too', async () => {
  const ask = dispatchOf(node)
  await ask(
    'deposit.add',
    { merchant: 'Shop', currency: 'MXN', amount: '5.00', reference: 'SPEI 77', reason: 'x' },
    'test',
  )
  const found = (await ask('record.find', { text: 'spei 77' }, 'test')) as Found
  assert.equal(
    found.hits.map(({ kind, id, amount, party }) => [kind, id, amount, party?.name]),
    [['deposit', 'SPEI 77', '5.00', 'Shop']],
  )
})

test.run()
