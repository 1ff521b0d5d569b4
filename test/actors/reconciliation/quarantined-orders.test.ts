/** A network's report after a restoration: quarantined orders are completed by it, or cleared. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { replay } from '../../../actors/inspection/replay.ts'
import { orderClear, orderQuarantined } from '../../../actors/orders/quarantine-operations.ts'
import { formatInstant } from '../../../machines/time.ts'
import { agree, problemsIn, shopFees } from '../../support/agreed-terms.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { commit, hourMs, inOrderWorld } from '../../support/order-world.ts'
import {
  look,
  notPaid,
  paid,
  problems,
  readyOrders,
  report,
  restored,
} from '../../support/provider-reports.ts'

const play = inOrderWorld(test)

play('what a provider paid is booked from READY, with its evidence, long past the expiry', async (world) => {
  const [order] = await readyOrders(world, 1)
  assert.ok(order)
  await restored(world)
  world.clock.advance(100 * hourMs)
  const line = paid(world, order.code)
  const { quarantined, outcomes } = await look(world, [line])
  assert.equal([quarantined, outcomes, (await world.row(order.id)).status], [1, { matched: 1 }, 'READY'])
  const day = formatInstant(world.clock.now()).slice(0, 10)
  await report(world, [line])
  const done = await world.row(order.id)
  assert.equal(
    [done.status, done.quarantined_at, done.lock_provider_id, done.lock_network_id, done.paid_at],
    ['COMPLETED', null, 'network-a', '000A', world.clock.now() - 1000],
  )
  assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), 100_000n)
  assert.is(await world.balance({ kind: 'reserved' }), 0n)
  const journal = await world.rows('journal')
  const entry = journal.at(-1)
  assert.is(entry?.actor, 'operator:ana')
  assert.equal(JSON.parse(entry?.event_json ?? ''), {
    type: 'payment.report',
    providerId: 'network-a',
    networkId: '000A',
    paidAt: done.paid_at,
    amount: '100000',
    reference: 'r-1',
    reason: `the report of 000A of ${day}`,
  })
  assert.is((await world.rows('webhooks')).at(-1)?.order_status, 'COMPLETED')
  assert.not.ok(replay(done, journal).steps.some(({ differs }) => differs))
  const again = await report(world, [line])
  assert.equal(
    again.map(({ result }) => result),
    ['unchanged'],
  )
  assert.is((await world.rows('journal')).length, journal.length)
  await assertInvariants(world)
})

play(
  'an order is cleared only when every provider that could have paid it has said that it did not',
  async (world) => {
    const [order, other] = await readyOrders(world, 2)
    assert.ok(order && other)
    await restored(world)
    const first = await report(world, [notPaid(order.id)])
    assert.equal(first, [{ order: order.id, result: 'noted', waitsFor: ['Network B'] }])
    const { orders: waiting } = await operatorOf(world).ask(orderQuarantined, {})
    assert.equal(
      waiting.find(({ id }) => id === other.id)?.waitsFor,
      ['Network A', 'Network B'],
      'of what no report speaks everybody is waited for',
    )
    assert.ok((await world.row(order.id)).quarantined_at)
    assert.equal((await report(world, [notPaid(order.id)]))[0]?.result, 'unchanged')
    const second = await report(world, [notPaid(order.id)], 'Network B')
    assert.equal(second[0]?.result, 'cleared')
    assert.is((await world.row(order.id)).quarantined_at, null)
    assert.equal(await report(world, [notPaid(order.id)], 'Network B'), [
      { order: order.id, result: 'unchanged', waitsFor: [] },
    ])
    assert.is((await world.start(order.id, 'B')).outcome, 'accepted')
    assert.ok((await world.row(other.id)).quarantined_at, 'what no report speaks of stays quarantined')
    const steps = replay(
      await world.row(order.id),
      (await world.rows('journal')).filter((it) => it.order_id === order.id),
    )
    assert.not.ok(steps.steps.some(({ differs }) => differs))
    await assertInvariants(world)
  },
)

play('what a provider said under 0.1.0, whose journal has another word for it, counts', async (world) => {
  const [order, other] = await readyOrders(world, 2)
  assert.ok(order && other)
  await restored(world)
  await report(world, [notPaid(order.id)], 'Network B')
  const said = (await world.rows('journal')).at(-1)
  assert.ok(said)
  const old = said.event_json.replace('quarantine.report', 'hold.report')
  const values = { ...said, position: said.position + 1, order_id: other.id, sequence: 99, event_json: old }
  await commit(world.store, [{ insert: 'journal', values }])
  assert.equal((await report(world, [notPaid(other.id)]))[0]?.result, 'cleared')
})

play(
  'an order that is cleared past its expiry expires at once, and its stake is the merchant’s again',
  async (world) => {
    const [order] = await readyOrders(world, 1)
    assert.ok(order)
    await restored(world, ['A'])
    world.clock.advance(100 * hourMs)
    assert.is((await report(world, [notPaid(order.id)]))[0]?.result, 'cleared')
    assert.equal([(await world.row(order.id)).status, await world.balance({})], ['EXPIRED', 100_000n])
    await assertInvariants(world)
  },
)

play('who held an order at the time of the backup gives it back, or is booked', async (world) => {
  const [given, kept] = await readyOrders(world, 2)
  assert.ok(given && kept)
  for (const { id } of [given, kept]) await world.start(id, 'A')
  await restored(world, ['A'])
  assert.equal(
    (await report(world, [notPaid(given.id), paid(world, kept.id)])).map(({ result }) => result),
    ['cleared', 'paid'],
  )
  assert.equal(
    [(await world.row(given.id)).status, (await world.row(kept.id)).status],
    ['READY', 'COMPLETED'],
  )
  assert.is((await world.row(given.id)).quarantined_at, null, 'another may pay it')
  await assertInvariants(world)
})

play('a pay-in that was collected is booked: the provider owes it, the merchant has it', async (world) => {
  const order = await world.order({ direction: 'PAY_IN' })
  await restored(world)
  await report(world, [paid(world, order.id)])
  assert.equal(
    [await world.balance({}), await world.balance({ kind: 'provider', ownerId: 'network-a' })],
    [100_000n, -100_000n],
  )
  await assertInvariants(world)
})

play('what cannot be booked is named by its line before anything is, and the others are', async (world) => {
  const [good, held, free, theirs] = await readyOrders(world, 4)
  const waiting = await world.order()
  assert.ok(good && held && free && theirs)
  await world.start(held.id, 'B')
  await world.start(theirs.id, 'B')
  await world.confirm(theirs.id, 'B')
  await restored(world)
  await operatorOf(world).ask(orderClear, { ids: [free.id], reason: 'not paid' })
  const before = [await world.rows('journal'), await world.rows('postings')]
  const lines = [
    paid(world, good.id),
    paid(world, '0197a1c4-6f00-7000-8000-00000000dead'),
    paid(world, held.id),
    paid(world, free.id),
    paid(world, theirs.id),
    paid(world, waiting.id),
    paid(world, good.code),
  ]
  const expected = [
    /^line 3: The network calls it paid; there is no such order here/,
    /^line 4: It is quarantined, and cannot be booked: another provider held it at the time of the backup/,
    /^line 5: Here it is READY/,
    /^line 6: Here another provider has paid it/,
    /^line 7: It is quarantined, and cannot be booked: it is CREATED: no money is reserved/,
    /^line 8: Its payment is reported twice: line 2 is about it, too/,
  ]
  const details = await problems(world, lines)
  assert.is(details.length, expected.length, details.join('\n'))
  for (const [index, pattern] of expected.entries()) assert.match(details[index] ?? '', pattern)
  const [wrong = ''] = await problems(world, [paid(world, good.id, 'r', '999.00')])
  assert.match(wrong, /^line 2: It is quarantined, and its price is 1000.00 MXN/)
  assert.equal([await world.rows('journal'), await world.rows('postings')], before, 'nothing was booked')
  const booked = await report(world, lines)
  assert.equal(
    booked.map(({ result }) => result),
    ['paid', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'paid'],
  )
  assert.equal(
    (await world.rows('report_lines')).toSorted((a, b) => a.line - b.line).map(({ outcome }) => outcome),
    ['matched', 'only_theirs', 'status', 'status', 'status', 'status', 'twice'],
  )
  const [denied = ''] = await problems(world, [notPaid(theirs.id)], 'Network B')
  assert.match(denied, /The network says that it was not paid; here it is/)
  await assertInvariants(world)
})

play(
  'an order in another currency than the network’s is not completed, though the number is its price',
  async (world) => {
    const order = await world.order({ direction: 'PAY_IN', country: 'CL', currency: 'CLP' })
    await restored(world)
    const [wrong] = await problems(world, [paid(world, order.id)])
    assert.is(wrong, 'line 2: It is quarantined, and in CLP, not MXN.')
    await report(world, [paid(world, order.id)])
    assert.is((await world.row(order.id)).status, 'READY')
  },
)

play('a report that locks an order takes its commission by the terms of when it was paid', async (world) => {
  await agree(world)
  await world.deposit(300_000n)
  const order = await world.order({ feeTerms: shopFees })
  await restored(world, ['B'])
  world.clock.advance(100 * hourMs)
  const [terms] = (await world.rows('fee_terms')).filter(({ id }) => id === 'network-PAY_OUT')
  assert.ok(terms)
  // Agreed on between the payment and the report.
  const later = {
    ...terms,
    id: 'later',
    from_day: '2000-01-02',
    from_at: world.clock.now() - 500,
    fixed_minor: 9900n,
    max_minor: null,
  }
  await commit(world.store, [{ insert: 'fee_terms', values: later }])
  await report(world, [paid(world, order.code)])
  const { status, commission_minor, commission_tax_minor, commission_terms_id } = await world.row(order.id)
  assert.equal(
    [status, commission_minor, commission_tax_minor, commission_terms_id],
    ['COMPLETED', 1300n, 208n, terms.id],
  )
  assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), 100_000n + 1300n + 208n)
  await assertInvariants(world)
  assert.equal(await problemsIn(world), [])
})

play('what two lines say of one quarantined order, the first of them says', async (world) => {
  const [order] = await readyOrders(world, 1)
  assert.ok(order)
  await restored(world)
  const lines = [notPaid(order.id), notPaid(order.id), paid(world, order.id)]
  assert.equal(await problems(world, lines), [])
  await report(world, lines)
  assert.equal(
    (await world.rows('report_lines')).map(({ outcome }) => outcome),
    ['matched', 'matched', 'matched'],
  )
  assert.ok((await world.row(order.id)).quarantined_at)
  await assertInvariants(world)
})

test.run()
