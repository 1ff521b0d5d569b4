import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listFileHref } from '../../../http/console/list-links.ts'
import { addOperators, type ConsoleVisitor, dispatchOf, visitorAs } from '../../support/console.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`

let node: TestNode
let visitor: ConsoleVisitor
const ids: string[] = []

async function make(fields: Record<string, unknown>): Promise<string> {
  const path = '/api/v1/merchants/orders/pay-out/'
  const { json } = await node.request({ as: 'mk_shop', path, body: payOutBody(fields) })
  ids.push(json.id)
  return json.id
}

test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
  await node.apply({
    merchants: [
      { name: hostile, contact: hostile, pairs: [{ country: 'MX', currency: 'MXN', min: '1', max: '2' }] },
    ],
    providers: [{ name: `till ${hostile}`, contact: hostile, networks: ['9'] }],
  })
  visitor = await visitorAs(node, 'administrator')
})

test.after(() => stopTestNode(node))

test('markup in what others wrote is inert on every page', async () => {
  const id = await make({
    description: hostile,
    merchant_order_id: hostile,
    return_url: 'https://a.example/',
  })
  await dispatchOf(node)('order.cancel', { id, reason: hostile }, hostile.slice(0, 60))
  const name = encodeURIComponent(hostile)
  const paths = [
    '/',
    '/orders',
    `/orders?q=${name}&merchant=${name}`,
    `/orders?status=${name}`,
    `/orders?from=${name}&to=${name}&provider=${name}`,
    listFileHref(`/orders?from=${name}`, 'orders'),
    `/orders/${id}`,
    `/inspect/orders/${id}`,
    '/inspect/',
    '/parties',
    `/merchants/${name}`,
    `/providers/${encodeURIComponent(`till ${hostile}`)}`,
    '/webhooks',
    `/webhooks?merchant=${name}`,
    `/audit?operator=${name}`,
    '/audit',
    `/?done=${name}`,
    `/sign-in?to=${name}&done=${name}`,
    `/merchants/${name}${name}`,
  ]
  for (const path of paths) {
    const { text, headers } = await visitor.get(path)
    assert.not.match(text, /<script>alert|<img/, path)
    assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'self'; script-src 'self';/,
    )
  }
  await visitor.get('/orders')
  const form = { id, reason: hostile, revision: '1', form_page: `/orders/${id}"><script>alert(1)</script>` }
  const { text, status } = await visitor.post('/order/cancel', form)
  assert.is(status, 409)
  assert.not.match(text, /<script>alert|<img/)
})

test('markup in what merchants’ receivers answer, and in the headers of a request, is inert', async () => {
  const receiver = createServer((request, response) => {
    request.resume()
    response
      .writeHead(404, hostile.slice(0, 60), { 'Content-Type': 'text/html', Server: hostile })
      .end(hostile)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const id = await make({ notify_url: `http://127.0.0.1:${port}/hook` })
  await dispatchOf(node)('order.cancel', { id, reason: 'Made twice' }, 'test')
  const dead = async () => {
    const listed = (await dispatchOf(node)('webhook.list', { order: id, state: 'dead' }, 'test')) as {
      webhooks: { id: string }[]
    }
    return listed.webhooks[0]?.id
  }
  await node.until(async () => (await dead()) !== undefined)
  receiver.close()
  receiver.closeAllConnections()
  const shown = await visitor.get(`/webhooks/${await dead()}`)
  assert.match(shown.text, /&lt;script&gt;alert\(1\)/)
  assert.not.match(shown.text, /<script>alert|<img/)
  const names = ['User-Agent', 'X-Forwarded-For', 'X-Forwarded-Proto', 'Operator-Name', 'Accept-Language']
  const headers = Object.fromEntries(names.map((name) => [name, hostile]))
  for (const path of [
    '/',
    '/orders',
    '/quarantined',
    `/orders/${id}`,
    '/audit',
    '/account',
    '/sign-in',
    '/nothing',
  ]) {
    assert.not.match((await visitor.get(path, headers)).text, /<script>alert|<img/, path)
  }
})

test('a table for a spreadsheet has no formula in it', async () => {
  await make({ merchant_order_id: '=HYPERLINK("http://evil.example")' })
  await make({ merchant_order_id: '+1+cmd|x' })
  const { text, headers } = await visitor.get(listFileHref('/orders', 'orders'))
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="orders\.csv"$/)
  assert.match(headers.get('content-type') ?? '', /^text\/csv; charset=utf-8$/)
  assert.match(text, /,"'=HYPERLINK\(""http:\/\/evil\.example""\)",/)
  assert.match(text, /,"'\+1\+cmd\|x",/)
  assert.match(text, /\r\n"[\w-]{36}",.*,1000\.00,"MXN",.*,"'\d{15}",/)
  assert.is(text.split('\r\n').length - 2, ids.length)
})

test('viewers get no codes in their table either', async () => {
  const viewer = await visitorAs(node, 'viewer')
  const { text } = await viewer.get(listFileHref('/orders', 'orders'))
  assert.match(text, /•••\d{4}/)
  assert.not.match(text, /\d{15}/)
})

test('an order is found by its id, its code and the id the merchant gave it', async () => {
  const id = await make({ merchant_order_id: 'shoes-4711' })
  const code = (await node.core.orders.find(id))?.order.code ?? ''
  for (const text of [id, id.toUpperCase(), code, code.replace(/(.{4})/g, '$1 '), 'shoes-4711']) {
    const { text: page } = await visitor.get(`/orders?q=${encodeURIComponent(text)}`)
    const found = [...page.matchAll(/href="\/orders\/([0-9a-f-]{36})"/g)].map(([, each]) => each)
    assert.equal(found, [id], text)
  }
  assert.match((await visitor.get('/orders?q=sandals')).text, /No order has this id/)
})

test('orders are narrowed by provider and by days, and what is wrong with a filter is told beside it', async () => {
  const id = await make({})
  await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  const code = (await node.core.orders.find(id))?.order.code
  const payment = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  await node.request({
    as: 'pk_a',
    path: `/api/v1/providers/orders/pay-out/${code}/start-payment/`,
    body: payment,
  })
  const found = async (query: string) => {
    const { text, status } = await visitor.get(`/orders?${query}`)
    assert.is(status, 200, query)
    return [...text.matchAll(/href="\/orders\/([0-9a-f-]{36})"/g)].map(([, each]) => each)
  }
  assert.equal(await found('provider=Network+A'), [id])
  assert.equal(await found('provider=Network+A&from=2026-03-01&to=2026-03-01&merchant=&q=&status='), [id])
  assert.equal(await found('provider=Network+A&to=2026-02-28'), [])
  assert.match(
    (await visitor.get(listFileHref('/orders?provider=Network+A', 'orders'))).text,
    new RegExp(`^"Order",.*\r\n"${id}",.*\r\n$`),
  )
  const wrong = [
    ['from=tomorrow', 'from', '"tomorrow" is no day such as 2026-03-01.'],
    ['to=2026-02-30&provider=Network+A', 'to', '"2026-02-30" is no day such as 2026-03-01.'],
    ['from=2026-03-02&to=2026-03-01', 'to', 'It lies before the first day.'],
    ['provider=Nobody', 'provider', 'There is no provider Nobody.'],
    ['merchant=Nobody', 'merchant', 'There is no merchant Nobody.'],
    [`from=${encodeURIComponent(hostile)}`, 'from', ' is no day such as 2026-03-01.'],
  ]
  for (const [query = '', field, sentence = ''] of wrong) {
    const { text, status } = await visitor.get(`/orders?${query}`)
    assert.is(status, 200, query)
    assert.not.match(text, /<script>alert|<img/)
    const [, told = ''] =
      new RegExp(`<p class="problem" id="f0-${field}-problem">([^<]*)</p>`).exec(text) ?? []
    assert.ok(told.replaceAll('&quot;', '"').endsWith(sentence), `${query}: ${told}`)
    assert.match(
      text,
      new RegExp(`name="${field}"[^>]*aria-invalid="true" aria-describedby="f0-${field}-problem"`),
    )
    const file = await visitor.get(listFileHref(`/orders?${query}`, 'orders'))
    assert.is(file.status, 400, 'what is refused is no file')
  }
})

test('a part of a name narrows a list where no other party has it, and is told where several have it', async () => {
  const led: [path: string, to: string | null][] = [
    ['/orders?provider=network+A&status=READY', '/orders?provider=Network+A&status=READY'],
    ['/orders?provider=work+a', '/orders?provider=Network+A'],
    ['/orders?provider=network', null],
    ['/orders?provider=Network+A', null],
    ['/webhooks?merchant=%C3%B3ther', '/webhooks?merchant=Other+Shop'],
    ['/statements?party=other&currency=MXN', '/statements?party=Other+Shop&currency=MXN'],
  ]
  for (const [path, to] of led) assert.is((await visitor.get(path)).headers.get('location'), to, path)
})

test('lists go on where they ended', async () => {
  for (let count = ids.length; count < 60; count++) await make({})
  const seen = new Set<string>()
  let path: string | undefined = '/orders'
  while (path !== undefined) {
    const { text } = await visitor.get(path)
    for (const [, id = ''] of text.matchAll(/href="\/orders\/([0-9a-f-]{36})"/g)) seen.add(id)
    path = /href="(\/orders\?[^"]*cursor=[^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.is(seen.size, ids.length)
  assert.is((await visitor.get('/orders?cursor=nonsense')).status, 400)
})

test('a form that comes too late changes nothing, and says how it is now', async () => {
  const id = await make({})
  await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  const { text } = await visitor.get(`/orders/${id}`)
  const revision = /name="revision" value="(\d+)"/.exec(text)?.[1] ?? ''
  const ask = dispatchOf(node)
  const code = (await node.core.orders.find(id))?.order.code
  const payment = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  const path = `/api/v1/providers/orders/pay-out/${code}/start-payment/`
  await node.request({ as: 'pk_a', path, body: payment })
  const late = await visitor.post('/order/cancel', {
    id,
    revision,
    reason: 'Made twice',
    form_page: `/orders/${id}`,
  })
  assert.is(late.status, 409)
  assert.match(late.text, /It has changed/)
  assert.match(late.text, /Nothing was changed\. This is its current state\./)
  assert.match(late.text, />Made twice<\/textarea>/, 'what was typed is still there')
  assert.match(late.text, /<dialog open class="panel"/)
  const order = (await ask('order.show', { id }, 'test')) as { status: string }
  assert.is(order.status, 'PAYMENT_STARTED')
})

test('what is missing in a form is told above it', async () => {
  const { status, text } = await visitor.post('/party/freeze', {
    name: 'Shop',
    kind: 'merchant',
    reason: ' ',
    form_page: '/merchants/Shop',
  })
  assert.is(status, 400)
  assert.match(text, /reason: /)
  assert.match(text, /<h1>Shop<\/h1>/)
})

test('what there is not is told as a page, and what the console has not is passed on', async () => {
  const unknown = await visitor.get('/orders/00000000-0000-4000-8000-000000000000')
  assert.is(unknown.status, 404)
  assert.match(unknown.text, /There is no order/)
  assert.is((await visitor.get('/nothing/here')).status, 404)
  assert.is((await visitor.get('/%E0%A4%A')).status, 404)
})

test.run()
