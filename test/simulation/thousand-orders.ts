/**
 * `npm run soak -- moved-clock`: thirty days over a thousand orders, quotes, attempts and statements, once passed and once moved over, by a
 * node that is killed on the way, too.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assertAlike } from './alike.ts'
import { endOf } from './moved-clock.ts'

const beginning = { seed: Number(process.argv[2] ?? 1), orders: 1_000, hours: 30 * 24 }
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(0)

test('a thousand orders end alike over thirty days that pass, and over a clock that is moved', async () => {
  let since = performance.now()
  const passed = await endOf(beginning, { is: 'time passes', stepMs: 60_000 })
  console.log(`thirty days passed in ${seconds(since)} s: ${passed.expired} orders expired`)
  since = performance.now()
  const moved = await endOf(beginning, { is: 'the clock is moved', kills: 0 })
  const { last } = moved.shown ?? { last: null }
  console.log(`moved in ${seconds(since)} s, ${last?.ticks} ticks: ${JSON.stringify(last?.cameAbout)}`)
  assertAlike(moved, passed)
  assert.is(last?.cameAbout.ordersExpired, moved.expired)
})

test('a node that is killed on the way ends where one does that is not', async () => {
  const whole = await endOf(beginning, { is: 'the clock is moved', kills: 0 })
  const killed = await endOf(beginning, { is: 'the clock is moved', kills: 25 })
  assertAlike(killed, whole, { isKilled: true })
})

test.run()
