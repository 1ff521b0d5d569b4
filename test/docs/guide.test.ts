/** The guide can be walked, and what is told of a walk is what it is; `npm run release:check` takes it on a booted Debian. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { guideSteps, isAsSaid, linesOf } from '../release/guide-steps.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/operator-guide.md'), 'utf8')

test('files and commands of a page, with what they print', () => {
  const page = [
    '```json parties.json',
    '{}',
    '```',
    'Text, and `# no` command.',
    '```console',
    '# a --b \\',
    '  --c',
    'x',
    '',
    'y',
    '# d',
    '```',
    '```sh',
    '# e',
    '```',
  ]
  assert.equal(guideSteps(page.join('\n')), [
    { kind: 'file', line: 1, name: 'parties.json', text: '{}\n' },
    { kind: 'command', line: 6, command: 'a --b \\\n  --c', expected: ['x', '', 'y'] },
    { kind: 'command', line: 11, command: 'd', expected: [] },
  ])
  assert.throws(() => guideSteps('```console\nx\n```'), /line 2: nobody has typed what prints this/)
  assert.throws(() => guideSteps('```console\n# x'), /line 1: the block does not end/)
})

for (const [expected, printed, isRight] of [
  [[], [], true],
  [[], ['a'], false],
  [['a'], [], false],
  [['a'], ['a'], true],
  [['a'], ['a', 'b'], false],
  [['a  b'], ['a      b  '], true],
  [['made …/b at …'], ['made /x/y/b at noon'], true],
  [['made …/b'], ['made /x/y/c'], false],
  [['a.c'], ['abc'], false],
  [['…'], [], true],
  [['a', '…', 'd'], ['a', 'b', 'c', 'd'], true],
  [['a', '…', 'd'], ['a', 'b', 'c'], false],
] as const)
  test(`${JSON.stringify(expected)} ${isRight ? 'says' : 'does not say'} ${JSON.stringify(printed)}`, () => {
    assert.is(isAsSaid(expected, printed), isRight)
  })

test('what was printed is compared without the empty lines at its end', () => {
  assert.equal(linesOf(''), [])
  assert.equal(linesOf('a\n\nb\n\n'), ['a', '', 'b'])
})

test('the guide has files and commands enough to be walked', () => {
  const steps = guideSteps(guide)
  assert.ok(steps.filter(({ kind }) => kind === 'command').length > 25, `${steps.length} steps`)
})

test('each part of `npm run release:check` has a row in what was tried', () => {
  const parts = /^known=\(([^)]+)\)$/m
    .exec(readFileSync(join(root, 'test/release/main.sh'), 'utf8'))?.[1]
    ?.split(' ')
  assert.ok(parts && parts.length > 5)
  const told = guide.slice(guide.indexOf('## What was tried, and what was not'))
  for (const part of parts) assert.match(told, new RegExp(`\\| \`${part}\` \\|`), part)
})

test.run()
