import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dueBy } from '../../../actors/settlement/dues.ts'
import { postponedTo } from '../../../actors/settlement/postponing.ts'
import { cutOffOf } from '../../../actors/terms/days.ts'
import { commit, inOrderWorld, tills } from '../../support/order-world.ts'
import { agree, closerOf } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const mexico = { timeZone: 'America/Mexico_City', cutOff: '22:00' }

test('a day is put off to the next one on which banks work, and no other is', () => {
  const calendar = { weekend: ['SAT', 'SUN'], closed: new Set(['2026-03-06', '2026-03-09']) } as const
  const rows = [
    ['2026-03-05', null],
    ['2026-03-06', '2026-03-10'],
    ['2026-03-07', '2026-03-10'],
    ['2026-03-10', null],
  ] as const
  for (const [day, to] of rows) assert.is(postponedTo(day, calendar), to, day)
  assert.is(postponedTo('2026-03-07', undefined), null)
})

play('A calendar that is changed later puts an open statement off, and keeps its day', async (world) => {
  const { store, clock } = world
  await commit(store, [{ insert: 'calendars', values: { name: 'mx', weekend_json: '["SAT","SUN"]' } }])
  await agree(store, tills.A.id, ['2026-03-02'], { calendar: 'mx' })
  const end = cutOffOf('2026-03-02', mexico)
  clock.advance(end - 1 - clock.now())
  const order = await world.order({ direction: 'PAY_IN', priceMinor: 10_000n })
  await world.start(order.id, 'A')
  await world.confirm(order.id, 'A')
  clock.advance(2)
  const closer = closerOf(world)
  await closer.pass()
  const shown = async () => {
    const [one] = await world.rows('statements')
    assert.ok(one)
    return [one.due_on, one.postponed_to, dueBy([one], '2026-03-03').length]
  }
  assert.equal(await shown(), ['2026-03-03', null, 1])
  const closed = (day: string) => ({ calendar: 'mx', day, note: 'strike' })
  await commit(store, [
    { insert: 'calendar_days', values: closed('2026-03-03') },
    { insert: 'calendar_days', values: closed('2026-03-04') },
  ])
  await closer.pass()
  assert.equal(await shown(), ['2026-03-03', '2026-03-05', 0])
  await commit(store, [{ delete: 'calendar_days', key: { calendar: 'mx', day: '2026-03-04' } }])
  await closer.pass()
  assert.equal(await shown(), ['2026-03-03', '2026-03-04', 0])
  await commit(store, [{ delete: 'calendar_days', key: { calendar: 'mx', day: '2026-03-03' } }])
  await closer.pass()
  assert.equal(await shown(), ['2026-03-03', null, 1])
  assert.equal(closer.errors, [])
})

play('What is settled keeps the day on which it was due', async (world) => {
  const { store, clock } = world
  await commit(store, [{ insert: 'calendars', values: { name: 'mx', weekend_json: '[]' } }])
  await agree(store, tills.A.id, ['2026-03-02'], { calendar: 'mx' })
  clock.advance(cutOffOf('2026-03-02', mexico) - 1 - clock.now())
  const order = await world.order({ direction: 'PAY_IN', priceMinor: 10_000n })
  await world.start(order.id, 'A')
  await world.confirm(order.id, 'A')
  clock.advance(2)
  const closer = closerOf(world)
  await closer.pass()
  const [one] = await world.rows('statements')
  assert.ok(one)
  const { party_id, currency, number, due_minor } = one
  await commit(store, [
    { update: 'statements', key: { party_id, currency, number }, set: { allocated_minor: due_minor } },
    { insert: 'calendar_days', values: { calendar: 'mx', day: '2026-03-03', note: '' } },
  ])
  await closer.pass()
  assert.is((await world.rows('statements'))[0]?.postponed_to, null)
})

test.run()
