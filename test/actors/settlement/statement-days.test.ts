/** Days where clocks change, and a month of due days by a table that was made by hand. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import { paymentReceive } from '../../../actors/settlement/payment-operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld, tills } from '../../support/order-world.ts'
import { agree, bankCalendar, closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)

/** A pay-in that the network has taken at an instant. */
async function payIn(world: OrderWorld, at: number, priceMinor: bigint): Promise<void> {
  world.clock.advance(at - world.clock.now())
  const order = await world.order({ direction: 'PAY_IN', priceMinor })
  await world.start(order.id, 'A')
  await world.confirm(order.id, 'A')
}

/** Zone, cut-off, day, the instant at which it ends, the next day. */
const ends: [zone: string, cutOff: string, day: string, at: string, next: string][] = [
  ['America/Sao_Paulo', '22:00', '2026-03-02', '2026-03-03T01:00:00.000Z', '2026-03-03'],
  // Forward at 02:00: there is no 02:30.
  ['America/Tijuana', '02:30', '2026-03-08', '2026-03-08T10:00:00.000Z', '2026-03-09'],
  // Asunción and Mexico City used to change then, and do no more.
  ['America/Asuncion', '24:00', '2026-03-21', '2026-03-22T03:00:00.000Z', '2026-03-22'],
  ['America/Mexico_City', '22:00', '2026-04-05', '2026-04-06T04:00:00.000Z', '2026-04-06'],
  // Back at midnight: half past eleven comes twice, and the later one counts.
  ['America/Santiago', '23:30', '2026-04-04', '2026-04-05T03:30:00.000Z', '2026-04-05'],
  ['America/Santiago', '24:00', '2026-04-04', '2026-04-05T04:00:00.000Z', '2026-04-05'],
  ['America/Tijuana', '01:30', '2026-11-01', '2026-11-01T09:30:00.000Z', '2026-11-02'],
  // Forward at midnight: that midnight does not exist.
  ['America/Santiago', '24:00', '2026-09-05', '2026-09-06T04:00:00.000Z', '2026-09-06'],
]

for (const [time_zone, cut_off, day, at, next] of ends) {
  play(`in ${time_zone} at ${cut_off} ${day} ends at ${at}, to the millisecond`, async (world) => {
    await agree(world.store, tills.A.id, [day, next], { time_zone, cut_off })
    const end = Date.parse(at)
    await payIn(world, end - 1, 10_000n)
    await payIn(world, end, 20_000n)
    world.clock.advance(48 * 3_600_000)
    const closer = closerOf(world)
    await closer.pass()
    assert.equal(closer.errors, [])
    assert.equal(
      (await world.rows('statements')).map((one) => [one.to_day, one.due_minor]),
      [
        [day, -10_000n],
        [next, -20_000n],
      ],
    )
  })
}

/** Closed on Mondays and Thursdays of March 2026; banks are shut on weekends, on Monday the 16th and on Thursday the 19th. */
const month: [closed: string, days: [none: string | null, one: string | null, two: string | null]][] = [
  // 100.00 are less than the least that is paid: they fall due with the next.
  ['2026-03-02', [null, null, null]],
  ['2026-03-05', ['2026-03-05', '2026-03-06', '2026-03-09']],
  ['2026-03-09', ['2026-03-09', '2026-03-10', '2026-03-11']],
  ['2026-03-12', ['2026-03-12', '2026-03-13', '2026-03-17']],
  ['2026-03-16', ['2026-03-17', '2026-03-18', '2026-03-20']],
  ['2026-03-19', ['2026-03-20', '2026-03-23', '2026-03-24']],
  ['2026-03-23', ['2026-03-23', '2026-03-24', '2026-03-25']],
  ['2026-03-26', ['2026-03-26', '2026-03-27', '2026-03-30']],
  ['2026-03-30', ['2026-03-30', '2026-03-31', '2026-04-01']],
]

for (const after of [0, 1, 2] as const) {
  play(`what is closed falls due ${after} days of banks later`, async (world) => {
    await bankCalendar(world.store, 'mx', ['2026-03-16', '2026-03-19'])
    const every = JSON.stringify(['MON', 'THU'])
    const days = Array.from({ length: 31 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`)
    const terms = { time_zone: 'UTC', cut_off: '24:00', every_json: every, calendar: 'mx' }
    await agree(world.store, tills.A.id, days, {
      ...terms,
      after_banking_days: after,
      minimum_minor: 15_000n,
    })
    for (const [closed] of month) await payIn(world, Date.parse(`${closed}T18:00:00Z`), 10_000n)
    world.clock.advance(48 * 3_600_000)
    const closer = closerOf(world)
    await closer.pass()
    assert.equal(closer.errors, [])
    assert.equal(
      (await world.rows('statements')).map((one) => [one.to_day, one.due_minor, one.due_on]),
      month.map(([closed, due]) => [closed, -10_000n, due[after]]),
    )
  })
}

/** Closed day, what the provider collects or hands out on it, what it has paid ahead by then, what is due, and on which day. */
const paidAhead: [
  day: string,
  direction: 'PAY_IN' | 'PAY_OUT',
  price: bigint,
  paid: string | null,
  due: bigint,
  on: string | null,
][] = [
  ['2026-03-02', 'PAY_IN', 10_000n, null, -10_000n, null],
  // 200.00 pay the 100.00 of before; the rest pays this, so that nothing is left to be paid.
  ['2026-03-03', 'PAY_IN', 5_000n, '200.00', -5_000n, null],
  // 50.00 more than was asked for are no reason to pay less than the least.
  ['2026-03-04', 'PAY_OUT', 12_000n, null, 12_000n, null],
  ['2026-03-05', 'PAY_OUT', 3_000n, null, 3_000n, '2026-03-05'],
]

play('what is less than the minimum is carried, whatever a provider has paid ahead', async (world) => {
  const days = paidAhead.map(([day]) => day)
  await agree(world.store, tills.A.id, [...days, '2026-03-06'], {
    ...{ time_zone: 'UTC', cut_off: '24:00', minimum_minor: 15_000n },
    ...{ after_banking_days: 0, account: 'CLABE 1', account_from_at: 0 },
  })
  const { ask } = operatorOf(world)
  await world.deposit(100_000n)
  await ask(apply, { banks: [{ name: 'main', currency: 'MXN' }] })
  const closer = closerOf(world)
  for (const [day, direction, priceMinor, paid] of paidAhead) {
    world.clock.advance(Date.parse(`${day}T12:00:00Z`) - world.clock.now())
    const input = { party: 'Network A', bank: 'main', reason: 'their statement' }
    if (paid !== null) await ask(paymentReceive, { ...input, reference: day, amount: paid })
    const order = await world.order({ direction, priceMinor })
    await world.start(order.id, 'A')
    await world.confirm(order.id, 'A')
    world.clock.advance(13 * 3_600_000)
    await closer.pass()
    assert.equal(closer.errors, [])
  }
  assert.equal(
    (await world.rows('statements')).map((one) => [one.to_day, one.due_minor, one.due_on]),
    paidAhead.map(([day, , , , due, on]) => [day, due, on]),
  )
})

test.run()
