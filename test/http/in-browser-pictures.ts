/** Pictures are worth comparing only when two runs of the same pages look the same to the eye. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Shot, takePictures } from '../../scripts/pictures/camera.ts'
import { checkoutAlbum } from '../../scripts/pictures/checkout-album.ts'
import { consoleAlbum, entranceAlbum } from '../../scripts/pictures/console-album.ts'
import { launchBrowser } from '../support/browser.ts'

/** Chromium draws a rounded corner now and then with a colour that is off by one. */
const roundings = 2

/** Runs in the page, which is the one that can read a PNG. */
const difference = `async (one, other) => {
  const pixelsOf = async (text) => {
    const image = new Image()
    image.src = 'data:image/png;base64,' + text
    await image.decode()
    const { width, height } = image
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    return canvas.getImageData(0, 0, width, height)
  }
  const [first, second] = [await pixelsOf(one), await pixelsOf(other)]
  if (first.width !== second.width || first.height !== second.height) return null
  return first.data.reduce((most, value, place) => Math.max(most, Math.abs(value - second.data[place])), 0)
}`

const browser = await launchBrowser()

if (browser !== null) {
  test.after(() => browser.close())

  /** What a fresh world looks like. */
  const look = async (open: typeof checkoutAlbum, wanted: string): Promise<Shot[]> => {
    const album = await open()
    const shots: Shot[] = []
    try {
      for await (const shot of takePictures(browser, album, wanted)) shots.push(shot)
    } finally {
      await album.stop()
    }
    return shots
  }

  /** The greatest difference of a colour of a pixel, of 255; null where they are of two sizes. */
  const differences = async (pairs: readonly (readonly [Shot, Shot])[]): Promise<(number | null)[]> => {
    const page = await browser.newPage()
    try {
      const told: (number | null)[] = []
      for (const [one, other] of pairs) {
        const texts = [one, other].map(({ png }) => JSON.stringify(png.toString('base64')))
        told.push(await page.evaluate(`(${difference})(${texts.join(', ')})`))
      }
      return told
    } finally {
      await page.close()
    }
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
      const second = await look(open, wanted)
      assert.equal(
        second.map(({ name }) => name),
        first.map(({ name }) => name),
      )
      const pairs = first.flatMap((one, place): [Shot, Shot][] => {
        const other = second[place]
        return other === undefined ? [] : [[one, other]]
      })
      for (const [place, found] of (await differences(pairs)).entries())
        assert.ok(found !== null && found <= roundings, `${first[place]?.name} differs by ${found}`)
      assert.is(new Set(first.map(({ png }) => png.toString('base64'))).size, pictures)
    })
  }
}

test.run()
