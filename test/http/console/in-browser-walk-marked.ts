/** No page says anything but in the reader's language, and none breaks with texts that are longer than English ones. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import { en } from '../../../http/console/texts/en.ts'
import { tables } from '../../../http/console/texts/index.ts'
import { looks, testWalk } from '../../support/console-walk.ts'
import { markedTexts } from '../../support/marked-texts.ts'

// Tests of other files may follow in this process.
const given = { ...tables }
test.after(() => {
  Object.assign(tables, given)
})

/** All words of three letters and more that the English texts have. */
function vocabulary(): string[] {
  const words = new Set<string>()
  const collect = (part: unknown): void => {
    if (typeof part === 'string')
      for (const [word] of part.toLowerCase().matchAll(/[a-z]{3,}/g)) words.add(word)
    else if (typeof part === 'function')
      collect(
        part.call(null, ...Array.from({ length: 6 }, () => ({ text: '', count: 2, toString: () => '' }))),
      )
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(collect)
  }
  collect(en)
  return [...words]
}

const known = new Set(vocabulary())

/** What is on a page outside of marks, and is neither code, nor a time, nor marked as English. */
const outside = `(() => {
  const skipped = '[lang=en]:not(html), code, pre, time, svg, script, style, textarea, [name=zone], [name=timeZone], .rooms .count'
  const bare = (text) => {
    let depth = 0
    let left = ''
    for (const sign of text) {
      if (sign === '⟦') depth++
      else if (sign === '⟧') depth--
      else if (depth === 0) left += sign
    }
    return left.trim()
  }
  const found = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (parentElement.closest(skipped) === null) found.add(bare(textContent))
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [data-label]')) {
    if (element.closest(skipped) !== null) continue
    for (const name of ['aria-label', 'title', 'placeholder', 'data-label']) found.add(bare(element.getAttribute(name) ?? ''))
  }
  found.add(bare(document.title))
  return [...found].filter((text) => /[a-z]{3,}/i.test(text) && !/^\\[Ventanilla|Mozilla|order 1234/.test(text))
})()`

/** Words of data that English has, too: names in the test's world, and what programs are asked with. */
const data = new Set(
  'shop network ventanilla opening notify_url network other main dns webhook for ops shop’s made twice asked by the order ana luis test viewer operator administrator utc america status'.split(
    ' ',
  ),
)

/** Sentences that somebody has written, and what programs are asked with. */
const written =
  /the receipt says 990|both receipts|only once|their mail|the note is good|mail of monday|\bdenies\b|agreed on monday/gi

/** Neither names of a program, such as `payment.start`, nor addresses, nor currencies. */
function wordsOf(text: string): string[] {
  return text
    .replace(written, '')
    .split(/[\s,;:()“”"→]+/)
    .map((word) => word.replace(/[.!?]+$/, ''))
    .filter((word) => /^[A-Za-z]{3,}$/.test(word) && word !== word.toUpperCase())
    .map((word) => word.toLowerCase())
}

/** What is said in English, or in no reader's language. */
async function foreign(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(outside)
  return texts.filter((text) => wordsOf(text).some((word) => known.has(word) && !data.has(word)))
}

test.before(() => {
  Object.assign(tables, { es: markedTexts() })
})

const { beyond, tallRows } = looks

await testWalk(
  test,
  'every page is in the reader’s language as a whole, and holds texts that are 40 % longer',
  {
    language: 'es',
    onArrival: [foreign],
    // What no language has may be cut or broken, as long as its page holds it.
    onDesktop: [beyond],
    onPhone: [tallRows, beyond],
  },
)

test.run()
