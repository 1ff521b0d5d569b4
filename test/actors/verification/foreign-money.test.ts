/** What `verify` notices of foreign-currency orders: each change of one row is told by the check that it belongs to. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Row, Write } from '../../../persistence/store.ts'
import { asset, chainDepositFor, type ForeignPlay, playForeign } from '../../support/foreign-orders.ts'
import { commit, orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)

/** An order that was paid, one that was paid in part, and a deposit that waits for a person. */
async function settle(world: ForeignPlay): Promise<{ paid: Row<'foreign_orders'>; deposit: string }> {
  const [paid, partly] = [await world.foreign(), await world.foreign()]
  const now = world.clock.now()
  const part = chainDepositFor(partly, now, { amount: 5n })
  await world.read([chainDepositFor(paid, now), part, chainDepositFor(paid, now, { references: [] })])
  assert.equal(await world.problems(), [])
  return { paid, deposit: `SOLANA/${part.transactionId}/0` }
}

type Change = (settled: { paid: Row<'foreign_orders'>; deposit: string }, exception: string) => Write

const changes: Record<string, { change: Change; told: RegExp }> = {
  'what an order has received': {
    change: ({ paid }) => ({
      update: 'foreign_orders',
      key: { order_id: paid.order_id },
      set: { received_minor: 1n },
    }),
    told: /has received 1, its deposits say 50000000/,
  },
  'its fee': {
    change: ({ paid }) => ({
      update: 'foreign_orders',
      key: { order_id: paid.order_id },
      set: { fee_minor: 0n },
    }),
    told: /its amounts are not those of its quote/,
  },
  'its wallet': {
    change: ({ paid }) => ({
      update: 'foreign_orders',
      key: { order_id: paid.order_id },
      set: { wallet: 'wallet of Eve' },
    }),
    told: /foreign side is not what it was created with/,
  },
  'that its quote was used': {
    change: ({ paid }) => ({ update: 'quotes', key: { id: paid.quote_id }, set: { order_id: null } }),
    told: /its quote is not marked as used for it/,
  },
  'what a deposit was credited with': {
    change: ({ deposit }) => ({ update: 'deposits', key: { id: deposit }, set: { credited_minor: 4n } }),
    told: /has received 5, its deposits say 4/,
  },
  'a deposit that was taken away': {
    change: ({ deposit }) => ({ delete: 'deposits', key: { id: deposit } }),
    told: /has received 5, its deposits say 0/,
  },
  'an exception that was taken away': {
    change: (_, id) => ({ delete: 'exceptions', key: { id } }),
    told: /suspense::USDC\.SOLANA\/6 has 50000000, the open exceptions say 0/,
  },
  'a posting of nobody': {
    change: ({ paid }) => ({
      post: {
        kind: 'theft',
        debit: { kind: 'exchange', ownerId: '', currency: asset },
        credit: { kind: 'fee', ownerId: '', currency: asset },
        amountMinor: 1n,
        orderId: paid.order_id,
        reference: null,
      },
    }),
    told: /its money is .* and should be/,
  },
}

for (const [name, { change, told }] of Object.entries(changes)) {
  test(`verify tells of ${name}`, () =>
    inWorld(async (plain) => {
      const world = playForeign(plain)
      const settled = await settle(world)
      const [exception] = await world.exceptions('deposit_unmatched')
      await commit(world.store, [change(settled, exception?.id ?? '')])
      const problems = await world.problems()
      assert.ok(
        problems.some(({ detail }) => told.test(detail)),
        JSON.stringify(problems),
      )
    }))
}

test.run()
