/** How many clicks the tasks take that operators come for, on a desktop and on a phone, in each language. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser, screens } from '../../support/browser.ts'
import { startConsoleWorld } from '../../support/console.ts'
import { visitsOf } from '../../support/console-barriers.ts'
import { carryOutAll } from '../../support/console-tasks.ts'

const browser = await launchBrowser()
const most = 3
/** Of the slowest of them: a machine that has other work takes its time. */
const mostMs = 60_000

const runs = [
  ['desktop', 'en'],
  ['phone', 'es'],
  ['desktop', 'pt'],
] as const

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  for (const [screen, language] of runs) {
    test(`fifteen tasks take three clicks in the middle, on a ${screen}, in ${language}`, async () => {
      const world = await startConsoleWorld()
      closing(() => world.stop())
      const page = await pageAs(world.node, 'administrator')
      await page.setViewportSize(screens[screen].viewport)
      const carried = await carryOutAll(page, world, language)
      assert.is(carried.length, 15)
      for (const { name, clicks, milliseconds } of carried) {
        assert.ok(milliseconds < mostMs, `${name} took a minute`)
        console.log(`${String(clicks).padStart(2)} clicks: ${name} (${screen}, ${language})`)
      }
      const clicks = carried.map((one) => one.clicks).toSorted((one, other) => one - other)
      const median = clicks[Math.floor(clicks.length / 2)] ?? 0
      assert.ok(median <= most, `${median} clicks in the middle`)
    })
  }
}

test.run()
