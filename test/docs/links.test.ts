/** What the documents point to is there, and every decision is in the index with its status and date. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { floors } from '../../scripts/floors.ts'

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

test('every folder that has a floor has its line among the rooms, and every file and name that is told is there', () => {
  const text = read('docs/architecture.md')
  for (const [room, folders] of Object.entries(floors)) {
    const start = text.indexOf(`| \`${room}/\` | |`)
    assert.ok(start >= 0, `${room} has no table`)
    const table = text.slice(start, text.indexOf('\n\n', start))
    const named = [...table.matchAll(/^\| `([a-z]+)` \| .+ \|$/gm)].map(([, name]) => name)
    assert.equal(named, [...folders], room)
  }
  const files = [...text.matchAll(/`((?:[a-z-]+\/)+[a-z-]+\.ts)`/g)].map(([, file = '']) => file)
  assert.ok(files.length > 10)
  assert.equal(
    files.filter((file) => !existsSync(join(root, file))),
    [],
  )
  const places = [...text.matchAll(/`((?:[a-z-]+\/)+[a-z-]+\.ts)` \(`(\w+)`\)/g)]
  assert.ok(places.length > 7)
  assert.equal(
    places
      .filter(([, file = '', name]) => !new RegExp(`\\b${name}\\b`).test(read(file)))
      .map(([place]) => place),
    [],
  )
})

test.run()
