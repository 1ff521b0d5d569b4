/** Every party has its page, whatever its name is: a browser follows the links as URLs. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { partyNameIn, partyPath } from '../../../http/console/cells.ts'
import { partLines } from '../../../http/console/list-parts.ts'
import { addOperators, type ConsoleVisitor, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const names = [
  ...[
    '.',
    '..',
    '...',
    '~',
    '~.',
    '~..',
    '~~.',
    '%',
    '%2e',
    '%2e%2e',
    '%2F',
    '%00',
    '?',
    '#',
    '?a=1',
    '&',
    '+',
  ],
  ...[
    '/',
    '//',
    '/..',
    'a/../b',
    './..',
    '\\',
    '..\\',
    ';',
    ':',
    '@',
    'http://a.example',
    "'",
    'ñ',
    '🥑',
    'a b',
  ],
]

let node: TestNode
let visitor: ConsoleVisitor
test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
  // As earlier versions took them: a new party's name has a letter or a digit.
  const rest = { contact: '', created_at: node.clock.now() }
  const kinds = ['merchant', 'provider'] as const
  await node.core.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: kinds.flatMap((kind) =>
        names.map(
          (name, index) =>
            ({ insert: 'parties', values: { id: `${kind}-${index}`, kind, name, ...rest } }) as const,
        ),
      ),
    }),
  })
  visitor = await visitorAs(node, 'administrator')
})
test.after(() => stopTestNode(node))

/** What is requested when somebody presses a link. */
function followed(href: string): string {
  const url = new URL(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"), 'http://console.example')
  return url.pathname + url.search
}

test('each name in the list leads to the page of that party', async () => {
  const hrefs: string[] = []
  for (const kind of ['merchant', 'provider']) {
    for (let after = 0, isMore = true; isMore; after += partLines) {
      const { text } = await visitor.get(`/parties?${kind}s-after=${after}`)
      const links = text.matchAll(new RegExp(`href="(/${kind}s/[^"]*)"`, 'g'))
      hrefs.push(...[...links].map(([, href = '']) => href))
      isMore = text.includes(`?${kind}s-after=${after + partLines}" rel="next"`)
    }
  }
  assert.is(new Set(hrefs).size, hrefs.length)
  const found: string[] = []
  for (const href of hrefs) {
    const { status, text: page } = await visitor.get(followed(href))
    assert.is(status, 200, href)
    found.push(/<h1[^>]*>([^<]*)<\/h1>/.exec(page)?.[1] ?? '')
  }
  const written = names.map((name) => name.replaceAll('&', '&amp;').replaceAll("'", '&#39;'))
  // The node has parties of its own, too.
  assert.equal(found.filter((name) => written.includes(name)).toSorted(), [...written, ...written].toSorted())
})

test('a form on such a page leads back to it', async () => {
  for (const name of ['..', '~.', '/', '?']) {
    await visitor.get(followed(partyPath('merchant', name)))
    const from = partyPath('merchant', name)
    const { status, headers } = await visitor.post('/party/freeze', {
      kind: 'merchant',
      name,
      reason: 'looked at',
      form_page: from,
    })
    assert.is(status, 303, name)
    assert.match((await visitor.get(followed(headers.get('location') ?? ''))).text, 'looked at')
  }
})

test('no two names have one page', () => {
  const paths = names.map((name) => partyPath('provider', name))
  assert.is(new Set(paths).size, names.length)
  for (const name of names) {
    const segment = decodeURIComponent(partyPath('provider', name).slice('/providers/'.length))
    assert.is(partyNameIn(segment), name)
  }
  assert.is(partyPath('merchant', 'Demo Shop'), '/merchants/Demo%20Shop')
})

test.run()
