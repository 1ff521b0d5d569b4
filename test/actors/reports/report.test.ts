/** A provider's report after a restoration: all of it or nothing. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { replay } from '../../../actors/inspection/replay.ts'
import { orderClear } from '../../../actors/orders/quarantine-operations.ts'
import { maxReportBytes, maxReportRows, readReport } from '../../../actors/reports/read.ts'
import { formatInstant } from '../../../machines/time.ts'
import { agree, problemsIn, shopFees } from '../../support/agreed-terms.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { commit, hourMs, inOrderWorld } from '../../support/order-world.ts'
import {
  header,
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
  const dry = await report(world, [line], 'Network A', { dryRun: true })
  assert.equal([dry.lines[0]?.result, (await world.row(order.id)).status], ['paid', 'READY'])
  await report(world, [line], 'Network A', { reason: 'mail of Monday' })
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
    reason: 'mail of Monday',
  })
  assert.is((await world.rows('webhooks')).at(-1)?.order_status, 'COMPLETED')
  assert.not.ok(replay(done, journal).steps.some(({ differs }) => differs))
  const again = await report(world, [line])
  assert.equal(
    again.lines.map(({ result }) => result),
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
    assert.equal(first.lines, [{ line: 2, order: order.id, result: 'noted', waitsFor: ['Network B'] }])
    assert.equal(
      first.unmentioned.map(({ id }) => id),
      [other.id],
    )
    assert.ok((await world.row(order.id)).quarantined_at)
    assert.equal((await report(world, [notPaid(order.id)])).lines[0]?.result, 'unchanged')
    const second = await report(world, [notPaid(order.id)], 'Network B')
    assert.equal(second.lines[0]?.result, 'cleared')
    assert.is((await world.row(order.id)).quarantined_at, null)
    assert.equal((await report(world, [notPaid(order.id)], 'Network B')).lines, [
      { line: 2, order: order.id, result: 'unchanged', waitsFor: [] },
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
  assert.equal((await report(world, [notPaid(other.id)])).lines[0]?.result, 'cleared')
})

play(
  'an order that is cleared past its expiry expires at once, and its stake is the merchant’s again',
  async (world) => {
    const [order] = await readyOrders(world, 1)
    assert.ok(order)
    await restored(world, ['A'])
    world.clock.advance(100 * hourMs)
    assert.is((await report(world, [notPaid(order.id)])).lines[0]?.result, 'cleared')
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
    (await report(world, [notPaid(given.id), paid(world, kept.id)])).lines.map(({ result }) => result),
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

play('one line that cannot be done refuses the whole report, and every such line is named', async (world) => {
  const [good, held, free, theirs] = await readyOrders(world, 4)
  assert.ok(good && held && free && theirs)
  const waiting = await world.order()
  await world.start(held.id, 'B')
  await world.start(theirs.id, 'B')
  await world.confirm(theirs.id, 'B')
  await restored(world)
  await operatorOf(world).ask(orderClear, { ids: [free.id], reason: 'not paid' })
  const before = [await world.rows('journal'), await world.rows('postings')]
  const details = await problems(world, [
    paid(world, good.id),
    paid(world, '0197a1c4-6f00-7000-8000-00000000dead'),
    paid(world, held.id),
    paid(world, free.id),
    paid(world, theirs.id),
    paid(world, waiting.id),
    paid(world, good.code),
    `${held.id},maybe,,,,`,
    'only,two',
    `${held.id},paid,1000.00,yesterday,r,`,
    `${held.id},paid,1000.00,2026-03-01T12:00:00Z,,`,
  ])
  const expected = [
    /^line 3: there is no order 0197a1c4/,
    /^line 4: another provider held it at the time of the backup/,
    /^line 5: it is READY and not quarantined/,
    /^line 6: another provider has paid it/,
    /^line 7: it is CREATED: no money is reserved/,
    /^line 8: line 2 is about this order too/,
    /^line 9: the outcome “maybe” is neither/,
    /^line 10: it has 2 values, and the header 6/,
    /^line 11: paid_at “yesterday” is not a time/,
    /^line 12: a payment needs its reference/,
  ]
  assert.is(details.length, expected.length, details.join('\n'))
  for (const [index, pattern] of expected.entries()) assert.match(details[index] ?? '', pattern)
  const [wrong = ''] = await problems(world, [paid(world, good.id, 'r', '999.00')])
  assert.match(wrong, /^line 2: the amount is “999.00”, and the order's price 1000.00 MXN/)
  for (const at of [good.created_at - 1, world.clock.now() + 1]) {
    const [untimely = ''] = await problems(world, [`${good.id},paid,1000.00,${formatInstant(at)},r,`])
    assert.match(untimely, /^line 2: paid_at is \S+: before the order was created, or in the future/)
  }
  const [network = ''] = await problems(world, [`${paid(world, good.id)}000B`])
  assert.match(network, /^line 2: the network 000B is not this provider's/)
  const [denied = ''] = await problems(world, [notPaid(theirs.id)], 'Network B')
  assert.match(denied, /this provider has confirmed that it paid it/)
  assert.equal([await world.rows('journal'), await world.rows('postings')], before, 'nothing was booked')
  const audit = await world.rows('audit')
  assert.not.match(audit.at(-1)?.input_json ?? '', /1000/, 'the audit log keeps a digest of the report')
  await assertInvariants(world)
})

test('a report is CSV as spreadsheets write it: with a BOM, quotes, other orders of columns, blank lines', () => {
  const text =
    '\uFEFF"Reference","order",outcome,paid_at,amount\r\n"a ""b"", c",1,PAID,2026-03-01T12:00:00Z,"1.00"\r\n\r\n,2,not_paid,,\r\n'
  assert.equal(readReport(text), {
    rows: [
      {
        line: 2,
        order: '1',
        reference: 'a "b", c',
        payment: { amount: '1.00', paidAt: Date.UTC(2026, 2, 1, 12), network: '' },
      },
      { line: 4, order: '2', reference: '', payment: null },
    ],
    faults: [],
  })
})

test('a report has a mebibyte and two thousand rows at most', () => {
  assert.equal([maxReportBytes, maxReportRows], [1_048_576, 2_000])
})

test('what is no report is told with its line', () => {
  const problem = (text: string) => readReport(text).faults.map((fault) => `${fault.line}: ${fault.problem}`)
  assert.match(problem('order,outcome\n')[0] ?? '', /^1: the column amount is missing/)
  assert.match(problem('order;outcome\n')[0] ?? '', /^1: “order;outcome” is not a column/)
  assert.match(problem(`${header}\n"a,not_paid,,,,\n`)[0] ?? '', /is not CSV/)
  assert.match(problem('\n')[0] ?? '', /^1: the file is empty/)
  assert.equal(problem('order,first,second\n'), [
    '1: “first” is not a column; the columns are order, outcome, amount, paid_at, reference, network',
  ])
  assert.match(problem(`${header},order\n`)[0] ?? '', /^1: a column appears twice/)
  assert.match(problem(`${header}\n,not_paid,,,,\n`)[0] ?? '', /^2: the order is missing/)
  const reference = (length: number) => `${header}\n1,not_paid,,,${'r'.repeat(length)},\n`
  assert.equal(problem(reference(100)), [])
  assert.match(problem(reference(101))[0] ?? '', /^2: the reference is longer than 100 characters/)
  for (const text of ['"a', '', 'order,outcome\n', 'order;outcome\n'])
    assert.equal(readReport(text).rows, [], text)
  const most = Array.from({ length: maxReportRows }, (_, index) => notPaid(String(index)))
  assert.is(readReport([header, ...most].join('\n')).rows.length, maxReportRows)
  const many = Array.from({ length: maxReportRows + 1 }, (_, index) => notPaid(String(index)))
  // Nothing behind the row that is too many is read, whatever it is.
  const { rows, faults } = readReport([header, ...many, '"a'].join('\n'))
  assert.equal([rows, faults[0]?.problem], [[], 'there are more than 2000 rows: send the report in parts'])
  assert.match(
    problem([header, ...many].join('\n'))[0] ?? '',
    /^1: there are more than 2000 rows: send the report in parts/,
  )
})

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

test.run()
