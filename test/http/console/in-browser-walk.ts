/** Every page in every language: no text wraps in a list, no row is high on a phone, none has a barrier, and each leads back to what it is below. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Language } from '../../../actors/people/languages.ts'
import { rooms } from '../../../http/console/rooms.ts'
import { tables } from '../../../http/console/texts/index.ts'
import { barriers } from '../../support/barriers.ts'
import { launchBrowser, screens } from '../../support/browser.ts'
import { dispatchOf } from '../../support/console.ts'
import { everyPage, openFolds, visitsOf } from '../../support/console-barriers.ts'
import { markedTexts } from '../../support/marked-texts.ts'

const browser = await launchBrowser()
// Tests of other files may follow in this process, however this one ends.
const given = { ...tables }
test.after(() => {
  Object.assign(tables, given)
})

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
    .map((element) => element.textContent.trim())
})()`

const tallRows = `[...document.querySelectorAll('table.list tbody tr')]
  .map((row) => row.getBoundingClientRect().height)
  .filter((height) => height > 90)`

const beyond = 'document.documentElement.scrollWidth - innerWidth'

interface Read {
  language: Language
  /** With texts of no language, 40 % longer than English ones. */
  isLonger: boolean
}

async function complaints(page: Page, path: string, { language, isLonger }: Read): Promise<string[]> {
  const found: string[] = []
  await page.setViewportSize(screens.desktop.viewport)
  await openFolds(page)
  // What no language has may be cut or broken, as long as its page holds it.
  if (!isLonger)
    for (const text of new Set((await page.evaluate(wrapped)) as string[])) found.push(`wraps: ${text}`)
  if (language !== 'en') for (const barrier of await barriers(page)) found.push(barrier)
  if (Number(await page.evaluate(beyond)) > 0) found.push('is wider than 1440 px')
  await page.setViewportSize(screens.phone.viewport)
  for (const height of (await page.evaluate(tallRows)) as number[])
    found.push(`has a row of ${height} px at 390`)
  if (Number(await page.evaluate(beyond)) > 0) found.push('is wider than 390 px')
  if (language !== 'en' && !isLonger) {
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const barrier of await barriers(page)) found.push(`dark at 390: ${barrier}`)
    await page.emulateMedia({ colorScheme: 'light' })
  }
  return found.map((each) => `${isLonger ? 'longer' : language} ${path} ${each}`)
}

/** Reached from the navigation, or from anywhere. */
const first = new Set([...rooms.map(({ href }) => href), '/inspect/', '/account', '/search'])
// Somebody who has to add a second factor first can go nowhere else.
first.add('/account/factors')

if (browser !== null) {
  const visits = visitsOf(test, browser)

  test('every page fits and has no barrier, in each language and in a longer one', async () => {
    const { node, addresses } = await everyPage(visits)
    const page = await visits.pageAs(node, 'administrator')
    const ask = dispatchOf(node)
    const found: string[] = []
    const read: readonly Read[] = [
      { language: 'en', isLonger: false },
      { language: 'es', isLonger: false },
      { language: 'pt', isLonger: false },
      { language: 'es', isLonger: true },
    ]
    for (const reader of read) {
      const { language, isLonger } = reader
      Object.assign(tables, isLonger ? { [language]: markedTexts() } : given)
      await ask('operator.set', { name: 'administrator', language }, 'ana')
      for (const path of new Set(addresses)) {
        await page.setViewportSize(screens.desktop.viewport)
        await page.goto(node.operatorUrl + path)
        found.push(...(await complaints(page, path, reader)))
        const [bare = ''] = path.split('?')
        const isBelow = !first.has(bare)
        if (isBelow && (await page.locator('main > .crumb').count()) === 0)
          found.push(`${path} leads nowhere back`)
      }
    }
    assert.equal([...new Set(found)], [])
  })
}

test.run()
