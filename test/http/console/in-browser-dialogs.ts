/** What can be done opens as a dialog by the browser itself: with scripts and without, by the keyboard alone. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../../support/browser.ts'
import { onSqlite, startConsoleWorld } from '../../support/console.ts'
import { visitsOf } from '../../support/console-barriers.ts'

const browser = await launchBrowser()

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  for (const scripts of ['with', 'without'] as const)
    test(`a form is opened, left, opened again and sent by keys alone, ${scripts} scripts`, async () => {
      const world = await startConsoleWorld(onSqlite())
      closing(() => world.stop())
      const page = await pageAs(world.node, 'administrator', scripts === 'with')
      await page.goto(`${world.node.operatorUrl}/merchants/Shop`)
      const opener = page.locator('[data-opens="/party/freeze"]')
      const why = page.locator('form[action="/party/freeze"] [name=reason]')
      const isHeld = () => opener.evaluate((button) => button === button.ownerDocument.activeElement)
      assert.is(await page.locator('main form [name=reason]:visible').count(), 0, 'nothing stands open')
      for (let tabs = 0; tabs < 80 && !(await isHeld()); tabs++) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.keyboard.type('Its key has leaked')
      assert.is(await why.inputValue(), 'Its key has leaked', 'its first field is ready to be written')
      await page.keyboard.press('Escape')
      assert.not(await why.isVisible())
      assert.ok(await isHeld(), 'the keyboard goes on where it was')
      await page.keyboard.press('Space')
      await why.press('Enter')
      await page.locator('[data-opens="/party/unfreeze"]').waitFor()
    })

  test('a form that could not be carried out is open, and its link leads back', async () => {
    const world = await startConsoleWorld(onSqlite())
    closing(() => world.stop())
    const page = await pageAs(world.node, 'administrator', false)
    const shop = `${world.node.operatorUrl}/merchants/Shop`
    await page.goto(shop)
    // The only one that lives, which takes another word.
    await page.locator('[data-opens="/key/revoke"]').click()
    await page.locator('form[action="/key/revoke"] [name=reason]').fill('It has leaked')
    await page.locator('form[action="/key/revoke"] button').click()
    const dialog = page.locator('dialog[open]')
    assert.is(await dialog.locator('[name=reason]').inputValue(), 'It has leaked')
    await dialog.locator('a.close').click()
    await page.waitForURL(shop)
  })
}

test.run()
