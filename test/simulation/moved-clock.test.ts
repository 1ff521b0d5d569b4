/**
 * In a process of its own: the clocks, timers and chance of the whole process are the simulation's. `npm test` moves over a night with
 * a few orders, `npm run test:durability` over a day; a thousand orders and thirty days are `npm run soak -- moved-clock`.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isLargeShare } from '../durability/share.ts'
import { assertAlike } from './alike.ts'
import { type End, endOf } from './moved-clock.ts'

const share = isLargeShare ? { orders: 40, hours: 24 } : { orders: 16, hours: 15 }
const beginning = { seed: 11, ...share }
let moved: End

test('a clock that is moved ends where one ends under which time passes', async () => {
  moved = await endOf(beginning, { is: 'the clock is moved', kills: 0 })
  const passed = await endOf(beginning, { is: 'time passes', stepMs: isLargeShare ? 60_000 : 90_000 })
  assertAlike(moved, passed)
  assert.ok(moved.shown?.last?.isWhole)
  assert.is(moved.shown.last.cameAbout.ordersExpired, moved.expired)
})

test('so does one whose node is killed on the way, again and again', async () => {
  const killed = await endOf(beginning, { is: 'the clock is moved', kills: 5 })
  assertAlike(killed, moved, { isKilled: true })
})

test.run()
