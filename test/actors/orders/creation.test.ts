import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, idempotencyLifeMs } from '../../../actors/orders/answers.ts'
import { hasCheckDigit } from '../../../actors/orders/code.ts'
import type { Created } from '../../../actors/orders/creating.ts'
import { type Order, representForMerchant } from '../../../actors/orders/representation.ts'
import type { Topic } from '../../../persistence/store.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  changedStore,
  checkoutUrl,
  commit,
  hourMs,
  inOrderWorld,
  newOrder,
  otherShop,
  registryOf,
  shop,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)

function made(created: Created) {
  if (created.outcome !== 'created') throw new Error(created.outcome)
  return created.order
}

/** What the merchant was answered with. */
function creationOf(order: Order): Answer {
  const consumer = { email: 'ana@example.com', phone_number: '+525512345678' }
  const body = JSON.stringify(representForMerchant(order, { consumer, foreign: null }, checkoutUrl))
  return { status: 201, body }
}

play('a new pay-out is CREATED, waits for funds, and is answered as it is', async (world) => {
  const at = world.clock.now()
  const created = await world.create({ merchantOrderId: 'first', currency: 'CLP', country: 'CL' })
  const order = made(created)
  assert.equal(created, { outcome: 'created', order, answer: creationOf(order) })
  assert.equal(await world.row(order.id), order)
  assert.match(order.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.ok(hasCheckDigit(order.code))
  assert.equal(
    {
      status: order.status,
      direction: order.direction,
      merchant: [order.merchant_id, order.credential_key, order.merchant_order_id],
      price: [order.price_minor, order.currency, order.country],
      times: [order.created_at, order.modified_at, order.expiry_at, order.due_at, order.paid_at],
      lock: [order.lock_provider_id, order.lock_network_id, order.locked_at, order.locks],
      counts: [order.revision, order.journal_count, order.refusals, order.webhook_count],
      chart: [order.machine, order.machine_version],
    },
    {
      status: 'CREATED',
      direction: 'PAY_OUT',
      merchant: [shop.id, 'mk_shop', 'first'],
      price: [100_000n, 'CLP', 'CL'],
      times: [at, at, at + 24 * hourMs, at + 24 * hourMs, null],
      lock: [null, null, null, 0],
      counts: [1, 1, 0, 0],
      chart: ['payOutLocal', 1],
    },
  )
  assert.equal(await world.rows('funding_requests'), [
    { position: 1, order_id: order.id, merchant_id: shop.id, currency: 'CLP', price_minor: 100_000n },
  ])
  assert.equal(await world.rows('webhooks'), [])
  await assertInvariants(world)
})

play(
  'a pay-out that its merchant’s balance holds is READY with its creation, which says CREATED',
  async (world) => {
    await world.deposit(250_000n)
    const woken: Topic[] = []
    for (const topic of ['orders', 'funding'] as const) world.store.subscribe(topic, () => woken.push(topic))
    const created = await world.create()
    const order = made(created)
    assert.equal(created, { outcome: 'created', order, answer: creationOf({ ...order, status: 'CREATED' }) })
    assert.equal(await world.row(order.id), order)
    assert.equal([order.status, order.revision, order.journal_count], ['READY', 2, 2])
    assert.equal([await world.balance({}), await world.balance({ kind: 'reserved' })], [150_000n, 100_000n])
    assert.equal(
      (await world.rows('journal')).map((entry) => [
        entry.actor,
        entry.from_status,
        entry.to_status,
        entry.entry_at,
      ]),
      [
        ['merchant:Shop', null, 'CREATED', order.created_at],
        ['funding', 'CREATED', 'READY', order.created_at],
      ],
    )
    await new Promise(setImmediate)
    assert.equal(
      [await world.rows('funding_requests'), await world.rows('webhooks'), woken],
      [[], [], ['orders']],
    )
    assert.is(
      await world.orders.fund({ orderId: order.id, merchantId: shop.id, currency: 'MXN' }),
      'not_funded',
    )
    await assertInvariants(world)
  },
)

play('of creations at once that cost more than there is, as many are READY as it holds', async (world) => {
  await world.deposit(250_000n)
  const created = await Promise.all(Array.from({ length: 6 }, () => world.create()))
  const statuses = created.map((one) => made(one).status).toSorted()
  assert.equal(statuses, ['CREATED', 'CREATED', 'CREATED', 'CREATED', 'READY', 'READY'])
  assert.is((await world.rows('funding_requests')).length, 4)
  await assertInvariants(world)
  await world.deposit(350_000n)
  assert.ok((await world.rows('orders')).every(({ status }) => status === 'READY'))
})

play('a new order leaves its funds to one that waits and fits, and to no other', async (world) => {
  const [fitting, large] = [made(await world.create()), made(await world.create({ priceMinor: 900_000n }))]
  const debit = { kind: 'bank', ownerId: '', currency: 'MXN' } as const
  const credit = { kind: 'available', ownerId: shop.id, currency: 'MXN' } as const
  const moved = { kind: 'deposit', debit, credit, amountMinor: 190_000n }
  // Nobody looks for who waits, yet.
  await commit(world.store, [{ post: { ...moved, orderId: null, reference: null } }])
  const later = made(await world.create())
  assert.is(later.status, 'CREATED')
  await world.fund()
  const after = await Promise.all([fitting, large, later].map(({ id }) => world.row(id)))
  assert.equal(
    after.map(({ status }) => status),
    ['READY', 'CREATED', 'CREATED'],
  )
  assert.is(made(await world.create({ priceMinor: 90_000n })).status, 'READY')
  await assertInvariants(world)
})

play('a new pay-in is READY at once, and waits for nothing', async (world) => {
  const order = made(await world.create({ direction: 'PAY_IN' }))
  assert.equal([order.status, order.machine, order.direction], ['READY', 'payIn', 'PAY_IN'])
  assert.equal(await world.rows('funding_requests'), [])
  assert.equal(await world.rows('postings'), [])
  await assertInvariants(world)
})

play('the creation is the first entry of the journal, under the key that acted', async (world) => {
  const order = made(await world.create())
  const [entry, ...more] = await world.rows('journal')
  assert.equal(more, [])
  assert.equal(
    { ...entry, hash: '' },
    {
      position: 1,
      order_id: order.id,
      sequence: 1,
      entry_at: world.clock.now(),
      actor: 'merchant:Shop',
      credential_key: 'mk_shop',
      event_json:
        '{"type":"order.create","price":"1000.00","currency":"MXN","expiry":"2026-03-02T12:00:00.000Z",' +
        `"merchantOrderId":"${order.merchant_order_id}"}`,
      from_status: null,
      to_status: 'CREATED',
      outcome: 'accepted',
      hash: '',
    },
  )
})

play('consumer data lives in a table of its own, and in neither journal nor ledger', async (world) => {
  const order = await world.order()
  const consumer = { order_id: order.id, email: 'ana@example.com', phone_number: '+525512345678' }
  const [{ email_digest: digest, phone_digest: ofPhone, ...kept } = {}, ...more] =
    await world.rows('consumers')
  assert.equal([kept, more], [{ ...consumer, erased_at: null }, []])
  assert.match(digest ?? '', /^[\w+/]{16}$/, 'by which the address is found')
  assert.match(ofPhone ?? '', /^[\w-]{8}$/, 'by which the number is found')
  const others = [await world.rows('journal'), await world.rows('postings'), await world.rows('orders')]
  const text = JSON.stringify(others, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  assert.not.match(text, /ana@example|5512345678/)
})

play('who waits for orders, funds or webhooks is woken after the commit', async (world) => {
  const woken: Topic[] = []
  for (const topic of ['orders', 'funding', 'webhooks', 'exceptions', 'provisioning'] as const)
    world.store.subscribe(topic, () => woken.push(topic))
  await world.create()
  await new Promise(setImmediate)
  assert.equal(woken.toSorted(), ['funding', 'orders'])
})

play('a merchant_order_id is taken once by each merchant, in both directions together', async (world) => {
  made(await world.create({ merchantOrderId: 'same' }))
  for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
    const again = await world.create({ merchantOrderId: 'same', direction, priceMinor: 5n })
    assert.equal(again, { outcome: 'duplicate_merchant_order_id' })
  }
  made(await world.create({ merchantOrderId: 'same', merchant: otherShop }))
  assert.is((await world.rows('orders')).length, 2)
  assert.is((await world.rows('journal')).length, 2)
  assert.is((await world.rows('consumers')).length, 2)
})

play('of 20 creations of one merchant_order_id at once exactly one is made', async (world) => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => world.create({ merchantOrderId: 'same' })),
  )
  assert.is(outcomes.filter(({ outcome }) => outcome === 'created').length, 1)
  assert.is(outcomes.filter(({ outcome }) => outcome === 'duplicate_merchant_order_id').length, 19)
  assert.is((await world.rows('orders')).length, 1)
  await assertInvariants(world)
})

play('a code that is taken is drawn again, and nobody notices', async (world) => {
  const first = made(await world.create())
  let collisions = 0
  const store = changedStore(world.store, {
    step: ({ rows, decide }) =>
      world.store.step({
        rows,
        decide: (found, at) => {
          const decision = decide(found, at)
          for (const write of decision.writes) {
            if (!('insert' in write) || write.insert !== 'orders' || collisions === 3) continue
            write.values.code = first.code
            collisions++
          }
          return decision
        },
      }),
  })
  const created = await registryOf(store, world.clock).create(newOrder(world.clock.now()))
  assert.is(collisions, 3)
  assert.is.not(made(created).code, first.code)
  assert.is((await world.rows('orders')).length, 2)
  await assertInvariants(world)
})

const guard = (payloadDigest: string, key = 'key') => ({
  partyId: shop.id,
  idempotency: { key, payloadDigest },
  bindsRevision: false,
})

play('a creation under an idempotency key is made once, and answered byte for byte again', async (world) => {
  const first = await world.create({ merchantOrderId: 'one' }, guard('payload'))
  made(first)
  world.clock.advance(hourMs)
  const again = await world.create({ merchantOrderId: 'one' }, guard('payload'))
  assert.equal(again, { outcome: 'repeated', answer: creationOf(made(first)) })
  assert.is((await world.rows('orders')).length, 1)
})

play('it is answered again although the order has moved on since', async (world) => {
  const first = made(await world.create({}, guard('payload')))
  await world.cancel(first.id)
  const again = await world.create({}, guard('payload'))
  assert.equal(again, { outcome: 'repeated', answer: creationOf(first) })
})

play('an idempotency key with another payload is another matter', async (world) => {
  made(await world.create({}, guard('payload')))
  assert.equal(await world.create({}, guard('other')), { outcome: 'other_payload' })
  assert.is((await world.rows('orders')).length, 1)
})

play('an idempotency key is its party’s own', async (world) => {
  made(await world.create({}, guard('payload')))
  made(await world.create({ merchant: otherShop }, { ...guard('other'), partyId: otherShop.id }))
  made(await world.create({}, guard('other', 'another key')))
  assert.is((await world.rows('idempotency_keys')).length, 3)
})

play('an idempotency key is free again after 24 hours, and not a moment before', async (world) => {
  const first = made(await world.create({}, guard('payload')))
  world.clock.advance(idempotencyLifeMs - 1)
  assert.is((await world.create({}, guard('payload'))).outcome, 'repeated')
  world.clock.advance(1)
  const second = made(await world.create({}, guard('other')))
  assert.is.not(second.id, first.id)
  const [kept, ...more] = await world.rows('idempotency_keys')
  assert.equal([kept?.order_id, kept?.payload_digest, more], [second.id, 'other', []])
})

play('a creation that is refused keeps no idempotency key', async (world) => {
  made(await world.create({ merchantOrderId: 'same' }))
  await world.create({ merchantOrderId: 'same' }, guard('payload'))
  assert.equal(await world.rows('idempotency_keys'), [])
  made(await world.create({}, guard('other')))
})

play(
  'of two creations under one idempotency key at once one is made, and both are answered alike',
  async (world) => {
    const answers = await Promise.all([
      world.create({ merchantOrderId: 'one' }, guard('payload')),
      world.create({ merchantOrderId: 'one' }, guard('payload')),
    ])
    // Either may come first: what is free is looked at on connections of their own.
    const [one, other] = answers.toSorted((left, right) => (left.outcome < right.outcome ? -1 : 1))
    assert.equal([one?.outcome, other?.outcome], ['created', 'repeated'])
    if (one !== undefined) assert.equal(other, { outcome: 'repeated', answer: creationOf(made(one)) })
  },
)

play('a key that another process takes in between is in flight', async (world) => {
  made(await world.create({}, guard('payload')))
  const blind = changedStore(world.store, {
    step: ({ rows, decide }) =>
      world.store.step({ rows, decide: (found, at) => decide({ ...found, idempotent: null }, at) }),
  })
  const orders = registryOf(blind, world.clock)
  const created = await orders.create(newOrder(0), guard('payload'))
  assert.equal(created, { outcome: 'in_flight' })
  assert.is((await world.rows('orders')).length, 1)
})

play('what an idempotency key stands for can be asked before anything is made', async (world) => {
  assert.is(await world.orders.recall(guard('payload')), null)
  assert.is(await world.orders.recall({ partyId: shop.id, bindsRevision: false }), null)
  const first = made(await world.create({}, guard('payload')))
  assert.equal(await world.orders.recall(guard('payload')), {
    outcome: 'repeated',
    answer: creationOf(first),
  })
  assert.equal(await world.orders.recall(guard('other')), { outcome: 'other_payload' })
  assert.is(await world.orders.recall({ ...guard('payload'), partyId: otherShop.id }), null)
  world.clock.advance(idempotencyLifeMs)
  assert.is(await world.orders.recall(guard('other')), null)
})

play('a creation that cannot be written is an error, and leaves nothing', async (world) => {
  const unknown = { ...shop, id: 'unknown' }
  let error: unknown
  await world.create({ merchant: unknown }).catch((thrown: unknown) => {
    error = thrown
  })
  assert.match(String(error), /foreign key/i)
  assert.equal([await world.rows('orders'), await world.rows('journal')], [[], []])
})

test.run()
