import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderCancel } from '../../../actors/orders/change-operations.ts'
import { orderList } from '../../../actors/orders/list-operations.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { hourMs, inOrderWorld, minuteMs, otherShop, readyOrder } from '../../support/order-world.ts'

const play = inOrderWorld(test)

play('orders are listed with what a person recognises them by, the newest first', async (world) => {
  const { ask } = operatorOf(world)
  const first = await world.order({ merchantOrderId: 'one' })
  world.clock.advance(minuteMs)
  const second = await world.order({
    merchantOrderId: 'two',
    direction: 'PAY_IN',
    currency: 'CLP',
    priceMinor: 5n,
  })
  const { orders, next } = await ask(orderList, {})
  assert.equal(orders, [
    {
      id: second.id,
      code: second.code,
      kind: 'payIn',
      merchant: 'Shop',
      merchantOrderId: 'two',
      status: 'READY',
      price: '5.00',
      currency: 'CLP',
      created: '2026-03-01T12:01:00.000Z',
      expiry: '2026-03-02T12:01:00.000Z',
    },
    {
      id: first.id,
      code: first.code,
      kind: 'payOutLocal',
      merchant: 'Shop',
      merchantOrderId: 'one',
      status: 'CREATED',
      price: '1000.00',
      currency: 'MXN',
      created: '2026-03-01T12:00:00.000Z',
      expiry: '2026-03-02T12:00:00.000Z',
    },
  ])
  assert.is(next, null)
})

play('filters narrow the list, together and alone', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const waiting = await world.order({ merchantOrderId: 'one' })
  const payIn = await world.order({ merchantOrderId: 'two', direction: 'PAY_IN' })
  const others = await world.order({ merchantOrderId: 'one', merchant: otherShop })
  const ids = async (input: Parameters<typeof orderList.run>[1]) =>
    (await ask(orderList, input)).orders.map(({ id }) => id).sort()
  const sorted = (...orders: { id: string }[]) => orders.map(({ id }) => id).sort()
  assert.equal(await ids({ merchant: 'Shop' }), sorted(waiting, payIn))
  assert.equal(await ids({ status: 'CREATED' }), sorted(waiting, others))
  assert.equal(await ids({ status: 'CREATED', merchant: 'Other' }), sorted(others))
  assert.equal(await ids({ merchantOrderId: 'one' }), sorted(waiting, others))
  assert.equal(await ids({ merchantOrderId: 'one', merchant: 'Shop' }), sorted(waiting))
  assert.equal(await ids({ status: 'EXPIRED' }), [])
  const unknown = await refusal('order.list', { merchant: 'Nobody' })
  assert.equal([unknown.code, unknown.message], ['not_found', 'There is no merchant Nobody.'])
})

play('a provider’s orders are those that it holds, and those that it held when they ended', async (world) => {
  const { ask, refusal } = operatorOf(world)
  await world.deposit(500_000n)
  const [held, paid, given, cancelled, others] = [
    (await world.order()).id,
    (await world.order()).id,
    (await world.order()).id,
    (await world.order()).id,
    (await world.order()).id,
  ]
  for (const id of [held, paid, given, cancelled]) await world.start(id, 'A')
  await world.start(others, 'B')
  await world.confirm(paid, 'A')
  await world.giveBack(given, 'A')
  await ask(orderCancel, { id: cancelled, reason: 'Its till burnt down', force: true })
  const ids = async (input: Parameters<typeof orderList.run>[1]) =>
    (await ask(orderList, input)).orders.map(({ id }) => id).sort()
  const provider = 'Network A'
  assert.equal(await ids({ provider }), [held, paid, cancelled].sort())
  assert.equal(await ids({ provider: 'Network B' }), [others])
  assert.equal(await ids({ provider, status: 'COMPLETED' }), [paid])
  assert.equal(await ids({ provider, status: 'READY' }), [])
  assert.equal(await ids({ provider, merchant: 'Shop', status: 'PAYMENT_STARTED' }), [held])
  assert.equal(await ids({ provider, merchant: 'Other' }), [])
  const { merchant_order_id: merchantOrderId } = await world.row(paid)
  assert.equal(await ids({ provider, merchantOrderId, status: 'COMPLETED', from: '2026-03-01' }), [paid])
  assert.equal(await ids({ provider: 'Network B', merchantOrderId }), [])
  assert.is((await refusal('order.list', { provider: 'Shop' })).message, 'There is no provider Shop.')
})

play('days are those of UTC, the last one included; a time ends the list before it', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const made: string[] = []
  // 12:00 of the 1st, 23:59:59 of the 1st, 00:00 of the 2nd, 00:00 of the 3rd.
  for (const later of [0, 12 * hourMs - 1000, 1000, 24 * hourMs]) {
    world.clock.advance(later)
    made.push((await world.order({ expiryAt: world.clock.now() + 100 * hourMs })).id)
  }
  const places = async (input: Parameters<typeof orderList.run>[1]) =>
    (await ask(orderList, input)).orders.map(({ id }) => made.indexOf(id) + 1).sort()
  for (const more of [
    {},
    { merchant: 'Shop' },
    { status: 'CREATED' },
    { merchant: 'Shop', status: 'CREATED' },
  ] as const) {
    assert.equal(await places({ ...more, to: '2026-03-01' }), [1, 2])
    assert.equal(await places({ ...more, from: '2026-03-02', to: '2026-03-02' }), [3])
    assert.equal(await places({ ...more, from: '2026-03-02' }), [3, 4])
    assert.equal(await places({ ...more, from: '2026-03-01T23:59:59Z', to: '2026-03-03T00:00:00Z' }), [2, 3])
    const first = await ask(orderList, { ...more, to: '2026-03-02', limit: 2 })
    assert.equal(await places({ ...more, to: '2026-03-02', cursor: first.next ?? '' }), [1])
  }
  const wrong = await refusal('order.list', { from: '2026-02-30', to: 'today' })
  assert.equal(
    [wrong.code, wrong.details],
    [
      'invalid',
      ['from: "2026-02-30" is no day such as 2026-03-01.', 'to: "today" is no day such as 2026-03-01.'],
    ],
  )
  const { details } = await refusal('order.list', { from: '2026-03-02', to: '2026-03-01' })
  assert.equal(details, ['to: It lies before the first day.'])
})

play('pages follow each other without a gap or a repetition, whatever is added meanwhile', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const made: string[] = []
  for (let index = 0; index < 7; index++) {
    // Pairs of the same moment: the id decides.
    if (index % 2 === 0) world.clock.advance(minuteMs)
    made.push((await world.order({ direction: index % 3 === 0 ? 'PAY_IN' : 'PAY_OUT' })).id)
  }
  for (const merchant of [{}, { merchant: 'Shop' }]) {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof orderList.run>> = await ask(orderList, {
        ...merchant,
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      })
      seen.push(...page.orders.map(({ id }) => id))
      cursor = page.next
      world.clock.advance(minuteMs)
      await world.order({ merchant: otherShop })
    } while (cursor !== null)
    assert.equal(seen.filter((id) => made.includes(id)).sort(), [...made].sort())
    assert.is(new Set(seen).size, seen.length)
  }
  const wrong = await refusal('order.list', { cursor: 'nonsense' })
  assert.equal([wrong.code, wrong.message], ['invalid', 'The cursor is not the `next` of an earlier page.'])
})

play('an order that fell due has ended when it is listed or shown', async (world) => {
  const { ask } = operatorOf(world)
  const { id } = await readyOrder(world)
  world.clock.advance(24 * hourMs)
  assert.equal((await ask(orderList, { status: 'READY' })).orders, [])
  assert.is((await ask(orderShow, { id })).status, 'EXPIRED')
  await assertInvariants(world)
})

test.run()
