/** What axe finds against a page as it is shown: WCAG 2.2 AA, and good practice. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Pages whose documents have axe from their beginning. */
const prepared = new WeakSet<Page>()

/** Not as an element of the page: its policy lets none through. To evaluate a text this long takes half a second each time. */
async function prepare(page: Page): Promise<void> {
  if (prepared.has(page)) return
  prepared.add(page)
  await page.addInitScript(axeSource)
  await page.evaluate(axeSource)
}

/** Nobody reads where an element is but in its text, and there is nothing to be played. */
const quickly: RunOptions = { resultTypes: ['violations'], selectors: false, preload: false }

/** Rules whose result colours alone can change. */
const ofColours: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

async function found(page: Page, options: RunOptions): Promise<string[]> {
  await prepare(page)
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)
}

/** One line for each violation. */
export function barriers(page: Page): Promise<string[]> {
  return found(page, quickly)
}

/** The same of a page that was looked at in another theme: themes differ in colours alone (`test/http/pages/tokens.test.ts`). */
export function barriersOfColours(page: Page): Promise<string[]> {
  return found(page, { ...quickly, ...ofColours })
}
