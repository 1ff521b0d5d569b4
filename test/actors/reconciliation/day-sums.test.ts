/** What a day comes to: its own payments alone, whichever report tells of them, and a bridge to what the network says. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type DayDocument, dayDocument } from '../../../actors/reconciliation/days.ts'
import { reconciliationApply } from '../../../actors/reconciliation/operations.ts'
import { reportedDayOf } from '../../../actors/reconciliation/report-day.ts'
import { hourMs, inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { addNetworks, file, mapping, paid, payment, reportsOf } from '../../support/reported-day.ts'

const play = inOrderWorld(test)
const [day, nextDay] = ['2026-03-01', '2026-03-02']
const strict = { report_json: mapping({ toleratedDays: 0 }) }
const dayOf = async ({ store }: OrderWorld, which: string): Promise<DayDocument> =>
  dayDocument(store, await reportedDayOf(store, '000A', which), {})
const bridge = ({ bridge: steps }: DayDocument) =>
  (steps?.steps ?? []).map(({ outcome, count, amount }) => `${outcome} ${count} ${amount}`).toSorted()

/** Adds up to what the network says. */
function assertExplained({ totals, bridge: found }: DayDocument): void {
  const cents = (amount: string) => Number(amount.replace('.', ''))
  const explained = (found?.steps ?? []).reduce(
    (sum, { amount }) => sum + cents(amount),
    cents(totals.here.amount),
  )
  assert.equal([explained, found?.unexplained], [cents(totals.network.amount), '0.00'])
}

play('a payment is of the day on which it was booked, whichever report tells of it', async (world) => {
  await addNetworks(world, strict)
  const [told, wrong, , late] = [await paid(world), await paid(world), await paid(world), await paid(world)]
  world.clock.advance(24 * hourMs)
  const [early, own] = [await paid(world), await paid(world)]
  const reports = reportsOf(world)
  const lines = [
    payment(told.id),
    payment(told.id),
    payment(wrong.id, '990.00'),
    payment(early.id),
    payment('', '5.00', 'F-9'),
  ]
  const next = await reports.send(file([payment(own.id), payment(late.id), payment(told.id)]), nextDay)
  const first = await reports.send(file(lines), day)
  const [one, two] = [await dayOf(world, day), await dayOf(world, nextDay)]
  assert.equal(one.totals, {
    here: { count: 4, amount: '4000.00' },
    network: { count: 5, amount: '3995.00' },
  })
  assert.equal(first.here, one.totals.here, 'the preview has told the same')
  assert.equal(bridge(one), [
    'amount 1 -10.00',
    'day 1 1000.00',
    'elsewhere 2 -2000.00',
    'only_ours 1 -1000.00',
    'only_theirs 1 5.00',
    'twice 2 2000.00',
  ])
  assert.equal(two.totals.here, { count: 2, amount: '2000.00' })
  assert.equal(next.here, two.totals.here)
  for (const document of [one, two]) assertExplained(document)
})

play('what is reported twice shows what is booked of it, and counts it once', async (world) => {
  await addNetworks(world, strict)
  const order = await paid(world)
  await reportsOf(world).send(file([payment(order.id), payment(order.id)]), day)
  const document = await dayOf(world, day)
  assert.equal(
    document.rows.map(({ outcome, ours }) => [outcome, ours]),
    [
      ['matched', '1000.00'],
      ['twice', '1000.00'],
    ],
  )
  assert.equal(document.totals.here, { count: 1, amount: '1000.00' })
  assert.equal(bridge(document), ['twice 1 1000.00'])
})

play('the audit counts what is missing among the differences', async (world) => {
  await addNetworks(world, strict)
  await paid(world)
  const run = await reportsOf(world).send(file([payment('', '5.00', 'F-9')]), day)
  assert.is(reconciliationApply.concluded?.(run), '000A of 2026-03-01, 2 differences')
})

test.run()
