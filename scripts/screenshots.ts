/**
 * Pictures of every page from fixed data and a fixed clock, on a phone and a desktop, light and dark:
 * `npm run screenshots [-- TEXT]` puts those whose names hold the text into `screenshots/`. `npm run screenshots -- docs` takes those of
 * the README and the guides, whose desktop in the light theme is copied to `docs/pictures/`, of the list its first lines.
 * It needs a Chromium: `/usr/bin/chromium`, or the one that `CHROMIUM` names.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from '../test/support/browser.ts'
import { takePictures } from './pictures/camera.ts'
import { checkoutAlbum } from './pictures/checkout-album.ts'
import { consoleAlbum, entranceAlbum } from './pictures/console-album.ts'
import { docsAlbum } from './pictures/docs-album.ts'

const folder = join(import.meta.dirname, '..', 'screenshots')
mkdirSync(folder, { recursive: true })
const [wanted] = process.argv.slice(2)
const browser = await launchBrowser()
if (browser === null) throw new Error('There is no Chromium.')
let count = 0
try {
  const albums = wanted?.startsWith('docs') ? [docsAlbum] : [checkoutAlbum, entranceAlbum, consoleAlbum]
  for (const open of albums) {
    const album = await open()
    try {
      for await (const { name, png } of takePictures(browser, album, wanted)) {
        const file = join(folder, `${name}.png`)
        writeFileSync(file, png)
        process.stdout.write(`${file}\n`)
        count++
      }
    } finally {
      await album.stop()
    }
  }
} finally {
  await browser.close()
}
if (count === 0) throw new Error(`No picture has a name with ${wanted} in it.`)
