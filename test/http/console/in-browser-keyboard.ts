/** Each kind of page by the keyboard alone: everything is reached in its order, is seen when it is, and nothing holds on to it. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findPage } from '../../../http/console/answer-page.ts'
import { keepAsLoaded, launchBrowser } from '../../support/browser.ts'
import { everyPage, visitsOf } from '../../support/console-barriers.ts'

const browser = await launchBrowser()

/** What can be reached, in the order of the page: of radio buttons of one name, one. Each is given a number. */
const numberAll = `(() => {
  const names = new Set()
  const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
    .filter(({ type, name, checked }) => type !== 'radio' || (checked && !names.has(name) && names.add(name)))
  all.forEach((one, index) => { one.dataset.place = String(index) })
  return all.length
})()`

/** Of what has the keyboard: its number, and what is wrong with how it is seen. */
const held = `(() => {
  const one = document.activeElement
  if (one === null || one === document.body) return null
  const { outlineStyle, outlineWidth } = getComputedStyle(one)
  const { left, top, right, bottom } = one.getBoundingClientRect()
  const isMarked = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  const isOnScreen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
  const heights = [0.2, 0.5, 0.8].map((part) => top + (bottom - top) * part).filter((y) => y > 0 && y < innerHeight)
  const isOnTop = heights.some((y) => {
    const found = document.elementFromPoint(Math.min(Math.max((left + right) / 2, 1), innerWidth - 1), y)
    return found !== null && (one.contains(found) || found.contains(one) || found.closest('label') !== null)
  })
  const wrong = [isMarked ? '' : 'unmarked', isOnScreen ? '' : 'off the screen', isOnTop ? '' : 'covered'].filter(Boolean)
  const place = one.dataset.place === undefined ? null : Number(one.dataset.place)
  return { place, wrong, what: one.outerHTML.slice(0, 100) }
})()`

interface Held {
  /** `null` for what is no control, such as a part that scrolls. */
  place: number | null
  wrong: string[]
  what: string
}

/** More than any field has parts, such as a day's. */
const mostParts = 8

async function walk(page: Page, path: string): Promise<string[]> {
  const found: string[] = []
  await page.evaluate('document.activeElement?.blur(); getSelection()?.removeAllRanges(); scrollTo(0, 0)')
  await page.locator('.skip').focus()
  const count = Number(await page.evaluate(numberAll))
  const reached: number[] = []
  for (let pressed = 0; pressed < count * mostParts; pressed++) {
    const at = (await page.evaluate(held)) as Held | null
    if (at === null || (at.place === 0 && reached.length > 1)) break
    for (const each of at.wrong) found.push(`${path}: ${each}: ${at.what}`)
    if (at.place !== null && reached.at(-1) !== at.place) reached.push(at.place)
    await page.keyboard.press('Tab')
  }
  const expected = Array.from({ length: count }, (_, index) => index)
  if (String(reached) !== String(expected))
    found.push(`${path}: of ${count} were reached in this order: ${reached}`)
  return found
}

if (browser !== null) {
  const visits = visitsOf(test, browser)

  test('everything on each kind of page is reached by Tab in its order, and is seen when it is', async () => {
    const { node, addresses } = await everyPage(visits)
    const page = await visits.pageAs(node, 'administrator')
    await keepAsLoaded(page)
    const kinds = new Map(addresses.map((path) => [findPage(path.split('?')[0] ?? '')?.page, path]))
    const found: string[] = []
    for (const path of kinds.values()) {
      await page.goto(node.operatorUrl + path)
      found.push(...(await walk(page, path)))
    }
    assert.equal(found, [])
  })

  test('the first key leads past the navigation, and a slash to the search', async () => {
    const { node, addresses } = await everyPage(visits)
    const page = await visits.pageAs(node, 'administrator')
    await keepAsLoaded(page)
    for (const path of addresses.filter((_, index) => index % 10 === 0)) {
      await page.goto(node.operatorUrl + path)
      await page.keyboard.press('Tab')
      const skip = page.locator('.skip')
      assert.ok(await skip.evaluate((one) => one === one.ownerDocument.activeElement), path)
      const box = await skip.boundingBox()
      assert.ok(box !== null && box.x >= 0 && box.y >= 0, `${path}: it is seen`)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      assert.ok(
        await page.evaluate(
          'document.querySelector("main").contains(document.activeElement) || document.querySelector("footer").contains(document.activeElement)',
        ),
        path,
      )
      // Within a field it is a sign like any other.
      await page.locator('.skip').focus()
      await page.keyboard.press('/')
      assert.ok(await page.evaluate('document.activeElement.matches("form.find input[name=q]")'), path)
    }
  })
}

test.run()
