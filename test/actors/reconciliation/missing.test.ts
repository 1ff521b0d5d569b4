/** What a report lacks: named before it is applied, waited for as long as another may tell of it, and judged by the terms in force. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type DayDocument, dayDocument } from '../../../actors/reconciliation/days.ts'
import { reportedDayOf } from '../../../actors/reconciliation/report-day.ts'
import type { RunDocument } from '../../../actors/reconciliation/run-document.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { commit, hourMs, inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { addNetworks, file, mapping, paid, payment, reportsOf } from '../../support/reported-day.ts'

const play = inOrderWorld(test)
const day = '2026-03-01'
const nextDay = '2026-03-02'
const open = async (world: OrderWorld) =>
  (await world.rows('exceptions')).filter(({ state }) => state === 'open')
const dayOf = async ({ store }: OrderWorld, which: string): Promise<DayDocument> =>
  dayDocument(store, await reportedDayOf(store, '000A', which), {})

play(
  'a preview names the payments of ours that the file lacks, and applying it comes to the same',
  async (world) => {
    await addNetworks(world)
    const [early, told, silent] = [await paid(world), await paid(world), await paid(world)]
    const reports = reportsOf(world)
    const first = await reports.send(file([payment(told.id)]), day)
    const lacking = (document: RunDocument) =>
      document.missing.shown.map(({ order, day: of, ours, awaited }) => [order, of, ours, awaited])
    // The next day's report may tell of both.
    assert.equal(
      lacking(first).toSorted(),
      [early, silent].map(({ id }) => [id, day, '1000.00', [nextDay]]).toSorted(),
    )
    assert.equal([first.missing.count, first.missing.awaited], [0, 2])
    assert.equal(
      [first.paid, first.here],
      [
        { count: 1, amount: '1000.00' },
        { count: 3, amount: '3000.00' },
      ],
    )
    assert.equal((await dayOf(world, day)).awaited, [nextDay])
    world.clock.advance(24 * hourMs)
    const ofToday = await paid(world)
    const next = await reports.look(file([payment(early.id)]), nextDay)
    assert.equal(lacking(next), [
      [silent.id, day, '1000.00', []],
      [ofToday.id, nextDay, '1000.00', ['2026-03-03']],
    ])
    assert.equal([next.missing.count, next.missing.awaited, next.appeared], [1, 1, 1])
    // What it tells of is the day before's.
    assert.equal(next.here, { count: 1, amount: '1000.00' })
    assert.equal(await open(world), [])
    await reports.send(file([payment(early.id)]), nextDay)
    assert.equal(
      (await open(world)).map(({ order_id }) => order_id),
      [silent.id],
    )
    const after = await dayOf(world, nextDay)
    assert.equal([after.totals.here, after.totals.network], [next.here, next.paid])
    assert.equal([after.awaited, (await dayOf(world, day)).awaited], [['2026-03-03'], []])
  },
)

play(
  'the same file is judged again once the terms of its network are others, and then never again',
  async (world) => {
    await addNetworks(world)
    const [told, silent] = [await paid(world), await paid(world)]
    const reports = reportsOf(world)
    const text = file([payment(told.id)])
    await reports.send(text, day)
    assert.equal(await open(world), [])
    const terms = mapping({ toleratedDays: 0 })
    await commit(world.store, [
      { update: 'networks', key: { network_id: '000A' }, set: { report_json: terms } },
    ])
    assert.is((await dayOf(world, day)).isOfFormerTerms, true)
    const again = await reports.send(text, day)
    assert.equal([again.unchanged, again.judgedAnew, again.appeared, again.gone], [false, true, 1, 0])
    // No later report may tell of it now.
    assert.equal(
      (await open(world)).map(({ order_id }) => order_id),
      [silent.id],
    )
    assert.is((await dayOf(world, day)).isOfFormerTerms, false)
    const once = await world.rows('exceptions')
    assert.is((await reports.send(text, day)).unchanged, true)
    assert.equal(await world.rows('exceptions'), once)
    await assertInvariants(world)
  },
)

test.run()
