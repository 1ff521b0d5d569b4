/** What the model takes for a fault of the node, and what not: histories that show the difference are rare. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ChainTruth } from './model/chain.ts'
import { type SeenOrder, Truth } from './model/truth.ts'

const order = (id: string, more: Partial<SeenOrder>): SeenOrder => ({
  ...{ id, merchant: 'Shop', merchantOrderId: id, direction: 'PAY_OUT', price: '9.00', status: 'READY' },
  ...{ expiryAt: 1, holder: null, locks: 0, isPaid: false },
  ...more,
})

test('cash that is handed out of a refund after its money was returned is not given back by the node', () => {
  const truth = new Truth()
  const said = { merchant: 'Shop', price: '9.00', expiryAt: 1 } as const
  truth.promised('payIn', { ...said, merchantOrderId: 'payIn', direction: 'PAY_IN' })
  for (const id of ['first', 'second'])
    truth.promised(id, { ...said, merchantOrderId: id, direction: 'PAY_OUT', refundOf: 'payIn' })
  for (const id of ['payIn', 'first']) truth.cash(id, { provider: 'A', at: 0 })
  const orders = [
    order('payIn', { direction: 'PAY_IN', status: 'COMPLETED', holder: 'A', isPaid: true }),
    order('first', { status: 'CANCELLED', holder: 'A' }),
    order('second', {}),
  ]
  const webhooks = ['payIn', 'first'].map((id) => ({
    ...{ id, order: id, sequence: 1, status: 'COMPLETED', isFinal: true, state: 'pending' },
  }))
  const ended = { kind: 'cancelled_while_locked', order: 'first', state: 'resolved' }
  const problems = (resolution: string) =>
    truth.check({ at: 0, orders, webhooks, exceptions: [{ ...ended, resolution }] })
  assert.equal(problems('return'), [])
  assert.equal(problems('dismiss'), ['of pay-in payIn 1800 is given back, and it brought 900'])
})

test('an order may expire although it was paid in time if an endpoint left the payment out, and that is told', () => {
  const movement = { id: 'tx', units: 5n, wallet: 'w', reference: 'r', at: 0, isFinal: true }
  const deposit = {
    id: 'd',
    transaction: 'tx',
    units: 5n,
    order: null,
    credited: 0n,
    outcome: 'order_expired',
  }
  const foreign = { id: 'o', status: 'EXPIRED', reference: 'r', wallet: 'w', expected: 5n, received: 0n }
  const told = { kind: 'deposit_unmatched', order: null, transaction: 'tx' }
  const problems = (wasLeftOut: boolean, exceptions = [told]) =>
    new ChainTruth().checkAtRest([{ ...movement, wasLeftOut }], {
      deposits: [deposit],
      orders: [{ ...foreign, fundingDeadline: 1 }],
      exceptions,
    })
  assert.equal(problems(true), [])
  assert.equal(problems(false), ['order o was paid in time by tx, and has expired'])
  assert.equal(problems(true, []), ["of payment tx 5 are nobody's"])
})

test.run()
