/** Lists as each operator likes them: their columns, their saved filters, and turned round by the head of a column. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ConsoleVisitor,
  type ConsoleWorld,
  startConsoleWorld,
  visitorAs,
} from '../../support/console.ts'

let world: ConsoleWorld
let visitor: ConsoleVisitor

test.before(async () => {
  world = await startConsoleWorld()
  visitor = await visitorAs(world.node, 'viewer')
})

test.after(() => world.stop())

const heads = (text: string) =>
  [...text.matchAll(/<th [^>]*>([\s\S]*?)<\/th>/g)].map(([, head = '']) =>
    head.replace(/<[^>]*>/g, '').trim(),
  )

const ids = (text: string) =>
  [...text.matchAll(/<a href="\/orders\/([0-9a-f-]{36})"/g)].map(([, id = '']) => id)

test('each operator chooses the columns of a list, which its file has, too; nobody else sees others for it', async () => {
  const before = heads((await visitor.get('/orders')).text)
  assert.equal(before.slice(0, 4), ['Order', 'Status', 'Amount', 'Kind'])
  const form = { list: 'orders', 'column-status': 'yes', 'column-created': 'yes', form_page: '/orders' }
  const sent = await visitor.post('/list/set-columns', form)
  assert.equal(
    [sent.status, sent.headers.get('location')?.split('*')[0]],
    [303, '/orders?done=list.setColumns'],
  )
  assert.equal(heads((await visitor.get('/orders')).text), ['Order', 'Status', 'Created ↓'])
  const file = await visitor.get(`/list.csv?${new URLSearchParams({ page: '/orders', list: 'orders' })}`)
  assert.match(file.text, /^\ufeff?"Order","Status","Created"\r\n/)
  const other = await visitorAs(world.node, 'operator')
  assert.equal(heads((await other.get('/orders')).text), before)
  await visitor.get('/orders')
  await visitor.post('/list/set-columns', { list: 'orders', form_page: '/orders' })
  assert.equal(heads((await visitor.get('/orders')).text), before, 'none at all is all of them')
})

test('a filter is saved under a name, leads to its list again, is replaced and removed', async () => {
  await visitor.get('/orders?status=READY&merchant=Shop&cursor=&done=x')
  const [, query = ''] = /name="query" value="([^"]*)"/.exec(visitor.page) ?? []
  assert.is(query, 'status=READY&amp;merchant=Shop')
  const save = (name: string, of: string) =>
    visitor.post('/list/save-filter', { list: 'orders', name, query: of, form_page: '/orders' })
  assert.is((await save('Ready <b>ones</b>', 'status=READY&merchant=Shop')).status, 303)
  const { text } = await visitor.get('/orders')
  assert.match(text, /href="\/orders\?status=READY&amp;merchant=Shop"[^>]*>[\s\S]{0,40}Ready &lt;b&gt;ones/)
  await save('Ready <b>ones</b>', 'status=CREATED')
  assert.match((await visitor.get('/orders')).text, /href="\/orders\?status=CREATED"/)
  assert.not.match((await (await visitorAs(world.node, 'operator')).get('/orders')).text, /status=CREATED"/)
  await visitor.get('/orders')
  const wrong = await save('x', 'status=READY"><script>alert(1)</script> ')
  assert.not.match(wrong.text, /<script>alert/)
  await visitor.get('/orders')
  const removed = { list: 'orders', name: 'Ready <b>ones</b>', form_page: '/orders' }
  assert.is((await visitor.post('/list/remove-filter', removed)).status, 303)
  assert.not.match((await visitor.get('/orders')).text, /status=CREATED"/)
})

test('there are so many filters and no more', async () => {
  for (let count = 0; count < 30; count++)
    await world.ask('list.saveFilter', { list: 'orders', name: `n ${count}`, query: 'status=READY' }, 'eva')
  const one = { list: 'orders', name: 'one more', query: '' }
  const refused = await world.ask('list.saveFilter', one, 'eva').catch((error: unknown) => error)
  assert.match(String(refused), /There are 30 filters already/)
  await world.ask('list.saveFilter', { ...one, name: 'n 7' }, 'eva')
})

test('the head of a column turns the list round, page after page', async () => {
  const newest = ids((await visitor.get('/orders')).text)
  assert.match(visitor.page, /<th [^>]*aria-sort="descending"[^>]*><a href="\/orders\?sort=oldest"/)
  const oldest = ids((await visitor.get('/orders?sort=oldest')).text)
  assert.match(visitor.page, /aria-sort="ascending"[^>]*><a href="\/orders\?"/)
  assert.ok(newest.length > 3)
  assert.equal(oldest, newest.toReversed())
  const paged: string[] = []
  let cursor: string | null = null
  do {
    const input = { limit: 2, oldestFirst: true, from: '2026-03-01', ...(cursor === null ? {} : { cursor }) }
    const page = (await world.ask('order.list', input, 'eva')) as {
      orders: { id: string }[]
      next: string | null
    }
    paged.push(...page.orders.map(({ id }) => id))
    cursor = page.next
  } while (cursor !== null)
  assert.equal(paged, oldest)
  for (const path of ['/webhooks', '/exceptions']) {
    const [first = '', ...others] = heads((await visitor.get(`${path}?sort=oldest`)).text)
    assert.ok(
      others.some((head) => head.endsWith('↑')),
      `${path} ${first}`,
    )
  }
})

test('orders are found by their amount', async () => {
  const { text } = await visitor.get('/search?q=40%2C000+mxn')
  const location = (await visitor.get('/search?q=40000.00+MXN')).headers.get('location')
  assert.is(location, `/orders/${world.orders.waiting}`)
  assert.ok(text !== undefined)
  const many = await visitor.get('/search?q=1000.00+MXN')
  assert.ok(ids(many.text).length > 3)
})

test.run()
