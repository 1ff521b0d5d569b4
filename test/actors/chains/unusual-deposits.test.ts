/** Deposits that no order is credited with as they are: put before an operator, never kept silently. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainDeposit } from '../../../chain/chain-deposits.ts'
import {
  assertSound,
  asset,
  chainDepositFor,
  type ForeignPlay,
  fundingWindowMs,
  playForeign,
  send,
} from '../../support/foreign-orders.ts'
import { minuteMs, orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)

const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  test(name, () => inWorld((world) => story(playForeign(world))))

/** What is unusual about a deposit, and what is proposed. */
const unusual: Record<string, { changes: Partial<ChainDeposit>; action: string; acceptable: boolean }> = {
  no_reference: { changes: { references: [] }, action: 'accept', acceptable: true },
  unknown_reference: { changes: { references: ['ab'.repeat(32)] }, action: 'accept', acceptable: true },
  wrong_asset: { changes: { assetId: 'a false mint', symbol: null }, action: 'refund', acceptable: false },
  other_sender: { changes: { sender: 'wallet of Eve' }, action: 'refund', acceptable: true },
  unknown_sender: { changes: { sender: null }, action: 'investigate', acceptable: true },
  unknown_time: { changes: { at: null }, action: 'investigate', acceptable: true },
  late: { changes: { at: Date.UTC(2100, 0) }, action: 'accept', acceptable: true },
  unexplained: { changes: { flags: ['unexplained'] }, action: 'investigate', acceptable: true },
  amount_too_large: { changes: { amount: 2n ** 64n }, action: 'investigate', acceptable: false },
}

for (const [reason, { changes, action, acceptable }] of Object.entries(unusual)) {
  play(`a deposit that is ${reason} funds nothing and waits for a person`, async (world) => {
    const foreign = await world.foreign()
    const odd = chainDepositFor(foreign, world.clock.now(), changes)
    assert.equal((await world.read([odd])).credited, [])
    const order = await world.row(foreign.order_id)
    assert.equal([order.status, order.revision], ['CREATED', 1])
    const [exception] = await world.exceptions('deposit_unmatched')
    const evidence = JSON.parse(exception?.evidence_json ?? '{}')
    assert.equal(
      [evidence.reason, evidence.proposedAction, exception?.order_id, exception?.state],
      [reason, action, foreign.order_id, 'open'],
    )
    const isCarried = acceptable
    const suspense = await world.balance({ kind: 'suspense', ownerId: '', currency: asset })
    assert.is(suspense, isCarried ? send.minor : 0n)
    assertSound(await world.problems())
  })
}

play('a second payment, and one for an order that ended, wait for a person', async (world) => {
  const [funded, cancelled, expired] = [await world.foreign(), await world.foreign(), await world.foreign()]
  await world.read([chainDepositFor(funded, world.clock.now())])
  await world.cancel(cancelled.order_id)
  const late = (await world.row(expired.order_id)).expiry_at
  world.clock.advance(late - world.clock.now() + 1)
  await world.read([])
  await world.orders.expire(expired.order_id)
  const inTime = expired.funding_deadline_at
  await world.read([funded, cancelled, expired].map((one) => chainDepositFor(one, inTime)))
  const reasons = (await world.exceptions('deposit_unmatched')).map(
    ({ evidence_json }) => JSON.parse(evidence_json).reason,
  )
  assert.equal(reasons.toSorted(), ['already_funded', 'order_cancelled', 'order_expired'])
  assertSound(await world.problems())
})

play(
  'money that arrives while an operator cancels is put before a person, whichever comes first',
  async (world) => {
    const shares = [send.minor, send.minor, 5_000_000n, send.minor + 1n]
    const orders = await Promise.all(Array.from({ length: 24 }, () => world.foreign()))
    const page = orders.map((foreign, index) =>
      chainDepositFor(foreign, world.clock.now(), { amount: shares[index % shares.length] ?? 1n }),
    )
    const cancelling = (from: number) =>
      orders.filter((_, index) => index % 3 === from).map(({ order_id }) => world.cancel(order_id))
    await Promise.all([...cancelling(0), world.read(page), ...cancelling(1), ...cancelling(2)])
    const waiting = [
      ...(await world.exceptions('refund_due')),
      ...(await world.exceptions('deposit_unmatched')),
    ]
    for (const { order_id } of orders) {
      assert.is((await world.row(order_id)).status, 'CANCELLED')
      assert.ok(waiting.some((exception) => exception.order_id === order_id))
    }
    assertSound(await world.problems())
  },
)

play('tokens nobody asked for are not even kept', async (world) => {
  const foreign = await world.foreign()
  const spam = { symbol: null, assetId: 'spam', references: [], sender: 'wallet of Eve' }
  await world.read([chainDepositFor(foreign, world.clock.now(), spam)])
  assert.equal([await world.rows('deposits'), await world.rows('exceptions')], [[], []])
})

play('what an issuer takes back is a loss, until somebody has said so', async (world) => {
  const foreign = await world.foreign()
  const taken = chainDepositFor(foreign, world.clock.now(), {
    flags: ['clawback'],
    amount: 9n,
    references: [],
  })
  await world.read([taken])
  const [exception] = await world.exceptions('deposit_clawed_back')
  assert.is(exception?.amount, '0.000009')
  assert.is(await world.balance({ kind: 'treasury', ownerId: '', currency: asset }), 9n)
  assertSound(await world.problems())
})

play('a deposit of the last moment of the window counts, by the time of its chain', async (world) => {
  const foreign = await world.foreign()
  world.clock.advance(fundingWindowMs + 10 * minuteMs)
  await world.read([chainDepositFor(foreign, foreign.funding_deadline_at)])
  assert.is((await world.row(foreign.order_id)).status, 'READY')
})

test.run()
