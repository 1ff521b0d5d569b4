/** What each line of a provider's report comes to, in rows, journal and who is woken. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Booking,
  judgeReported,
  type SaidOfOrder,
} from '../../../actors/reconciliation/quarantined-orders.ts'
import { formatInstant } from '../../../machines/time.ts'
import { row, type Topic } from '../../../persistence/store.ts'
import { agree, shopFees, termsOf } from '../../support/agreed-terms.ts'
import { chainDepositFor, playForeign } from '../../support/foreign-orders.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { commit, inOrderWorld, minuteMs, type OrderWorld, tills } from '../../support/order-world.ts'
import { notPaid, paid, problems, readyOrders, report, restored } from '../../support/provider-reports.ts'

const play = inOrderWorld(test)

/** What a till's word is judged with, as the operation puts it together. */
function bookingOf(world: OrderWorld, denials: readonly [string, Set<string>][] = []): Booking {
  return {
    context: world.orders.context,
    actor: { kind: 'operator', name: 'ana' },
    reason: 'as reported',
    provider: tills.A,
    providers: [
      { ...tills.A, since: 0 },
      { ...tills.B, since: 0 },
    ],
    denials: new Map(denials),
    commissions: [],
  }
}

const denial: SaidOfOrder = { networkId: '000A', reference: 'r-1', payment: null }

play('an order may be paid from the moment it was created, until now', async (world) => {
  const [order] = await readyOrders(world, 1)
  assert.ok(order)
  await restored(world)
  for (const at of [order.created_at, world.clock.now()]) {
    const said = { ...denial, payment: { minor: order.price_minor, paidAt: at } }
    const beside = { consumer: null, foreign: null }
    const judged = judgeReported(bookingOf(world), said, await world.row(order.id), beside, world.clock.now())
    assert.equal([judged.ok, judged.ok && judged.result], [true, 'paid'])
  }
  for (const at of [order.created_at - 1, world.clock.now() + 1]) {
    const said = { ...denial, payment: { minor: order.price_minor, paidAt: at } }
    const beside = { consumer: null, foreign: null }
    const judged = judgeReported(bookingOf(world), said, await world.row(order.id), beside, world.clock.now())
    assert.match(
      judged.ok ? '' : judged.problem,
      /^paid_at is \S+: before the order was created, or in the future/,
    )
  }
})

play('that a provider did not pay what another has paid changes nothing', async (world) => {
  const [order] = await readyOrders(world, 1)
  assert.ok(order)
  await world.start(order.id, 'B')
  await world.confirm(order.id, 'B')
  await restored(world)
  const before = await world.rows('journal')
  const stored = await world.row(order.id)
  const unchanged = { ok: true, result: 'unchanged', waitsFor: [], writes: [], wake: [] }
  const beside = { consumer: null, foreign: null }
  const judged = judgeReported(bookingOf(world), denial, stored, beside, world.clock.now())
  assert.equal(judged, unchanged)
  assert.equal(await report(world, [notPaid(order.id)]), [
    { order: order.id, result: 'unchanged', waitsFor: [] },
  ])
  assert.equal(await world.rows('journal'), before)
})

play('what a provider says again is told with whom it still waits for, and written once', async (world) => {
  const [order] = await readyOrders(world, 1)
  assert.ok(order)
  await restored(world)
  await report(world, [notPaid(order.id)])
  const stored = await world.row(order.id)
  const booking = bookingOf(world, [[order.id, new Set([tills.A.id])]])
  const beside = { consumer: null, foreign: null }
  assert.equal(judgeReported(booking, denial, stored, beside, world.clock.now()), {
    ok: true,
    result: 'unchanged',
    waitsFor: ['Network B'],
    writes: [],
    wake: [],
  })
})

play(
  'two words that came at once and missed each other clear the order when one comes again',
  async (world) => {
    const [order] = await readyOrders(world, 1)
    assert.ok(order)
    await restored(world)
    // Each was judged before the other was written.
    for (const provider of [tills.A, tills.B]) {
      await world.store.step({
        rows: { order: row('orders', { id: order.id }) },
        decide: ({ order: held }, at) => {
          assert.ok(held)
          const beside = { consumer: null, foreign: null }
          const told = judgeReported({ ...bookingOf(world), provider }, denial, held, beside, at)
          return { answer: null, writes: told.ok ? told.writes : [] }
        },
      })
    }
    assert.ok((await world.row(order.id)).quarantined_at)
    assert.equal(await report(world, [notPaid(order.id)]), [
      { order: order.id, result: 'cleared', waitsFor: [] },
    ])
    assert.is((await world.row(order.id)).quarantined_at, null)
    await assertInvariants(world)
  },
)

play('what a provider says it did not pay is in the journal, and so is what it gives back', async (world) => {
  const [order] = await readyOrders(world, 1)
  assert.ok(order)
  await world.start(order.id, 'A')
  const held = await world.row(order.id)
  await restored(world)
  const line = notPaid(order.id, 'note 7')
  const day = formatInstant(world.clock.now()).slice(0, 10)
  await report(world, [line])
  const noted = await world.row(order.id)
  assert.equal([noted.status, noted.revision], ['PAYMENT_STARTED', held.revision + 1])
  await report(world, [line], 'Network B')
  const given = await world.row(order.id)
  assert.equal([given.status, given.lock_provider_id, given.revision], ['READY', null, held.revision + 3])
  const said = (await world.rows('journal')).slice(-3)
  const told = said.map(({ actor, entry_at, from_status, to_status, outcome, event_json }) => [
    actor,
    entry_at - world.clock.now(),
    from_status,
    to_status,
    outcome,
    JSON.parse(event_json),
  ])
  const word = { type: 'quarantine.report', reference: 'note 7' }
  const [started, accepted] = ['PAYMENT_STARTED', 'accepted']
  const [monday, tuesday] = ['000A', '000B'].map((network) => ({
    reason: `the report of ${network} of ${day}`,
  }))
  assert.equal(told, [
    [
      'operator:ana',
      0,
      started,
      started,
      accepted,
      { ...word, providerId: 'network-a', ...monday, isCleared: false },
    ],
    [
      'operator:ana',
      0,
      started,
      started,
      accepted,
      { ...word, providerId: 'network-b', ...tuesday, isCleared: true },
    ],
    [
      'operator:ana',
      0,
      started,
      'READY',
      accepted,
      { type: 'payment.cancel', providerId: 'network-a', ...tuesday, isQuarantined: true },
    ],
  ])
  await assertInvariants(world)
})

play('whoever could have paid before the restoration is waited for, and nobody else', async (world) => {
  const [order] = await readyOrders(world, 1)
  assert.ok(order)
  const at = world.clock.now()
  for (const [id, name, created_at] of [
    ['same', 'Of that moment', at],
    ['later', 'Of later', at + 1],
  ] as const) {
    const values = { id, kind: 'provider', name, contact: '', created_at } as const
    await commit(world.store, [
      { insert: 'parties', values },
      { insert: 'networks', values: { network_id: `net-${id}`, provider_id: id } },
    ])
  }
  await restored(world, ['A'])
  assert.equal(await report(world, [notPaid(order.id)]), [
    { order: order.id, result: 'noted', waitsFor: ['Of that moment'] },
  ])
})

play(
  'what a report changes wakes those who wait for it, and what changes nothing wakes nobody',
  async (world) => {
    const [order, held, owed] = await readyOrders(world, 3)
    assert.ok(order && held && owed)
    await world.start(held.id, 'A')
    await restored(world)
    const heard = new Set<Topic>()
    for (const topic of ['orders', 'webhooks'] as const) world.store.subscribe(topic, () => heard.add(topic))
    const woken = async (line: string, provider: 'Network A' | 'Network B') => {
      heard.clear()
      await report(world, [line], provider)
      await new Promise((resolve) => setImmediate(resolve))
      return [...heard].sort()
    }
    assert.equal(await woken(notPaid(order.id), 'Network A'), ['orders'], 'noted')
    assert.equal(await woken(notPaid(order.id), 'Network A'), [], 'unchanged')
    assert.equal(await woken(notPaid(order.id), 'Network B'), ['orders'], 'cleared')
    await woken(notPaid(held.id), 'Network A')
    assert.equal(await woken(notPaid(held.id), 'Network B'), ['orders'], 'given back')
    assert.equal(await woken(paid(world, owed.id), 'Network A'), ['orders', 'webhooks'], 'paid')
    const [webhook] = (await world.rows('webhooks')).filter((one) => one.order_id === owed.id).slice(-1)
    const { consumer_email, consumer_phone_number } = JSON.parse(webhook?.body ?? '{}')
    assert.equal([consumer_email, consumer_phone_number], ['ana@example.com', '+525512345678'])
  },
)

play(
  'a report keeps the commission of a lock from before, and takes that of the network it names',
  async (world) => {
    await agree(world)
    await world.deposit(300_000n)
    const [held, free] = [
      await world.order({ feeTerms: shopFees }),
      await world.order({ feeTerms: shopFees }),
    ]
    await world.start(held.id, 'A')
    const agreed = await world.row(held.id)
    world.clock.advance(minuteMs)
    const since = { from_day: '2000-01-02', from_at: world.clock.now() - 1 }
    const ofNetworkA = {
      party_id: tills.A.id,
      kind: 'commission',
      direction: 'PAY_OUT',
      country: '',
    } as const
    const [raised, elsewhere] = [
      termsOf('raised', { ...ofNetworkA, ...since, network_id: '000A', fixed_minor: 2000n }),
      termsOf('elsewhere', {
        ...ofNetworkA,
        ...since,
        from_at: since.from_at + 1,
        network_id: '000C',
        fixed_minor: 9900n,
      }),
    ]
    await commit(world.store, [
      { insert: 'networks', values: { network_id: '000C', provider_id: tills.A.id } },
      { insert: 'fee_terms', values: raised },
      { insert: 'fee_terms', values: elsewhere },
    ])
    await restored(world, ['B'])
    await report(world, [paid(world, held.id), paid(world, free.id, 'r-2')])
    const commissionOf = async (id: string) => {
      const { status, commission_minor, commission_terms_id } = await world.row(id)
      return [status, commission_minor, commission_terms_id]
    }
    assert.equal(await commissionOf(held.id), [
      'COMPLETED',
      agreed.commission_minor,
      agreed.commission_terms_id,
    ])
    assert.equal(await commissionOf(free.id), ['COMPLETED', 2000n, 'raised'])
    await assertInvariants(world)
  },
)

play(
  'a quarantined order that was canceled meanwhile cannot be booked, and is cleared as it is',
  async (world) => {
    const [order, held] = await readyOrders(world, 2)
    assert.ok(order && held)
    await world.start(held.id, 'A')
    await restored(world, ['A'])
    await world.cancel(order.id, true)
    await world.cancel(held.id, true)
    assert.equal(await problems(world, [paid(world, order.id), paid(world, held.id)]), [
      'line 2: Here it is CANCELLED, and this provider did not hold it last.',
      'line 3: Here it is CANCELLED: say what became of its cash.',
    ])
    const booked = await report(world, [notPaid(order.id), notPaid(held.id)])
    assert.equal(
      booked.map(({ result }) => result),
      ['cleared', 'cleared'],
    )
    for (const { id } of [order, held]) {
      const { status, quarantined_at } = await world.row(id)
      assert.equal([status, quarantined_at], ['CANCELLED', null])
    }
    await assertInvariants(world)
  },
)

play('a foreign order that is booked tells its merchant its quote and wallet', async (world) => {
  const foreign = playForeign(world)
  const side = await foreign.foreign()
  await foreign.read([chainDepositFor(side, world.clock.now())])
  await restored(world)
  await report(world, [paid(world, side.order_id, 'r-1', '830.00')])
  assert.is((await world.row(side.order_id)).status, 'COMPLETED')
  const webhook = (await world.rows('webhooks')).findLast((one) => one.order_id === side.order_id)
  const { quote, wallet, status } = JSON.parse(webhook?.body ?? '{}')
  assert.equal([quote, wallet, status], [side.quote_id, side.wallet, 'COMPLETED'])
})

test.run()
