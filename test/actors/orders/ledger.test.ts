import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { postingsOf } from '../../../actors/orders/postings.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  commit,
  graceMs,
  inOrderWorld,
  type OrderWorld,
  operator,
  otherShop,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)

/** What the order's money did, in its order: `reserve available → reserved`. */
async function movements(world: OrderWorld, orderId: string): Promise<string[]> {
  const postings = await world.rows('postings')
  return postings
    .filter(({ order_id }) => order_id === orderId)
    .map(({ kind, debit_account, credit_account, amount_minor }) => {
      assert.is(amount_minor, 100_000n)
      const [from, to] = [debit_account, credit_account].map((account) => account.split(':')[0])
      return `${kind} ${from} → ${to}`
    })
}

type Story = [
  name: string,
  tell: (world: OrderWorld, orderId: string) => Promise<unknown>,
  expected: string[],
]

const reserved = 'reserve available → reserved'

const payOutStories: Story[] = [
  ['that is READY', async () => {}, [reserved]],
  ['that is started', (world, id) => world.start(id, 'A'), [reserved]],
  [
    'that is started and given back',
    async (world, id) => {
      await world.start(id, 'A')
      await world.giveBack(id, 'A')
    },
    [reserved],
  ],
  [
    'that is paid',
    async (world, id) => {
      await world.start(id, 'A')
      await world.confirm(id, 'A')
    },
    [reserved, 'settle reserved → provider'],
  ],
  ['that is cancelled', (world, id) => world.cancel(id), [reserved, 'release reserved → available']],
  [
    'that expires',
    (world, id) => {
      world.clock.advance(25 * 3_600_000)
      return world.orders.expire(id)
    },
    [reserved, 'release reserved → available'],
  ],
  [
    'that is cancelled while locked',
    async (world, id) => {
      await world.start(id, 'A')
      await world.cancel(id, true)
    },
    [reserved, 'suspend reserved → suspense'],
  ],
  [
    'that expires while locked',
    async (world, id) => {
      await world.start(id, 'A')
      world.clock.advance(24 * 3_600_000 + graceMs)
      await world.orders.expire(id)
    },
    [reserved, 'suspend reserved → suspense'],
  ],
  [
    'that is given back too late',
    async (world, id) => {
      await world.start(id, 'A')
      world.clock.advance(24 * 3_600_000)
      await world.giveBack(id, 'A')
    },
    [reserved, 'release reserved → available'],
  ],
  [
    'that is refused everything',
    async (world, id) => {
      await world.confirm(id, 'A')
      await world.giveBack(id, 'A')
      await world.start(id, 'A')
      await world.confirm(id, 'B')
      await world.cancel(id)
    },
    [reserved],
  ],
]

for (const [name, tell, expected] of payOutStories)
  play(`the money of a pay-out ${name} went: ${expected.join(', ')}`, async (world) => {
    await world.deposit(100_000n)
    const { id } = await world.order()
    await tell(world, id)
    assert.equal(await movements(world, id), expected)
    await assertInvariants(world)
  })

const payInStories: Story[] = [
  ['that is started', (world, id) => world.start(id, 'A'), []],
  [
    'that is paid',
    async (world, id) => {
      await world.start(id, 'A')
      await world.confirm(id, 'A')
    },
    ['settle provider → available'],
  ],
  ['that is cancelled', (world, id) => world.cancel(id), []],
  [
    'that is cancelled while locked',
    async (world, id) => {
      await world.start(id, 'A')
      await world.cancel(id, true)
    },
    [],
  ],
]

for (const [name, tell, expected] of payInStories)
  play(`the money of a pay-in ${name} went: ${expected.join(', ') || 'nowhere'}`, async (world) => {
    const { id } = await world.order({ direction: 'PAY_IN' })
    await tell(world, id)
    assert.equal(await movements(world, id), expected)
    await assertInvariants(world)
  })

play('the provider that paid out is owed the price, the one that collected owes it', async (world) => {
  await world.deposit(100_000n)
  const payOut = await world.order()
  const payIn = await world.order({ direction: 'PAY_IN', priceMinor: 30_000n })
  for (const [order, till] of [
    [payOut, 'A'],
    [payIn, 'B'],
  ] as const) {
    await world.start(order.id, till)
    await world.confirm(order.id, till)
  }
  assert.is(await world.balance({ kind: 'provider', ownerId: tills.A.id }), 100_000n)
  assert.is(await world.balance({ kind: 'provider', ownerId: tills.B.id }), -30_000n)
  assert.is(await world.balance({}), 30_000n)
  await assertInvariants(world)
})

/** The statuses of the orders, in the order they were made. */
async function statuses(world: OrderWorld): Promise<string[]> {
  const orders = await world.rows('orders')
  return orders.map(({ status }) => status)
}

play(
  'with 5000 and six orders of 1000 five are READY, and a deposit of 1000 makes the sixth',
  async (world) => {
    await world.deposit(500_000n)
    const orders = []
    for (let index = 0; index < 6; index++) orders.push(await world.order())
    assert.equal(
      orders.map(({ status }) => status),
      ['READY', 'READY', 'READY', 'READY', 'READY', 'CREATED'],
    )
    assert.is(await world.balance({}), 0n)
    await world.deposit(99_999n)
    assert.is((await statuses(world)).filter((status) => status === 'READY').length, 5)
    await world.deposit(1n)
    assert.equal([...new Set(await statuses(world))], ['READY'])
    await assertInvariants(world)
  },
)

play('a waiting 50,000 does not block a later 10, and is funded when it fits', async (world) => {
  await world.deposit(100_000n)
  const large = await world.order({ priceMinor: 5_000_000n })
  const small = await world.order({ priceMinor: 1000n })
  assert.equal([large.status, small.status], ['CREATED', 'READY'])
  await world.deposit(4_901_000n)
  assert.is((await world.row(large.id)).status, 'READY')
  assert.is(await world.balance({}), 0n)
  await assertInvariants(world)
})

play('of several that fit the one that waits longest is funded first', async (world) => {
  const prices = [300_000n, 80_000n, 50_000n, 20_000n]
  const orders = []
  for (const priceMinor of prices) orders.push(await world.order({ priceMinor }))
  await world.deposit(100_000n)
  const after = await Promise.all(orders.map(({ id }) => world.row(id)))
  assert.equal(
    after.map(({ status }) => status),
    ['CREATED', 'READY', 'CREATED', 'READY'],
  )
  await assertInvariants(world)
})

play('money that comes back funds who waits: after a cancel, an expiry, a pay-in', async (world) => {
  await world.deposit(100_000n)
  const first = await world.order()
  const [second, third, fourth] = [await world.order(), await world.order(), await world.order()]
  await world.cancel(first.id)
  await world.fund()
  assert.is((await world.row(second.id)).status, 'READY')

  const payIn = await world.order({ direction: 'PAY_IN' })
  await world.start(payIn.id, 'B')
  await world.confirm(payIn.id, 'B')
  await world.fund()
  assert.is((await world.row(third.id)).status, 'READY')
  assert.is((await world.row(fourth.id)).status, 'CREATED')
  await assertInvariants(world)
})

play('whoever waits for funds is woken when a balance rises, and not otherwise', async (world) => {
  await world.deposit(200_000n)
  const [first, second] = [await world.order(), await world.order()]
  await new Promise(setImmediate)
  let woken = 0
  world.store.subscribe('funding', () => woken++)
  await world.start(first.id, 'A')
  await world.confirm(first.id, 'A')
  await new Promise(setImmediate)
  assert.is(woken, 0)
  await world.cancel(second.id)
  await new Promise(setImmediate)
  assert.is(woken, 1)
})

play('funds of one currency or merchant serve no other', async (world) => {
  await world.deposit(1_000_000n, 'CLP')
  const pesos = await world.order()
  const others = await world.order({ merchant: otherShop, currency: 'CLP', country: 'CL' })
  assert.equal([pesos.status, others.status], ['CREATED', 'CREATED'])
  const funded = { orderId: pesos.id, merchantId: pesos.merchant_id, currency: 'MXN' }
  assert.is(await world.orders.fund(funded), 'not_funded')
  await assertInvariants(world)
})

play('a price is reserved once, however often and at once its funding is asked for', async (world) => {
  const order = await world.order()
  const { id: orderId, merchant_id: merchantId, currency } = order
  const debit = { kind: 'bank', ownerId: '', currency } as const
  const credit = { kind: 'available', ownerId: merchantId, currency } as const
  const deposit = { kind: 'deposit', debit, credit, amountMinor: 300_000n, orderId: null, reference: null }
  await world.store.step({ rows: {}, decide: () => ({ answer: null, writes: [{ post: deposit }] }) })
  const asked = Array.from({ length: 5 }, () => world.orders.fund({ orderId, merchantId, currency }))
  assert.equal(await Promise.all(asked), ['funded', 'not_funded', 'not_funded', 'not_funded', 'not_funded'])
  assert.equal([await world.balance({}), await world.balance({ kind: 'reserved' })], [200_000n, 100_000n])
  assert.is(await world.orders.fund({ orderId: 'nobody', merchantId, currency }), 'not_funded')
  await assertInvariants(world)
})

play('an available balance below zero is refused by the database itself', async (world) => {
  await world.deposit(99_999n)
  const order = await world.order()
  // The caller names another account than the order's: the balance it sees is not the one that pays.
  await world.deposit(100_000n, 'CLP')
  const asked = { orderId: order.id, merchantId: order.merchant_id, currency: 'CLP' }
  assert.is(await world.orders.fund(asked), 'not_funded')
  assert.equal([(await world.row(order.id)).status, await world.balance({})], ['CREATED', 99_999n])
  await assertInvariants(world)
})

play('an operator who confirms for a provider without the lock moves nothing', async (world) => {
  await world.deposit(100_000n)
  const { id } = await world.order()
  await world.start(id, 'A')
  const told = await world.tell(id, operator, { type: 'payment.confirm', providerId: tills.B.id })
  assert.is(told.outcome === 'refused' && told.reason, 'not_holder')
  assert.equal(await movements(world, id), [reserved])
})

play('a movement that the ledger cannot take is an error, and changes nothing', async (world) => {
  await world.deposit(100_000n)
  const { id } = await world.order()
  await world.start(id, 'A')
  const [debit, credit] = (['reserved', 'bank'] as const).map((kind) => ({
    kind,
    ownerId: kind === 'bank' ? '' : 'shop',
    currency: 'MXN',
  }))
  assert.ok(debit && credit)
  const lost = { kind: 'lost', debit, credit, amountMinor: 1n, orderId: null, reference: null }
  await commit(world.store, [{ post: lost }])
  const before = await world.row(id)
  const error = await world.confirm(id, 'A').catch((thrown: unknown) => thrown)
  assert.match(String(error), /An event of order .* violated accounts\.funds/)
  assert.equal([await world.row(id), await world.rows('webhooks')], [before, []])
})

play('a price can only be settled with the provider that holds the order', async (world) => {
  await world.deposit(100_000n)
  const order = await world.order()
  assert.throws(() => postingsOf(order, 'settle'), /settles without a provider/)
})

test.run()
