/** Statements on paper: both sizes, short and long, with their heads on each page and nothing of the console. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchBrowser } from '../../support/browser.ts'
import { addOperators, dispatchOf, onSqlite } from '../../support/console.ts'
import { look, visitsOf } from '../../support/console-barriers.ts'
import { startTestNode, stopTestNode } from '../../support/node.ts'
import { addWires, closerOf } from '../../support/statement-world.ts'

const browser = await launchBrowser()

/** In the page, as it is printed. */
const looks = `(() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector))
  const right = (cell) => getComputedStyle(cell).textAlign === 'right'
  return {
    tools: style('.tools').display,
    heads: style('table.lines thead').display,
    rows: style('table.lines tbody tr').breakInside,
    totals: style('.lines .end').breakInside,
    amounts: [...document.querySelectorAll('table.lines tr:not(.end) td:nth-last-child(-n+4)')].filter((cell) => /\\d$/.test(cell.textContent)).every(right),
    wide: document.documentElement.scrollWidth - innerWidth,
  }
})()`

/** Of a PDF: how many pages, and of which size in points. */
function pagesOf(pdf: Buffer): { count: number; sizes: string[] } {
  const text = pdf.toString('latin1')
  const sizes = [...text.matchAll(/\/MediaBox \[([^\]]*)\]/g)].map(([, box = '']) => box)
  return { count: text.match(/\/Type \/Page\b/g)?.length ?? 0, sizes: [...new Set(sizes)] }
}

if (browser !== null) {
  const { closing, pageAs } = visitsOf(test, browser)

  test('statements print on A4 and letter, and have no barrier on a screen', async () => {
    const node = await startTestNode(onSqlite())
    closing(() => stopTestNode(node))
    await addOperators(node)
    const ask = dispatchOf(node)
    const close = () => ask('statement.close', { party: 'Shop', currency: 'MXN' }, 'test')
    await close()
    node.clock.advance(86_400_000)
    await addWires(node, 300)
    await close()
    await closerOf({ ...node.core, clock: node.clock }).pass()
    const page = await pageAs(node, 'viewer')
    const counts: Record<string, number> = {}
    for (const number of [1, 2]) {
      const path = `/statement/print?kind=merchant&party=Shop&currency=MXN&number=${number}`
      await page.emulateMedia({ media: 'screen' })
      await page.goto(node.operatorUrl + path)
      await look(page, path)
      await page.emulateMedia({ media: 'print', colorScheme: 'light' })
      assert.equal(await page.evaluate(looks), {
        tools: 'none',
        heads: 'table-header-group',
        rows: 'avoid',
        totals: 'avoid',
        amounts: true,
        wide: 0,
      })
      for (const [format, size] of [
        ['A4', /^0 0 59[45](\.\d+)? 84[12](\.\d+)?$/],
        ['Letter', /^0 0 612 792$/],
      ] as const) {
        const { count, sizes } = pagesOf(await page.pdf({ format }))
        assert.is(sizes.length, 1)
        assert.match(sizes[0] ?? '', size)
        counts[`${number} ${format}`] = count
      }
    }
    assert.equal([counts['1 A4'], counts['1 Letter']], [1, 1], 'a short one is one page')
    assert.ok((counts['2 A4'] ?? 0) >= 5 && (counts['2 Letter'] ?? 0) >= 5, JSON.stringify(counts))
  })
}

test.run()
