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

test.run()
