/** No page leaves an English text to whoever reads Spanish or Portuguese. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { en } from '../../../http/console/texts/en.ts'
import { tables } from '../../../http/console/texts/index.ts'
import { dispatchOf, visitorAs } from '../../support/console.ts'
import { everyPage } from '../../support/console-barriers.ts'

const stops: (() => Promise<unknown>)[] = []
test.after.each(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Pairs of what is said in English and in another language, whatever tables they stand in. */
function pairsOf(one: unknown, other: unknown): [english: string, translated: string][] {
  if (typeof one === 'string' && typeof other === 'string') return [[one, other]]
  if (typeof one !== 'object' || one === null) return []
  return Object.entries(one).flatMap(([name, each]) => pairsOf(each, Object(other)[name]))
}

/** Of the test's world: operators are called by their roles, and languages by themselves. */
const names = new Set(['administrator', 'operator', 'viewer', 'English'])

/** Text nodes as they stand between tags, but for code and for whatever is data. */
function textsOf(html: string): string[] {
  const body = html
    .slice(html.indexOf('<body'))
    .replaceAll(/<(script|style|code|pre|svg|textarea)\b.*?<\/\1>/gs, '')
  return [...body.matchAll(/>([^<>]+)</g)].map(([, text = '']) =>
    text.trim().replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  )
}

for (const language of ['es', 'pt'] as const) {
  test(`every page is in the reader’s language: ${language}`, async () => {
    const { node, addresses } = await everyPage({ closing: (stop) => stops.push(stop) })
    await dispatchOf(node)('operator.set', { name: 'administrator', language }, 'ana')
    const visitor = await visitorAs(node, 'administrator')
    const pairs = pairsOf(en, tables[language])
    const translated = new Set(pairs.map(([, text]) => text))
    const english = new Set(
      pairs.filter(([one, text]) => one !== text && !translated.has(one)).map(([one]) => one),
    )
    assert.ok(english.size > 1000)
    const left = new Set<string>()
    for (const path of addresses) {
      const { text, status } = await visitor.get(path)
      assert.is(status, 200, path)
      for (const [, marked = ''] of text.matchAll(/<[^>]+ lang="en"[^>]*>(?:<bdi>)?([^<]*)/g))
        left.add(`${path}: marked as English: ${marked}`)
      for (const shown of textsOf(text))
        if (english.has(shown) && !names.has(shown)) left.add(`${path}: ${shown}`)
    }
    assert.equal([...left], [])
  })
}

test.run()
