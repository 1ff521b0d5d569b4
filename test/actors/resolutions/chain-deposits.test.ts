/** What an operator's word does with money of blockchains that waits for a person. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionSummary } from '../../../actors/exceptions/documents.ts'
import type { Resolution } from '../../../actors/exceptions/kinds.ts'
import { type Resolved, resolveException } from '../../../actors/resolutions/resolve.ts'
import type { Row } from '../../../persistence/store.ts'
import {
  assertSound,
  asset,
  chainDepositFor,
  type ForeignPlay,
  playForeign,
  send,
} from '../../support/foreign-orders.ts'
import { graceMs, hourMs, minuteMs, operator, orderWorlds } from '../../support/order-world.ts'

const inWorld = orderWorlds(test)
const play = (name: string, story: (world: ForeignPlay) => Promise<void>) =>
  test(name, () => inWorld((world) => story(playForeign(world))))

interface Saying {
  orderId?: string
  evidence?: string
}

function resolve(
  world: ForeignPlay,
  exception: Row<'exceptions'> | undefined,
  as: Resolution,
  { orderId, evidence = 'the refund’s transaction' }: Saying = {},
): Promise<Resolved> {
  const context = { store: world.store, ...world.orders.context }
  const exceptionId = exception?.id ?? 'none'
  return resolveException(context, { exceptionId, as, reason: 'looked at', evidence, orderId, operator })
}

const problemOf = (resolved: Resolved) => ('problem' in resolved ? resolved.problem : resolved.outcome)

/** The node's own money in the asset, by kind of account. */
async function assetBalances(world: ForeignPlay) {
  const of = (kind: 'treasury' | 'suspense' | 'fee' | 'exchange') =>
    world.balance({ kind, ownerId: '', currency: asset })
  return {
    treasury: await of('treasury'),
    suspense: await of('suspense'),
    fee: await of('fee'),
    exchange: await of('exchange'),
  }
}

async function unmatched(world: ForeignPlay): Promise<Row<'exceptions'> | undefined> {
  return (await world.exceptions('deposit_unmatched')).find(({ state }) => state === 'open')
}

play('a late deposit is accepted for its order, which is READY then', async (world) => {
  const foreign = await world.foreign()
  const { order_id } = foreign
  world.clock.advance(hourMs)
  await world.read([chainDepositFor(foreign, foreign.funding_deadline_at + 1)])
  assert.is((await resolve(world, await unmatched(world), 'accept')).outcome, 'resolved')
  assert.is((await world.row(order_id)).status, 'READY')
  const [deposit] = await world.rows('deposits')
  assert.equal(
    [deposit?.order_id, deposit?.credited_minor, deposit?.outcome],
    [order_id, send.minor, 'accepted'],
  )
  const entry = (await world.rows('journal')).at(-1)
  assert.equal(
    [entry?.actor, JSON.parse(entry?.event_json ?? '{}').type, JSON.parse(entry?.event_json ?? '{}').reason],
    ['operator:ana', 'funds.accept', 'looked at'],
  )
  assert.equal(await assetBalances(world), {
    treasury: -send.minor,
    suspense: 0n,
    fee: send.fee,
    exchange: send.minor - send.fee,
  })
  assertSound(await world.problems())
})

play('one without a reference is accepted for the order that the operator names', async (world) => {
  const [first, second] = [await world.foreign(), await world.foreign()]
  await world.read([chainDepositFor(first, world.clock.now(), { references: [] })])
  const exception = await unmatched(world)
  assert.is(exception?.order_id, null, 'two orders wait for this amount')
  assert.match(problemOf(await resolve(world, exception, 'accept')), 'give one with --order')
  const accepted = await resolve(world, exception, 'accept', { orderId: second.order_id })
  assert.is(accepted.outcome, 'resolved')
  assert.is((await world.row(second.order_id)).status, 'READY')
  assert.is((await world.row(first.order_id)).status, 'CREATED')
  assertSound(await world.problems())
})

play('of an accepted deposit that is too large the rest waits on', async (world) => {
  const foreign = await world.foreign()
  await world.read([chainDepositFor(foreign, world.clock.now(), { references: [], amount: send.minor + 9n })])
  await resolve(world, await unmatched(world), 'accept')
  const rest = await unmatched(world)
  assert.equal([rest?.amount, (await world.row(foreign.order_id)).status], ['0.000009', 'READY'])
  assert.match(problemOf(await resolve(world, rest, 'accept')), 'refund the rest')
  assertSound(await world.problems())
  await resolve(world, rest, 'refunded')
  assert.is((await assetBalances(world)).suspense, 0n)
  assertSound(await world.problems())
})

play('an accepted part leaves the order waiting for the rest', async (world) => {
  const foreign = await world.foreign()
  await world.read([chainDepositFor(foreign, world.clock.now(), { sender: 'wallet of Eve', amount: 5n })])
  await resolve(world, await unmatched(world), 'accept')
  assert.is((await world.row(foreign.order_id)).status, 'CREATED')
  assert.is((await world.side(foreign.order_id)).received_minor, 5n)
  assertSound(await world.problems())
})

play(
  'nothing is accepted for an order that waits no more, of another asset, or past its expiry',
  async (world) => {
    const [foreign, other] = [await world.foreign(), await world.foreign({}, { blockchain: 'MONAD' })]
    await world.read([chainDepositFor(foreign, world.clock.now(), { references: [] })])
    const exception = await unmatched(world)
    const accept = async (orderId: string) =>
      problemOf(await resolve(world, exception, 'accept', { orderId }))
    assert.match(await accept(other.order_id), 'waits for USDC on MONAD')
    await world.deposit(100_000n)
    assert.match(await accept((await world.order()).id), 'no foreign-currency order')
    assert.match(await accept('nobody'), 'no foreign-currency order')
    world.clock.advance(24 * hourMs)
    assert.match(await accept(foreign.order_id), 'past its expiry')
    await world.orders.expire(foreign.order_id)
    assert.match(await accept(foreign.order_id), 'is EXPIRED')
    assert.is((await unmatched(world))?.id, exception?.id)
    assertSound(await world.problems())
  },
)

play('an unmatched deposit is sent back, which has to be proved, or kept', async (world) => {
  const foreign = await world.foreign()
  const strange = () =>
    chainDepositFor(foreign, world.clock.now(), { references: [], sender: 'wallet of Eve' })
  await world.read([strange(), strange()])
  const bare = { exceptionId: (await unmatched(world))?.id ?? '', reason: 'sent', operator, evidence: null }
  const context = { store: world.store, ...world.orders.context }
  assert.match(problemOf(await resolveException(context, { ...bare, as: 'refunded' })), 'Give the refund')
  await resolve(world, await unmatched(world), 'refunded', { evidence: '5Xyz' })
  assert.equal(await assetBalances(world), {
    treasury: -send.minor,
    suspense: send.minor,
    fee: 0n,
    exchange: 0n,
  })
  await resolve(world, await unmatched(world), 'dismiss')
  assert.equal(await assetBalances(world), {
    treasury: -send.minor,
    suspense: 0n,
    fee: send.minor,
    exchange: 0n,
  })
  assertSound(await world.problems())
})

play('a loss by clawback is booked as the operator’s', async (world) => {
  const foreign = await world.foreign()
  await world.read([chainDepositFor(foreign, world.clock.now(), { flags: ['clawback'], amount: 9n })])
  const [exception] = await world.exceptions('deposit_clawed_back')
  assert.is((await resolve(world, exception, 'dismiss')).outcome, 'resolved')
  assert.equal(await assetBalances(world), { treasury: 9n, suspense: 0n, fee: -9n, exchange: 0n })
  assertSound(await world.problems())
})

const ends = {
  cancelled: (world: ForeignPlay, orderId: string) => world.cancel(orderId),
  expired: async (world: ForeignPlay, orderId: string) => {
    world.clock.advance(24 * hourMs + 1)
    await world.read([])
    await world.orders.expire(orderId)
  },
}

for (const [name, end] of Object.entries(ends)) {
  for (const amount of [send.minor, 20_000_000n]) {
    play(
      `an order with ${amount} units that is ${name} opens refund due, which is sent back or kept`,
      async (world) => {
        const made = [await world.foreign(), await world.foreign()]
        await world.read(made.map((one) => chainDepositFor(one, world.clock.now(), { amount })))
        for (const { order_id } of made) await end(world, order_id)
        const due = await world.exceptions('refund_due')
        assert.equal(
          due.map(({ order_id }) => order_id).toSorted(),
          made.map((one) => one.order_id).toSorted(),
        )
        assert.is((await assetBalances(world)).suspense, 2n * amount)
        assert.is(await world.balance({ kind: 'reserved' }), 0n)
        assertSound(await world.problems())
        await resolve(world, due[0], 'refunded')
        await resolve(world, due[1], 'dismiss')
        assert.equal(await assetBalances(world), {
          treasury: -amount,
          suspense: 0n,
          fee: amount,
          exchange: 0n,
        })
        for (const kind of ['exchange', 'rounding'] as const)
          assert.is(await world.balance({ kind, ownerId: '' }), 0n)
        assertSound(await world.problems())
      },
    )
  }
}

play('what is due to be sent back names every deposit that it came by', async (world) => {
  const foreign = await world.foreign()
  const part = (transactionId: string, amount: bigint) =>
    chainDepositFor(foreign, world.clock.now(), { transactionId, amount })
  await world.read([part('first', 10_000_000n), part('second', 5_000_000n)])
  // The operator takes another wallet's money for it, too.
  await world.read([
    chainDepositFor(foreign, world.clock.now(), {
      transactionId: 'third',
      amount: 1n,
      sender: 'wallet of Eva',
    }),
  ])
  const [stranger] = await world.exceptions('deposit_unmatched')
  await resolve(world, stranger, 'accept')
  await world.cancel(foreign.order_id)
  const [due] = await world.exceptions('refund_due')
  assert.equal(JSON.parse(due?.evidence_json ?? '{}').deposits, [
    { transactionId: 'first', minor: '10000000', sender: foreign.wallet, amount: '10.00' },
    { transactionId: 'second', minor: '5000000', sender: foreign.wallet, amount: '5.00' },
    { transactionId: 'third', minor: '1', sender: 'wallet of Eva', amount: '0.000001' },
  ])
  assert.match(due?.reason ?? '', /They came by first, second, third\.$/)
  const summary = due && exceptionSummary(due)
  assert.equal([summary?.transactionId, summary?.transactionIds], [null, ['first', 'second', 'third']])
  assertSound(await world.problems())
})

play('a refund is of its own order, whichever the operator names', async (world) => {
  const [one, other] = [await world.foreign(), await world.foreign()]
  await world.read([
    chainDepositFor(one, world.clock.now()),
    chainDepositFor(other, world.clock.now(), { amount: 1n }),
  ])
  await world.cancel(one.order_id)
  const [due] = await world.exceptions('refund_due')
  for (const as of ['refunded', 'dismiss'] as const) {
    const said = await resolve(world, due, as, { orderId: other.order_id })
    assert.is(problemOf(said), 'An order can be given only with `accept`.')
  }
  assertSound(await world.problems())
})

/** An order that expired while A held it, and its exception. */
async function expiredWhileLocked(world: ForeignPlay) {
  const foreign = await world.foreign()
  await world.read([chainDepositFor(foreign, world.clock.now())])
  await world.start(foreign.order_id, 'A')
  world.clock.advance(24 * hourMs + graceMs)
  await world.orders.expire(foreign.order_id)
  const [exception] = await world.exceptions('expired_while_locked')
  assert.is(await world.balance({ kind: 'suspense' }), send.price)
  assertSound(await world.problems())
  return { orderId: foreign.order_id, exception }
}

play('one that expired while locked is honoured: the provider is owed its price', async (world) => {
  const { exception } = await expiredWhileLocked(world)
  await resolve(world, exception, 'honour')
  assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), send.price)
  assert.equal(await world.exceptions('refund_due'), [])
  assertSound(await world.problems())
})

play('or returned: what was sent is due to be sent back, and the merchant gets nothing', async (world) => {
  const { exception, orderId } = await expiredWhileLocked(world)
  await resolve(world, exception, 'return')
  assert.equal([await world.balance({}), await world.balance({ kind: 'suspense' })], [0n, 0n])
  const [due] = await world.exceptions('refund_due')
  assert.equal([due?.order_id, due?.amount], [orderId, '50.00'])
  assertSound(await world.problems())
  await resolve(world, due, 'refunded')
  assertSound(await world.problems())
})

for (const as of ['refunded', 'dismiss'] as const) {
  play(
    `a confirmation after the return is honoured by the operator, its refund ${as} or open`,
    async (world) => {
      const { exception, orderId } = await expiredWhileLocked(world)
      await resolve(world, exception, 'return')
      world.clock.advance(minuteMs)
      assert.is((await world.confirm(orderId, 'A')).outcome, 'refused')
      const [disputed] = await world.exceptions('confirmed_after_return')
      assert.is((await resolve(world, disputed, 'honour')).outcome, 'resolved')
      assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), send.price)
      assert.is(await world.balance({ kind: 'fee', ownerId: '' }), -send.price)
      assertSound(await world.problems())
      const [due] = await world.exceptions('refund_due')
      await resolve(world, due, as)
      assertSound(await world.problems())
    },
  )
}

test.run()
