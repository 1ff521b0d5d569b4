/** A network's report of a day, held against what is booked: protocol 16.3 to 16.5. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { finishReports } from '../../../actors/reconciliation/finishing.ts'
import { findReportedDay } from '../../../actors/reconciliation/report-day.ts'
import { resolveException } from '../../../actors/resolutions/resolve.ts'
import { quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import { type Row, StoreUnavailable } from '../../../persistence/store.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import {
  changedStore,
  commit,
  graceMs,
  hourMs,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  operator,
} from '../../support/order-world.ts'
import { addNetworks, file, filesOf, mapping, paid, payment, reportsOf } from '../../support/reported-day.ts'

const play = inOrderWorld(test)
const day = '2026-03-01'
const nextDay = '2026-03-02'

const open = async (world: OrderWorld) =>
  (await world.rows('exceptions')).filter(({ state }) => state === 'open')
const outcomes = async (world: OrderWorld) =>
  (await world.rows('report_lines'))
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, outcome }) => `${line} ${outcome}`)

play('each kind of difference is found, named by its line, and nothing else is', async (world) => {
  await addNetworks(world)
  const orders = {
    good: await paid(world),
    byCode: await paid(world, 'A', 'PAY_OUT'),
    byReference: await paid(world),
  }
  await commit(world.store, [
    {
      insert: 'network_references',
      values: { order_id: orders.byReference.id, network_id: '000A', reference: 'F-3' },
    },
  ])
  const [wrong, twice, reversed, silent, foreign] = [
    await paid(world),
    await paid(world),
    await paid(world),
    await paid(world),
    await paid(world, 'B'),
  ]
  const ready = await world.order({ direction: 'PAY_IN' })
  const reports = reportsOf(world)
  const text = file([
    payment(orders.good.id),
    payment(orders.byCode.code.replace(/(\d{5})/g, '$1 ').trim()),
    payment('', '1000.00', 'F-3'),
    payment(wrong.id, '999.99'),
    payment(twice.id),
    payment(twice.id),
    payment(reversed.id, '-1000.00'),
    payment('', '10.00', 'F-unknown'),
    payment(ready.id),
    payment(foreign.id),
  ])
  const looked = await reports.look(text, day)
  assert.equal(looked.outcomes, { matched: 4, amount: 1, twice: 1, reversed: 1, only_theirs: 1, status: 2 })
  assert.equal([await open(world), await world.rows('report_files')], [[], []], 'a preview changes nothing')
  await reports.send(text, day)
  assert.equal(await outcomes(world), [
    '2 matched',
    '3 matched',
    '4 matched',
    '5 amount',
    '6 matched',
    '7 twice',
    '8 reversed',
    '9 only_theirs',
    '10 status',
    '11 status',
  ])
  assert.equal((await open(world)).map(({ reason }) => reason).toSorted(), [
    '000A reports of 2026-03-01, line 10: Here it is READY.',
    '000A reports of 2026-03-01, line 11: Here another provider has paid it.',
    '000A reports of 2026-03-01, line 5: The network says 999.99, and the order 1000.00 MXN.',
    '000A reports of 2026-03-01, line 7: Its payment is reported twice: line 6 is about it, too.',
    '000A reports of 2026-03-01, line 8: The network has taken the payment back; here it stands.',
    '000A reports of 2026-03-01, line 9: The network calls it paid; there is no such reference here.',
  ])
  // Whether the next day's report tells of it is not known yet. What is called taken back is told of.
  assert.equal(
    (await world.rows('report_missing')).map(({ order_id, exception_id }) => [order_id, exception_id]),
    [[silent.id, null]],
  )
  // What another network says of it is nothing that its own has said.
  await reports.send(file([]), day, '000B')
  assert.equal(
    (await world.rows('report_missing'))
      .filter(({ network_id }) => network_id === '000B')
      .map(({ order_id }) => order_id),
    [foreign.id],
  )
  assert.equal(reports.files.texts.size, 1, 'the one that was looked at alone')
  await assertInvariants(world)
})

play('what no report tells of waits for the last that may, and is a difference then', async (world) => {
  await addNetworks(world)
  const [late, never] = [await paid(world), await paid(world)]
  const reports = reportsOf(world)
  await reports.send(file([]), day)
  assert.equal((await world.rows('report_missing')).length, 2)
  assert.equal(await open(world), [])
  world.clock.advance(24 * hourMs)
  await reports.send(file([payment(late.id)]), nextDay)
  assert.equal(await outcomes(world), ['2 matched'])
  const [missing, ...rest] = await world.rows('report_missing')
  assert.equal([missing?.order_id, missing?.day, rest.length], [never.id, day, 0])
  const [exception, ...others] = await open(world)
  assert.equal(
    [exception?.id, exception?.order_id, exception?.reason, others.length],
    [missing?.exception_id, never.id, '000A does not report it of 2026-03-01; here it was paid then.', 0],
  )
})

play('the same file again changes nothing, and a corrected one settles what it corrects', async (world) => {
  await addNetworks(world, { report_json: mapping({ toleratedDays: 0 }) })
  const [good, wrong, forgotten] = [await paid(world), await paid(world), await paid(world)]
  const reports = reportsOf(world)
  const first = file([payment(good.id), payment(wrong.id, '900.00'), payment('', '5.00', 'F-9')])
  await reports.send(first, day)
  assert.equal((await open(world)).length, 3)
  const before = await world.rows('exceptions')
  const again = await reports.send(first, day)
  assert.equal([again.unchanged, again.state], [true, 'applied'])
  assert.equal([await world.rows('exceptions'), (await world.rows('report_files')).length], [before, 1])

  const corrected = file([
    payment(good.id),
    payment(wrong.id),
    payment('', '5.00', 'F-9'),
    payment(forgotten.id),
  ])
  const looked = await reports.look(corrected, day)
  // Another amount, and the payment that was not in the first one.
  assert.equal([looked.replaces, looked.appeared, looked.gone], [true, 0, 2])
  await reports.send(corrected, day)
  const after = await world.rows('exceptions')
  assert.equal(
    after.map(({ state, resolution, resolved_by }) => [state, resolution, resolved_by]).toSorted(),
    [
      ['open', null, null],
      ['resolved', 'corrected', null],
      ['resolved', 'corrected', null],
    ],
  )
  // The first file once more: what it says differs again.
  await reports.send(first, day)
  assert.equal((await open(world)).length, 3)
  assert.equal((await world.rows('report_files')).map(({ state }) => state).toSorted(), [
    'current',
    'replaced',
    'replaced',
  ])
})

play('what a person has settled stays settled, whatever is sent again', async (world) => {
  await addNetworks(world, { report_json: mapping({ toleratedDays: 0 }) })
  const wrong = await paid(world)
  const reports = reportsOf(world)
  await reports.send(file([payment(wrong.id, '900.00')]), day)
  const [difference] = await open(world)
  assert.ok(difference)
  const about = { store: world.store, ...world.orders.context }
  const resolving = {
    exceptionId: difference.id,
    as: 'dismiss',
    reason: 'their mail',
    evidence: null,
    operator,
  } as const
  assert.is((await resolveException(about, resolving)).outcome, 'resolved')
  await reports.send(file([payment(wrong.id, '900.00'), payment('', '1.00', 'F-8')]), day)
  const [other, ...rest] = await open(world)
  assert.equal([other?.order_id, rest.length], [null, 0])
})

play(
  'a report is the word of who held an order that ended: its exception has it, and honours it',
  async (world) => {
    await addNetworks(world, { report_json: mapping({ toleratedDays: 0 }) })
    await world.deposit(200_000n)
    const [held, returned] = [
      await world.order({ expiryAt: world.clock.now() + hourMs }),
      await world.order({ expiryAt: world.clock.now() + hourMs }),
    ]
    for (const { id } of [held, returned]) await world.start(id, 'A')
    world.clock.advance(hourMs + graceMs)
    for (const { id } of [held, returned]) await world.orders.expire(id)
    const about = { store: world.store, ...world.orders.context }
    const resolve = async (exceptionId: string, as: 'honour' | 'return') =>
      assert.is(
        (await resolveException(about, { exceptionId, as, reason: 'so', evidence: null, operator })).outcome,
        'resolved',
      )
    const ended = (await open(world)).find(({ order_id }) => order_id === returned.id)
    await resolve(ended?.id ?? '', 'return')
    const reports = reportsOf(world)
    await reports.send(file([payment(held.id), payment(returned.id)]), day)
    const now = await open(world)
    assert.equal(now.map(({ kind, order_id }) => [kind, order_id]).toSorted(), [
      ['confirmed_after_return', returned.id],
      ['expired_while_locked', held.id],
    ])
    for (const { evidence_json } of now)
      assert.match(evidence_json, /"report":\{"network":"000A","day":"2026-03-01"/)
    for (const { id } of now) await resolve(id, 'honour')
    assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), 200_000n)
    const again = await reports.send(
      file([payment(held.id), payment(returned.id), payment('', '1.00', 'F-1')]),
      day,
    )
    assert.equal(again.outcomes, { matched: 2, only_theirs: 1 })
    await assertInvariants(world)
  },
)

play('a report that was cut off between any two steps is brought to its end', async (world) => {
  await addNetworks(world, { report_json: mapping({ toleratedDays: 0 }) })
  const orders = [await paid(world), await paid(world)]
  const text = file([payment(orders[0]?.id ?? ''), payment('', '3.00', 'F-2')])
  const whole = async () => [
    (await world.rows('report_files')).map(({ state, finished_at }) => [state, finished_at !== null]),
    (await world.rows('report_missing')).length,
    (await open(world)).map(({ id }) => id).toSorted(),
  ]
  const { step } = world.store
  for (let allowed = 1; ; allowed++) {
    let left = allowed
    let wasCut = false
    world.store.step = (async (asked: never) => {
      if (left-- === 0) wasCut = true
      if (wasCut) throw new Error('cut off')
      return step.call(world.store, asked)
    }) as never
    await reportsOf(world)
      .send(text, day)
      .catch((error) => assert.match(String(error), /cut off/))
    world.store.step = step
    while ((await finishReports(world.store)).more);
    const files = await world.rows('report_files')
    if (!wasCut || files.some(({ state }) => state === 'current')) {
      assert.equal(await whole(), [
        [['current', true]],
        1,
        (await open(world)).map(({ id }) => id).toSorted(),
      ])
      assert.is((await open(world)).length, 2)
      return
    }
  }
})

play(
  'a file that could not be looked at is not applied, and its sender is told why and what to do',
  async (world) => {
    await addNetworks(world)
    const order = await paid(world)
    let isOut = true
    const store = changedStore(world.store, {
      query: async (asked, args) => {
        if (isOut) throw new StoreUnavailable('unreachable', 'the database is out of reach')
        return world.store.query(asked, args)
      },
    })
    const { uploads, reports } = filesOf({ ...world, store })
    const found = await findReportedDay(world.store, { network: '000A', day })
    const begun = async () => {
      const { run } = await reports.begin(found, uploads.add(file([payment(order.id)])).id, 'ana')
      await reports.settled(run)
      return run
    }
    const refused = await reports.apply(await begun(), 'ana').catch((error: unknown) => error)
    if (!(refused instanceof OperationError)) throw refused
    assert.equal(
      [refused.code, refused.message, refused.details, refused.hint],
      [
        'conflict',
        'The file could not be worked on.',
        ['It failed; the log says why.'],
        'Send it again: what was stored of it is gone on with.',
      ],
    )
    isOut = false
    const run = await begun()
    await reports.apply(run, 'ana')
    await reports.settled(run)
    assert.is(reports.show(run).state, 'applied')
  },
)

play('orders that a restore has quarantined are completed by a report, or cleared by it', async (world) => {
  await addNetworks(world)
  await world.deposit(400_000n)
  const made: Row<'orders'>[] = []
  for (let count = 0; count < 4; count++) made.push(await world.order())
  const [done, denied, wrong, silent] = made
  assert.ok(done && denied && wrong && silent)
  await world.store.execute(quarantineOpenOrders, { at: world.clock.now() })
  world.clock.advance(minuteMs)
  const reports = reportsOf(world)
  const lines = [payment(done.id, '1000.00', 'F-1'), `${denied.id},not_paid,,,`, payment(wrong.id, '900.00')]
  const looked = await reports.look(file(lines), day)
  assert.equal(
    [looked.quarantined, looked.outcomes],
    [2, { matched: 2, amount: 1 }],
    'what would be refused is told',
  )
  assert.ok((await world.row(done.id)).quarantined_at, 'a preview books nothing')
  await reports.send(file(lines), day)
  const completed = await world.row(done.id)
  assert.equal(
    [completed.status, completed.quarantined_at, completed.lock_network_id],
    ['COMPLETED', null, '000A'],
  )
  assert.match((await world.rows('journal')).at(-1)?.event_json ?? '', /"networkId":"000A"|quarantine.report/)
  assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), 100_000n)
  // The other provider has said nothing of it yet.
  assert.ok((await world.row(denied.id)).quarantined_at)
  assert.equal(await outcomes(world), ['2 matched', '3 matched', '4 amount'])
  await reports.send(file([`${denied.id},not_paid,,,`]), day, '000B')
  const states = await Promise.all(
    [denied, wrong, silent].map(async ({ id }) => (await world.row(id)).quarantined_at),
  )
  assert.equal(
    states.map((at) => at === null),
    [true, false, false],
  )
  await assertInvariants(world)
})

test.run()
