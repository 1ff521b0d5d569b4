/** A comment that cites a rule cites a section that is there, and no document that is not in the tree. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')
const sections = new Set(
  [...readFileSync(join(root, 'docs/protocol.md'), 'utf8').matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(
    ([, number]) => number,
  ),
)

/** `protocol 7.3`, `protocol 5.1 and 5.3`, `protocol 2.3, 4.3 and 10.4`, `protocol 4.4 to 4.6`. */
const citation = /\bprotocol ((?:\d+(?:\.\d+)?)(?:(?:, | and | to |,? and )\d+(?:\.\d+)?)*)/gi

interface Cited {
  place: string
  section: string
}

/** Every section that a text cites; a line break inside a comment is a blank. */
function citedIn(place: string, text: string): Cited[] {
  const flat = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
  return [...flat.matchAll(citation)].flatMap(([, list = '']) =>
    list.split(/, and |, | and | to /).map((section) => ({ place, section })),
  )
}

const files = [
  ...globSync('{machines,chain,persistence,actors,http,client,node,cli,scripts,test}/**/*.ts', { cwd: root }),
  ...globSync('docs/**/*.md', { cwd: root }),
]
const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)

test('a citation is read in every form', () => {
  assert.equal(
    citedIn('here', ' * so (protocol 5.6,\n * 5.7 and 7). Protocol 4.4 to 4.6.').map(
      ({ section }) => section,
    ),
    ['5.6', '5.7', '7', '4.4', '4.6'],
  )
})

test('every section that is cited is there', () => {
  const cited = texts.flatMap(([file, text]) =>
    file.endsWith('protocol.test.ts') ? [] : citedIn(file, text),
  )
  assert.ok(cited.length > 60, `${cited.length} citations were found`)
  assert.equal(
    cited.filter(({ section }) => !sections.has(section)).map(({ place, section }) => `${place}: ${section}`),
    [],
  )
})

test('no comment cites a document that is not in the tree', () => {
  const elsewhere =
    /\bparts? \d+(?:\.\d+)?(?: and \d+(?:\.\d+)?)? of the (?:specification|design)|\bthe design's part\b/i
  assert.equal(
    texts
      .filter(([file, text]) => !file.endsWith('protocol.test.ts') && elsewhere.test(text))
      .map(([file]) => file),
    [],
  )
})

test.run()
