/** CONTRIBUTING.md says which files a change touches: they are there, and no others have to be. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderChanges } from '../../actors/orders/change-operations.ts'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

/** Of the trees: paths below a folder that was named in a line of its own, and paths from the root. */
function pathsIn(tree: string): string[] {
  let folder = ''
  return tree.split('\n').flatMap((line) => {
    const written = /^ *([\w/.-]+)/.exec(line)?.[1]
    if (written === undefined || /[A-Z]{3}/.test(written)) return []
    if (!line.startsWith(' ')) folder = line.trimEnd() === written ? written : ''
    return [line.startsWith(' ') ? folder + written : written]
  })
}

test('the files that a change touches are where it says', () => {
  const trees = [...text.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, tree = '']) => tree)
  const paths = trees.flatMap(pathsIn)
  assert.ok(paths.length > 15, String(paths.length))
  assert.equal(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  )
})

test('an operation on an order is named in its file and in the tables of who may ask and approve, unless more is made of it', () => {
  const files = globSync('{actors,cli,http,node,client,persistence}/**/*.ts', { cwd: root })
  const naming = (word: RegExp) =>
    files.filter((file) => word.test(readFileSync(join(root, file), 'utf8'))).toSorted()
  // Its rows say who may ask for it, and whether somebody else has to approve.
  assert.equal(naming(/\borderRelease\b|\border\.release\b/), [
    'actors/operations/approval-rules.ts',
    'actors/operations/authority.ts',
    'actors/orders/change-operations.ts',
  ])
  for (const { name, offer, done } of orderChanges)
    assert.ok(offer !== undefined && done !== undefined, `${name} has a form on the page of its order`)
})

test.run()
