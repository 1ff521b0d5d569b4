/** Pictures are worth comparing only when two runs of the same pages give the same bytes. */
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { takePictures } from '../../scripts/pictures/camera.ts'
import { checkoutAlbum } from '../../scripts/pictures/checkout-album.ts'
import { consoleAlbum, entranceAlbum } from '../../scripts/pictures/console-album.ts'
import { launchBrowser } from '../support/browser.ts'

const browser = await launchBrowser()

if (browser !== null) {
  test.after(() => browser.close())

  /** Names and digests of what a fresh world looks like. */
  const look = async (open: typeof checkoutAlbum, wanted: string): Promise<string[]> => {
    const album = await open()
    const shots: string[] = []
    try {
      for await (const { name, png } of takePictures(browser, album, wanted)) {
        shots.push(`${name} ${createHash('sha256').update(png).digest('hex')}`)
      }
    } finally {
      await album.stop()
    }
    return shots
  }

  const looked: readonly [what: string, open: typeof checkoutAlbum, wanted: string, pictures: number][] = [
    ['a code with its countdown', checkoutAlbum, 'checkout-ready-soon', 4],
    ['a connected wallet', checkoutAlbum, 'foreign-waiting', 4],
    ['the orders, with their ids and codes', consoleAlbum, 'console-orders', 12],
    ['the way in for the first administrator', entranceAlbum, 'first-administrator', 4],
  ]

  for (const [what, open, wanted, pictures] of looked) {
    test(`${what} look the same in two runs, and differ by screen and theme`, async () => {
      const first = await look(open, wanted)
      assert.equal(await look(open, wanted), first)
      assert.is(new Set(first.map((line) => line.split(' ')[1])).size, pictures)
    })
  }
}

test.run()
