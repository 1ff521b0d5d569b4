/** A chart comes closer and goes further away, by buttons and by the keyboard, and can be moved. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../../support/browser.ts'
import { onSqlite, startConsoleWorld } from '../../support/console.ts'
import { look, visitsOf } from '../../support/console-barriers.ts'

const browser = await launchBrowser()

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  test('a chart comes closer and goes further away', async () => {
    const world = await startConsoleWorld(onSqlite())
    closing(() => world.stop())
    const page = await pageAs(world.node, 'administrator')
    await page.goto(`${world.node.operatorUrl}/inspect/machines/payOutForeign`)
    const width = async () => (await page.locator('.drawing svg').boundingBox())?.width ?? 0
    const first = await width()
    await page.getByRole('button', { name: 'Closer' }).click()
    await page.getByRole('button', { name: 'Closer' }).press('Enter')
    assert.ok((await width()) > 1.8 * first, 'twice as large')
    const at = () => page.evaluate<number>("document.querySelector('.drawing').scrollLeft")
    const before = await at()
    const box = await page.locator('.drawing').boundingBox()
    if (box === null) throw new Error('it is there')
    await page.mouse.move(box.x + 300, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x + 150, box.y + 200)
    await page.mouse.up()
    assert.is(await at(), before + 150)
    await page.getByRole('button', { name: 'Further away' }).click()
    await page.getByRole('button', { name: 'Further away' }).click()
    assert.is(await width(), first)
    await look(page, 'a chart with its buttons')
  })
}

test.run()
