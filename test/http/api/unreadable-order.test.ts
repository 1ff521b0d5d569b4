import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { dispatchOf } from '../../support/console.ts'
import { startTestNode, stopTestNode } from '../../support/node.ts'
import { merchantPath, newOrder } from '../../support/orders.ts'

test('an order that this program cannot read is shown, is not decided about, and is told of', async () => {
  const node = await startTestNode()
  const { id, code } = await newOrder(node, 'PAY_OUT')
  await node.core.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [{ update: 'orders', key: { id }, set: { machine_version: 99 } }],
    }),
  })
  node.clock.advance(120_000)
  const read = await node.request({ as: 'mk_shop', path: `${merchantPath('PAY_OUT')}${id}/` })
  assert.equal([read.status, read.json.status], [200, 'READY'])
  const list = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT') })
  assert.is(list.status, 200)
  const payment = { network_id: '0001', price: '1000.00', price_currency: 'MXN' }
  const path = `/api/v1/providers/orders/pay-out/${code}/start-payment/`
  const started = await node.request({ as: 'pk_a', path, body: payment })
  assert.is(started.status, 503)
  await node.until(async () =>
    (await fetch(`${node.publicUrl}/readyz`)).text().then((it) => it.includes('orders')),
  )
  const ask = dispatchOf(node)
  const { checks } = (await ask('doctor', {}, 'ana')) as { checks: { detail: string }[] }
  assert.ok(checks.some(({ detail }) => detail.includes('has version 99')))
  const refused = await ask('order.cancel', { id, reason: 'test' }, 'ana').catch((error: unknown) => error)
  assert.match(
    refused instanceof OperationError ? `${refused.code} ${refused.message}` : '',
    /^refused .*has version 99/,
  )
  assert.is(((await ask('order.show', { id }, 'ana')) as { status: string }).status, 'READY')
  await stopTestNode(node)
})

test.run()
