/**
 * In a process of its own: the clocks, timers and chance of the whole process are the simulation's. A small share; the same over a
 * thousand orders and thirty days is `npm run soak -- moved-clock`.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assertAlike } from './alike.ts'
import { endOf } from './moved-clock.ts'

const beginning = { seed: 11, orders: 40, days: 1 }

test('a clock that is moved over a day ends where a day ends that passes', async () => {
  const passed = await endOf(beginning, { is: 'time passes', stepMs: 60_000 })
  const moved = await endOf(beginning, { is: 'the clock is moved', kills: 0 })
  assertAlike(moved, passed)
  assert.ok(moved.shown?.last?.isWhole)
  assert.is(moved.shown.last.cameAbout.ordersExpired, moved.expired)
})

test('so does one whose node is killed on the way, again and again', async () => {
  const whole = await endOf(beginning, { is: 'the clock is moved', kills: 0 })
  const killed = await endOf(beginning, { is: 'the clock is moved', kills: 5 })
  assertAlike(killed, whole, { isKilled: true })
})

test.run()
