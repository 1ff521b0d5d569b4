/** A merchant's list must not read all of its orders: each shape of it walks an index from where it begins. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  dueOrdersOfMerchant,
  type MerchantListShape,
  merchantOrders,
} from '../../persistence/queries/orders.ts'
import { planOf } from '../support/query-plan.ts'

const consumers = 'SEARCH consumers USING PRIMARY KEY (order_id=?) LEFT-JOIN'

const lists: [shape: MerchantListShape, plan: RegExp][] = [
  [
    { status: false, merchantOrderId: false },
    /INDEX orders_by_merchant \(merchant_id=\? AND direction=\? AND .*created_at/,
  ],
  [
    { status: true, merchantOrderId: false },
    /INDEX orders_by_merchant_and_status \(merchant_id=\? AND direction=\? AND status=\? AND .*created_at/,
  ],
  [{ status: false, merchantOrderId: true }, /\(merchant_id=\? AND merchant_order_id=\?\)/],
  [{ status: true, merchantOrderId: true }, /\(merchant_id=\? AND merchant_order_id=\?\)/],
]
for (const [shape, expected] of lists)
  test(`a list with ${JSON.stringify(shape)} begins at its place and is not sorted`, () => {
    const [orders = '', joined, ...more] = planOf(merchantOrders(shape))
    assert.match(orders, expected)
    assert.is(joined, consumers)
    // At most one order has a merchant_order_id: there is nothing to sort.
    assert.equal(more.length === 0 || shape.merchantOrderId, true, more.join())
  })

test('what is due of a merchant is found without reading what is not', () => {
  const [due = '', ...chain] = planOf(dueOrdersOfMerchant)
  assert.match(due, /INDEX orders_due_of_merchant \(.*due_at<\?\)$/)
  // A foreign order's chain is looked up by its key.
  for (const step of chain) assert.not.match(step, /SCAN/)
})

test.run()
