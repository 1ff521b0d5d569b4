import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bundleBrowserScripts } from '../../scripts/browser-scripts.ts'

const root = join(import.meta.dirname, '../..')

test('what pages run is bundled from its sources as they are: `npm run build:browser`', async () => {
  const made = await bundleBrowserScripts()
  for (const { path, text } of made) assert.is(readFileSync(path, 'utf8'), text, relative(root, path))
  const folders = globSync('http/**/browser/tsconfig.json', { cwd: root })
  assert.equal(
    made.map(({ path }) => relative(root, path)).toSorted(),
    folders.map((path) => path.replace('browser/tsconfig.json', 'scripts.json')).toSorted(),
    'every folder of scripts is bundled',
  )
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const path of folders) {
    assert.ok(scripts.typecheck.includes(`-p ${path.replace('/tsconfig.json', '')}`), `${path} is checked`)
  }
})

test.run()
