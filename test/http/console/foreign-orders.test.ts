import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addOperators, dispatchOf, visitorAs } from '../../support/console.ts'
import { type ForeignWorld, openForeignWorld } from '../../support/foreign-world.ts'

let world: ForeignWorld

test.before(async () => {
  world = await openForeignWorld('STELLAR')
  await addOperators(world.node)
})

test.after(() => world.close())

test('a foreign order shows what was sent for it, and is played again with it', async () => {
  const { order, id, wallet } = await world.ready({ send: '100.00' })
  const transactionId = await world.sign(order)
  await world.finalize()
  await world.statusIs(id, 'READY')
  await world.payOut(id)
  const visitor = await visitorAs(world.node, 'operator')
  const { text } = await visitor.get(`/orders/${id}`)
  for (const shown of [transactionId, wallet.address, '100.00']) assert.ok(text.includes(shown), shown)
  assert.match(text, /s-payOutForeign-COMPLETED[^"]* on"/)

  const replay = (await dispatchOf(world.node)('order.replay', { id }, 'test')) as {
    chart: string
    steps: { event: string; to: string; differs: boolean }[]
  }
  assert.is(replay.chart, 'payOutForeign')
  assert.equal(
    replay.steps.map(({ event, to }) => `${event} ${to}`),
    [
      'order.create CREATED',
      'transaction.built CREATED',
      'funds.credit READY',
      'payment.start PAYMENT_STARTED',
      'payment.confirm COMPLETED',
    ],
  )
  assert.ok(replay.steps.every(({ differs }) => !differs))
})

test('the money of an order that was cancelled is sent back by a transaction that the console makes', async () => {
  const { order, id, wallet } = await world.ready({ send: '50.00' })
  await world.sign(order)
  await world.finalize()
  await world.statusIs(id, 'READY')
  const visitor = await visitorAs(world.node, 'operator')
  await visitor.get(`/orders/${id}`)
  await visitor.post('/order/cancel', { id, reason: 'Asked for' })
  const exception = /href="(\/exceptions\/[\w-]+)"/.exec((await visitor.get(`/orders/${id}`)).text)?.[1] ?? ''
  assert.match((await visitor.get(exception)).text, /action="\/exception\/refund"/)
  const form = { id: exception.slice('/exceptions/'.length), form_page: exception }
  const hostile = '"><img src=x onerror=alert(1)>'
  const wrong = await visitor.post('/exception/refund', { ...form, to: hostile })
  assert.is(wrong.status, 400)
  assert.match(wrong.text, /That is not a wallet of STELLAR/)
  assert.not.match(wrong.text, /<img/)
  const { status, text } = await visitor.post('/exception/refund', form)
  assert.is(status, 200)
  for (const shown of [wallet.address, '50.00 USDC', 'Unsigned transaction'])
    assert.ok(text.includes(shown), shown)
  const transaction = /<pre>([^<]+)<\/pre>/.exec(text)?.[1] ?? ''
  assert.is(world.chain.decode(transaction).to, wallet.address)

  await visitor.get(exception)
  const resolution = { ...form, as: 'refunded', reason: 'Sent', evidence: 'its id' }
  await visitor.post('/exception/resolve', resolution)
  assert.not.match((await visitor.get(exception)).text, /exception\/refund/)
  const viewer = await visitorAs(world.node, 'viewer')
  await viewer.get(exception)
  assert.is((await viewer.post('/exception/refund', form)).status, 403)
})

test('money that came for an order that has ended is credited to another one, which the operator names', async () => {
  const { order, id } = await world.ready({ send: '50.00' })
  const other = await world.ready({ send: '50.00' })
  const visitor = await visitorAs(world.node, 'operator')
  await visitor.get(`/orders/${id}`)
  await visitor.post('/order/cancel', { id, reason: 'Asked for' })
  await world.sign(order)
  await world.finalize()
  const found = async () => {
    const shown = await visitor.get('/exceptions')
    return /href="(\/exceptions\/[\w-]+)"[\s\S]{0,900}deposit unmatched/.exec(shown.text)?.[1]
  }
  await world.node.until(async () => (await found()) !== undefined)
  const exception = (await found()) ?? ''
  const { text } = await visitor.get(exception)
  assert.match(text, /name="as" value="accept"[\s\S]*name="order"/)
  const form = {
    id: exception.slice('/exceptions/'.length),
    as: 'accept',
    reason: 'Their mistake',
    form_page: exception,
  }
  const unknown = await visitor.post('/exception/resolve', { ...form, order: '"><img src=x>' })
  assert.ok(unknown.status >= 400)
  assert.not.match(unknown.text, /<img/)
  const done = await visitor.post('/exception/resolve', { ...form, order: other.id })
  assert.is(done.status, 303, done.text)
  assert.is((await world.node.core.orders.find(other.id))?.order.status, 'READY')
})

test('the health page says how far the blockchain has been read', async () => {
  const visitor = await visitorAs(world.node, 'viewer')
  assert.match((await visitor.get('/health')).text, /Blockchains[\s\S]*stellar/)
})

/** The scanner ends behind the pass that it is in. */
async function readNoMore(): Promise<void> {
  const scanner = world.node.workers.getSnapshot().context.workers['deposits:STELLAR']
  if (scanner === undefined) throw new Error('nobody reads the chain')
  scanner.send({ type: 'stop' })
  await world.node.until(async () => scanner.getSnapshot().status === 'done')
}

test('a blockchain is read again from a block on, after a look at what would be recorded', async () => {
  const { order, id } = await world.ready({ send: '100.00' })
  const visitor = await visitorAs(world.node, 'operator')
  assert.match((await visitor.get('/health')).text, /action="\/chain\/rescan"/)
  await readNoMore()
  const transactionId = await world.sign(order)
  const form = { chain: 'STELLAR', from: '2' }
  const looked = await visitor.post('/chain/rescan', form)
  assert.match(
    looked.text,
    new RegExp(`What would be recorded[\\s\\S]*${transactionId}[\\s\\S]*/chain/rescan/record`),
  )
  assert.is((await world.node.core.orders.find(id))?.order.status, 'CREATED')
  const recorded = await visitor.post('/chain/rescan/record', form)
  assert.match(recorded.text, new RegExp(`What was recorded[\\s\\S]*${transactionId}[\\s\\S]*/orders/${id}`))
  assert.is((await world.node.core.orders.find(id))?.order.status, 'READY')
  const again = await visitor.post('/chain/rescan', form)
  assert.match(again.text, /Everything that was read is on record/)
  assert.not.match(again.text, /rescan\/record/)
  const wrong = await visitor.post('/chain/rescan', { ...form, from: 'x' })
  assert.is(wrong.status, 400)
  const viewer = await visitorAs(world.node, 'viewer')
  assert.not.match((await viewer.get('/health')).text, /chain\/rescan/)
})

test.run()
