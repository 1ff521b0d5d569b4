/** What a till says of its network's own names: protocol 16.1. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { journalRowsOf, referenceRowsOf } from '../../../persistence/queries/archive.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { call, newOrder, orderIn, paymentBody } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode()
})
test.after(() => stopTestNode(node))

const referencesOf = async (orderId: string) =>
  (await node.core.store.query(referenceRowsOf, { orderId })).map(({ network_id, reference }) => [
    network_id,
    reference,
  ])
const lastEvent = async (orderId: string) =>
  JSON.parse((await node.core.store.query(journalRowsOf, { orderId })).at(-1)?.event_json ?? '{}')

test('reference, shop and till are in the journal, and the reference is kept once for each text', async () => {
  const order = await newOrder(node, 'PAY_OUT')
  const note = { reference: ' F-1 ', shop_id: 'CDMX-014', till_id: 3 }
  assert.is((await call(node, order, 'start', 'pk_a', { ...paymentBody(), ...note })).status, 200)
  const { reference, shopId, tillId } = await lastEvent(order.id)
  assert.equal([reference, shopId, tillId], ['F-1', 'CDMX-014', '3'])
  assert.equal(await referencesOf(order.id), [['0001', 'F-1']])
  assert.is((await call(node, order, 'confirm', 'pk_a', { ...paymentBody(), reference: 'F-1' })).status, 200)
  assert.equal(await referencesOf(order.id), [['0001', 'F-1']])
  assert.is((await lastEvent(order.id)).reference, 'F-1')
})

test('a till that says nothing leaves nothing, and neither does one that is refused', async () => {
  const order = await newOrder(node, 'PAY_IN')
  assert.is((await call(node, order, 'start')).status, 200)
  assert.equal(Object.keys(await lastEvent(order.id)), ['type', 'providerId', 'networkId'])
  const other = { ...paymentBody('pk_b'), reference: 'F-2' }
  assert.is((await call(node, order, 'confirm', 'pk_b', other)).status, 403)
  assert.equal(await referencesOf(order.id), [])
})

test('the reference of a confirmation that is too late is kept, since the cash was handled', async () => {
  const order = await orderIn(node, 'PAY_OUT', 'EXPIRED_LOCKED')
  const late = { ...paymentBody(), reference: 'F-3' }
  assert.is((await call(node, order, 'confirm', 'pk_a', late)).status, 422)
  assert.equal(await referencesOf(order.id), [['0001', 'F-3']])
})

test.run()
