/** Every page of the checkout, as its pictures show it, on both screens and in both themes: nothing is in anybody's way. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { lookAtPages } from '../../../scripts/pictures/camera.ts'
import { checkoutAlbum } from '../../../scripts/pictures/checkout-album.ts'
import { barriers } from '../../support/barriers.ts'
import { launchBrowser } from '../../support/browser.ts'

const browser = await launchBrowser()

if (browser !== null) {
  test.after(() => browser.close())

  test('no page of the checkout has a barrier', async () => {
    const album = await checkoutAlbum()
    const found: string[] = []
    let looks = 0
    try {
      for await (const { name, page } of lookAtPages(browser, album)) {
        looks++
        // Axe waits for timers, which stand still for a picture.
        await page.clock.resume()
        for (const barrier of await barriers(page)) found.push(`${name}: ${barrier}`)
      }
    } finally {
      await album.stop()
    }
    assert.equal(found, [])
    assert.is(looks, 4 * album.pictures.length)
  })
}

test.run()
