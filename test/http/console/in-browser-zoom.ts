/** A chart's size is chosen, with and without scripts, by the pointer and by the keyboard, and it can be moved. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { drawnMachines } from '../../../actors/inspection/machines.ts'
import { launchBrowser } from '../../support/browser.ts'
import { onSqlite, startConsoleWorld } from '../../support/console.ts'
import { look, visitsOf } from '../../support/console-barriers.ts'

const browser = await launchBrowser()

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  for (const scripts of ['with', 'without'] as const)
    test(`a chart is shown in several sizes ${scripts} scripts`, async () => {
      const world = await startConsoleWorld(onSqlite())
      closing(() => world.stop())
      const page = await pageAs(world.node, 'administrator', scripts === 'with')
      await page.goto(`${world.node.operatorUrl}/inspect/machines/payOutForeign`)
      const width = async () => (await page.locator('.drawing svg').boundingBox())?.width ?? 0
      const first = await width()
      await page.getByLabel('150%').check()
      assert.is(Math.round(await width()), Math.round(1.5 * first))
      await page.getByLabel('150%').press('ArrowRight')
      assert.is(Math.round(await width()), Math.round(2 * first))
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByLabel('Whole').check()
      assert.ok((await width()) < 390)
    })

  test('a chart is moved by dragging it, and with the wheel it grows under the pointer', async () => {
    const world = await startConsoleWorld(onSqlite())
    closing(() => world.stop())
    const page = await pageAs(world.node, 'administrator')
    await page.goto(`${world.node.operatorUrl}/inspect/machines/payOutForeign`)
    await page.getByLabel('200%').check()
    const at = () => page.evaluate<number>("document.querySelector('.drawing').scrollLeft")
    const before = await at()
    const box = await page.locator('.drawing').boundingBox()
    if (box === null) throw new Error('it is there')
    await page.mouse.move(box.x + 300, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x + 150, box.y + 200)
    await page.mouse.up()
    assert.is(await at(), before + 150)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, 100)
    await page.keyboard.up('Control')
    assert.ok(await page.getByLabel('150%').isChecked())
    await look(page, 'a chart with its sizes')
  })

  test('no text of a chart is smaller than 12 pixels unless the whole is asked for', async () => {
    const world = await startConsoleWorld(onSqlite())
    closing(() => world.stop())
    const page = await pageAs(world.node, 'administrator')
    for (const name of Object.keys(drawnMachines)) {
      await page.goto(`${world.node.operatorUrl}/inspect/machines/${name}`)
      const least = await page.evaluate<number>(
        "Math.min(...[...document.querySelectorAll('.drawing text')].map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))",
      )
      assert.ok(least >= 12, `${name}: ${least}`)
    }
  })
}

test.run()
