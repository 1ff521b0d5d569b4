/** What guides have to say because somebody looked for it there and missed it, and what they may not say. */
import { globSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

/** In this order, each on its page. */
const said: readonly (readonly [page: string, about: string, texts: readonly (string | RegExp)[]])[] = [
  ['docs/integration.md', 'how an answer is named to the operator', [/`Request-Id`: log it/]],
  [
    'docs/try-it.md',
    'the ports are free before a second node starts, and the order has a page to open',
    [
      /Stop the running node with ctrl-C/,
      'npm start -- --config data/local/networks-node.json',
      'echo "http://127.0.0.1:8080/checkout/$ORDER"',
    ],
  ],
]

for (const [page, about, texts] of said) {
  test(`${page} says: ${about}`, () => {
    let rest = readFileSync(page, 'utf8')
    for (const text of texts) {
      const at = typeof text === 'string' ? rest.indexOf(text) : rest.search(text)
      assert.ok(at >= 0, `${text} is not there, or not in its place`)
      rest = rest.slice(at + 1)
    }
  })
}

test('no order in a guide expires in a year that is written down', () => {
  for (const page of ['README.md', ...globSync('docs/*.md')]) {
    assert.not.match(readFileSync(page, 'utf8'), /"expiry": ?"20\d\d-/, page)
  }
})

test('nothing that readers have names the part of a document that they do not have', () => {
  const files = globSync('{docs,http,actors,machines,persistence,chain,cli,client,node}/**/*.{ts,md,json}')
  const named = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...files].filter((file) =>
    /(?<!RFC \d{4}, |-)\bparts? \d+(\.\d+)?\b/.test(readFileSync(file, 'utf8')),
  )
  assert.equal(named, [])
})

test.run()
