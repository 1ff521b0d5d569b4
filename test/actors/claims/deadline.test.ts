/** Until when a claim is answered and decided: banking days on the wall of whoever is claimed against, over bank holidays, weekends and both changes of clock. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { deadlineOf } from '../../../actors/claims/deadline.ts'
import { commit, inOrderWorld, shop } from '../../support/order-world.ts'
import { agree } from '../../support/statement-world.ts'

const play = inOrderWorld(test)

/** Opened at, banking days, the day, and the instant at which it is over; in Madrid, which is an hour ahead of UTC in winter. */
const rows: [opened: string, bankingDays: number, day: string, over: string][] = [
  // A Monday, and the Friday before a weekend.
  ['2026-03-02T10:00:00Z', 1, '2026-03-03', '2026-03-03T23:00:00.000Z'],
  ['2026-03-06T10:00:00Z', 1, '2026-03-09', '2026-03-09T23:00:00.000Z'],
  // On a weekend: counted from the banking day behind it.
  ['2026-03-07T10:00:00Z', 1, '2026-03-10', '2026-03-10T23:00:00.000Z'],
  // Late in the evening by UTC it is the next day already.
  ['2026-03-02T23:30:00Z', 1, '2026-03-04', '2026-03-04T23:00:00.000Z'],
  // Thursday before Good Friday and Easter Monday.
  ['2026-04-02T10:00:00Z', 1, '2026-04-07', '2026-04-07T22:00:00.000Z'],
  ['2026-04-02T10:00:00Z', 2, '2026-04-08', '2026-04-08T22:00:00.000Z'],
  // Over the change to summer time on the 29th of March, and back on the 25th of October.
  ['2026-03-27T10:00:00Z', 1, '2026-03-30', '2026-03-30T22:00:00.000Z'],
  ['2026-10-23T10:00:00Z', 1, '2026-10-26', '2026-10-26T23:00:00.000Z'],
  ['2026-10-23T22:30:00Z', 0, '2026-10-26', '2026-10-26T23:00:00.000Z'],
]

play('the day and its end, with a calendar and a zone of its own', async ({ store }) => {
  const closed = (day: string) =>
    ({ insert: 'calendar_days', values: { calendar: 'Spain', day, note: 'Easter' } }) as const
  await commit(store, [
    { insert: 'calendars', values: { name: 'Spain', weekend_json: '["SAT","SUN"]' } },
    closed('2026-04-03'),
    closed('2026-04-06'),
  ])
  await agree(store, shop.id, [], { time_zone: 'Europe/Madrid', calendar: 'Spain' })
  for (const [opened, bankingDays, day, over] of rows) {
    const found = await deadlineOf(
      store,
      { partyId: shop.id, currency: 'MXN', bankingDays },
      Date.parse(opened),
    )
    assert.equal([opened, found.day, new Date(found.at).toISOString()], [opened, day, over])
  }
})

play('the day itself is over later where it has the changed hour', async ({ store }) => {
  await agree(store, shop.id, [], { time_zone: 'Europe/Madrid' })
  const lengthOf = async (day: string) => {
    const at = Date.parse(`${day}T10:00:00Z`)
    const asked = { partyId: shop.id, currency: 'MXN' }
    const { at: over } = await deadlineOf(store, { ...asked, bankingDays: 0 }, at)
    const before = await deadlineOf(store, { ...asked, bankingDays: 0 }, at - 86_400_000)
    return (over - before.at) / 3_600_000
  }
  assert.equal(
    [await lengthOf('2026-03-29'), await lengthOf('2026-10-25'), await lengthOf('2026-06-01')],
    [23, 25, 24],
  )
})

play('without terms in the currency, days are those of UTC and each is a banking day', async ({ store }) => {
  await agree(store, shop.id, [], { time_zone: 'America/Mexico_City' })
  const at = Date.parse('2026-03-06T23:30:00Z')
  const found = await deadlineOf(store, { partyId: shop.id, currency: 'EUR', bankingDays: 2 }, at)
  assert.equal([found.day, new Date(found.at).toISOString()], ['2026-03-08', '2026-03-09T00:00:00.000Z'])
})

test.run()
