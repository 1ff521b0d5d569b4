/** Protocol 15.2: days are planned ahead as instants; the one that runs keeps its end. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import { leastAheadMs, planCutOffs } from '../../../actors/terms/cut-offs.ts'
import { type DayRule, dayOf } from '../../../actors/terms/days.ts'
import { planComingDays } from '../../../actors/terms/planning.ts'
import type { Row } from '../../../persistence/store.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)
const dayMs = 86_400_000
type CutOff = Row<'cut_offs'>

/** What is planned after the writes of a plan, in the order of the ends. */
function planned(rule: DayRule, at: string, before: readonly CutOff[] = [], hadDays = true): CutOff[] {
  const plan = { partyId: 'p', currency: 'MXN', rule, at: Date.parse(at), planned: before, hadDays }
  const rows = new Map(before.map((row) => [row.day, row]))
  for (const write of planCutOffs(plan)) {
    if ('delete' in write && write.delete === 'cut_offs') rows.delete(write.key.day ?? '')
    if ('insert' in write && write.insert === 'cut_offs') rows.set(write.values.day, write.values)
  }
  return [...rows.values()].toSorted((a, b) => a.ends_at - b.ends_at)
}

const shown = (rows: readonly CutOff[], count: number) =>
  rows.slice(0, count).map(({ day, ends_at }) => `${day} ${new Date(ends_at).toISOString()}`)

function assertRising(rows: readonly CutOff[]): void {
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]
    if (before === undefined) continue
    assert.ok(row.day > before.day, `${row.day} after ${before.day}`)
    assert.ok(row.ends_at > before.ends_at)
  }
}

const mexico = { timeZone: 'America/Mexico_City', cutOff: '22:00' }
const tokyo = { timeZone: 'Asia/Tokyo', cutOff: '12:00' }
const tijuana = { timeZone: 'America/Tijuana', cutOff: '24:00' }

test('a new party begins with the day that runs in its zone', () => {
  const rows = planned(mexico, '2026-12-01T04:00:00.000Z', [], false)
  assert.equal(shown(rows, 2), ['2026-12-01 2026-12-02T04:00:00.000Z', '2026-12-02 2026-12-03T04:00:00.000Z'])
  const early = planned(mexico, '2026-12-01T03:59:59.999Z', [], false)
  assert.equal(shown(early, 1), ['2026-11-30 2026-12-01T04:00:00.000Z'])
})

test('a party that had UTC days has none of them a second time', () => {
  const rows = planned(mexico, '2026-12-01T02:00:00.000Z')
  assert.equal(shown(rows, 1), ['2026-12-01 2026-12-02T04:00:00.000Z'])
})

test('another cut-off or zone leaves the running day its end', () => {
  const at = '2026-12-01T12:00:00.000Z'
  const before = planned(tijuana, at, [], false)
  assert.equal(shown(before, 1), ['2026-12-01 2026-12-02T08:00:00.000Z'])
  const after = planned(mexico, at, before)
  assert.equal(shown(after, 2), [
    '2026-12-01 2026-12-02T08:00:00.000Z',
    '2026-12-02 2026-12-03T04:00:00.000Z',
  ])
  assertRising(after)
})

test('a day that would end before the one before it is left out', () => {
  const at = '2026-12-01T12:00:00.000Z'
  const after = planned(tokyo, at, planned(tijuana, at, [], false))
  // 2 December ends in Tokyo at 03:00 UTC, five hours before 1 December does in Tijuana.
  assert.equal(shown(after, 2), [
    '2026-12-01 2026-12-02T08:00:00.000Z',
    '2026-12-03 2026-12-03T03:00:00.000Z',
  ])
  assertRising(after)
})

test('planned again nothing is written, and there are always 40 days', () => {
  const zones = ['America/Santiago', 'America/Asuncion', 'America/Tijuana', 'America/Mexico_City']
  for (const timeZone of zones) {
    const rule = { timeZone, cutOff: '24:00' }
    let rows: CutOff[] = []
    for (
      let at = Date.parse('2026-02-01T00:00:00Z');
      at < Date.parse('2026-12-01T00:00:00Z');
      at += 7 * dayMs
    ) {
      rows = planned(rule, new Date(at).toISOString(), rows, false)
      const plan = { partyId: 'p', currency: 'MXN', rule, at, planned: rows, hadDays: true }
      assert.equal(planCutOffs(plan), [])
      assert.ok((rows.at(-1)?.ends_at ?? 0) >= at + leastAheadMs)
      assert.is(rows.find(({ ends_at }) => ends_at > at)?.day, dayOf(at, rule))
    }
    assertRising(rows)
  }
})

const settles = (members: object) => ({
  merchants: [{ name: 'Kiosk', settles: [{ currency: 'MXN', ...members }] }],
})
const rowsOf = async (world: OrderWorld) =>
  (await world.rows('cut_offs')).toSorted((a, b) => a.ends_at - b.ends_at)

play('the worker plans on, and only what is missing', async (world) => {
  const { ask } = operatorOf(world)
  const { clock, store } = world
  await ask(apply, settles({ timeZone: 'America/Tijuana', cutOff: '24:00' }))
  const first = await rowsOf(world)
  const isTrusted = () => true
  assert.equal((await planComingDays(store, { clock, isTrusted })).seen, { planned: 0 })
  clock.advance(30 * dayMs)
  assert.equal((await planComingDays(store, { clock, isTrusted: () => false })).seen, undefined)
  assert.equal(await rowsOf(world), first, 'with a clock in doubt nothing is planned')
  assert.equal((await planComingDays(store, { clock, isTrusted })).seen, { planned: 30 })
  const rows = await rowsOf(world)
  assert.equal(rows.slice(0, first.length), first)
  assertRising(rows)
  clock.advance(200 * dayMs)
  await planComingDays(store, { clock, isTrusted })
  const after = await rowsOf(world)
  assert.is(
    after.find(({ ends_at }) => ends_at > clock.now())?.day,
    dayOf(clock.now(), tijuana),
    'after a long stop it goes on with today',
  )
  assertRising(after)
})

play('days that were planned by other rules of a zone are planned anew', async (world) => {
  const { ask } = operatorOf(world)
  const { clock, store } = world
  await ask(apply, settles({ timeZone: 'America/Mexico_City' }))
  const right = await rowsOf(world)
  const [running] = right
  // As an older tzdata would have had them: an hour earlier.
  await store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: right.slice(0, 2).map(({ party_id, currency, day, ends_at }) => ({
        update: 'cut_offs' as const,
        key: { party_id, currency, day },
        set: { ends_at: ends_at - 3_600_000 },
      })),
    }),
  })
  await planComingDays(store, { clock, isTrusted: () => true })
  const after = await rowsOf(world)
  assert.is(after[0]?.ends_at, (running?.ends_at ?? 0) - 3_600_000, 'the running day keeps its end')
  assert.equal(after.slice(1), right.slice(1))
})

test.run()
