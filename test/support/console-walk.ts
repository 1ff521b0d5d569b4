/** Every page as a reader sees it: no text wraps in a list, no row is high on a phone, none has a barrier, and each leads back to what it is below. */
import type { Page } from 'playwright-core'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Language } from '../../actors/people/languages.ts'
import { rooms } from '../../http/console/rooms.ts'
import { barriers, barriersOfColours } from './barriers.ts'
import { launchBrowser, screens } from './browser.ts'
import { dispatchOf } from './console.ts'
import { everyPage, openFolds, visitsOf } from './console-barriers.ts'

/** What stands in more than one line: cells and heads of lists, and heads, amounts, times, states and buttons of all tables. */
const wrapped = `(() => {
  const lines = (element) => {
    const range = document.createRange()
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const tops = []
    while (walker.nextNode()) {
      range.selectNodeContents(walker.currentNode)
      for (const { top, bottom, width } of range.getClientRects()) if (width > 0) tops.push([top, bottom])
    }
    tops.sort((one, other) => one[0] - other[0])
    return tops.reduce((count, [top], index) => count + (index === 0 || top > tops[index - 1][1] - 2 ? 1 : 0), 0)
  }
  const alone = 'table.list td, table th, table time, table .badge, table .whole, table button, .filters button, .links a, .rooms a'
  return [...document.querySelectorAll(alone)]
    .filter((element) => element.getClientRects().length > 0 && lines(element) > 1)
    .map((element) => 'wraps: ' + element.textContent.trim())
})()`

const tallRows = `[...document.querySelectorAll('table.list tbody tr')]
  .map((row) => row.getBoundingClientRect().height)
  .filter((height) => height > 90)
  .map((height) => 'has a row of ' + height + ' px')`

const beyond = `document.documentElement.scrollWidth > innerWidth ? ['is wider than the screen'] : []`

/** What is wrong with a page as it is shown. */
export type Look = (page: Page) => Promise<string[]>

const asked =
  (text: string): Look =>
  (page) =>
    page.evaluate<string[]>(text)

export const looks = {
  wrapped: asked(wrapped),
  tallRows: asked(tallRows),
  beyond: asked(beyond),
  barriers,
  darkBarriers: inTheDark(barriers),
  darkColours: inTheDark(barriersOfColours),
} satisfies Record<string, Look>

function inTheDark(look: Look): Look {
  return async (page) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    const found = await look(page)
    await page.emulateMedia({ colorScheme: 'light' })
    return found.map((each) => `dark: ${each}`)
  }
}

export interface Walk {
  language: Language
  /** On the page as it comes. */
  onArrival?: readonly Look[]
  /** With all that is folded open, as on the others. */
  onDesktop: readonly Look[]
  onPhone: readonly Look[]
}

/** Reached from the navigation, or from anywhere. */
const first = new Set([...rooms.map(({ href }) => href), '/inspect/', '/account', '/search'])
// Somebody who has to add a second factor first can go nowhere else.
first.add('/account/factors')

/** Registers the test of one reader; each has a file, so that they walk at once. */
export async function testWalk(test: Test, what: string, walk: Walk): Promise<void> {
  const browser = await launchBrowser()
  if (browser === null) return
  const visits = visitsOf(test, browser)

  test(what, async () => {
    const { node, addresses } = await everyPage(visits)
    const page = await visits.pageAs(node, 'administrator')
    await dispatchOf(node)('operator.set', { name: 'administrator', language: walk.language }, 'ana')
    const found: string[] = []
    for (const path of new Set(addresses)) {
      const tell = (where: string, problems: readonly string[]) => {
        for (const each of problems) found.push(`${path}${where} ${each}`)
      }
      await page.setViewportSize(screens.desktop.viewport)
      const answer = await page.goto(node.operatorUrl + path)
      assert.is(answer?.status(), 200, path)
      for (const look of walk.onArrival ?? []) tell('', await look(page))
      await openFolds(page)
      for (const look of walk.onDesktop) tell(' on a desktop', await look(page))
      await page.setViewportSize(screens.phone.viewport)
      for (const look of walk.onPhone) tell(' on a phone', await look(page))
      const [bare = ''] = path.split('?')
      if (!first.has(bare) && (await page.locator('main > .crumb').count()) === 0)
        found.push(`${path} leads nowhere back`)
    }
    assert.equal([...new Set(found)], [])
  })
}
