/** What axe finds against a page as it is shown: WCAG 2.2 AA, and good practice. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
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

/** One line for each violation. */
export async function barriers(page: Page): Promise<string[]> {
  await prepare(page)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
