/** What the documents point to is there, and every decision is in the index with its status and date. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = [
  ...globSync('*.md', { cwd: root }),
  ...globSync('{docs,client,test/persistence/golden}/**/*.md', { cwd: root }),
]

test('every relative link of every document leads to a file or a folder', () => {
  const dead = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file} → ${target}`),
  )
  assert.ok(documents.length > 40, `${documents.length} documents were read`)
  assert.equal(dead, [])
})

test('every decision has a number, a status and a date, and a line in the index', () => {
  const files = globSync('docs/decisions/[0-9]*.md', { cwd: root }).toSorted()
  const index = read('docs/decisions/README.md')
  const numbers = files.map((file) => Number(file.slice('docs/decisions/'.length).slice(0, 4)))
  assert.equal(
    numbers,
    numbers.map((_, at) => at + 1),
  )
  for (const [at, file] of files.entries()) {
    const text = read(file)
    assert.match(
      text,
      new RegExp(`^# ${at + 1}\\. .+\n\nStatus: .+\\. Date: \\d{4}-\\d\\d-\\d\\d\\.\n`),
      file,
    )
    const name = file.slice('docs/decisions/'.length)
    const lines = index.split('\n').filter((line) => line.includes(`(${name})`))
    assert.is(lines.length, 1, `${file} has no line of its own in the index`)
    assert.match(lines[0] ?? '', `- [${name.slice(0, 4)}](${name}) `)
  }
})

test.run()
