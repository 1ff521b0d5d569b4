/** How many clicks the tasks take that operators come for, on a desktop and on a phone. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser, screens } from '../../support/browser.ts'
import { startConsoleWorld } from '../../support/console.ts'
import { visitsOf } from '../../support/console-barriers.ts'
import { Hand, tasks } from '../../support/console-tasks.ts'

const browser = await launchBrowser()
const most = 3
/** Of the slowest of them: a machine that has other work takes its time. */
const mostMs = 60_000

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  for (const screen of ['desktop', 'phone'] as const) {
    test(`fifteen tasks take three clicks in the middle, on a ${screen}`, async () => {
      const world = await startConsoleWorld()
      closing(() => world.stop())
      const page = await pageAs(world.node, 'administrator')
      await page.setViewportSize(screens[screen].viewport)
      const clicks: number[] = []
      for (const { name, carryOut } of tasks) {
        await page.goto(`${world.node.operatorUrl}/`)
        const hand = new Hand(page)
        const startedAt = performance.now()
        try {
          await carryOut(hand, world)
        } catch (error) {
          throw new Error(`${name}, on a ${screen}: ${String(error)}`, { cause: error })
        }
        assert.ok(performance.now() - startedAt < mostMs, `${name} took a minute`)
        clicks.push(hand.clicks)
        console.log(`${String(hand.clicks).padStart(2)} clicks: ${name} (${screen})`)
      }
      assert.is(clicks.length, 15)
      const median = clicks.toSorted((one, other) => one - other)[Math.floor(clicks.length / 2)] ?? 0
      assert.ok(median <= most, `${median} clicks in the middle`)
    })
  }
}

test.run()
