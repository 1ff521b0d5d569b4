/** All time comes through the composition root, or no clock of a test, and no simulated one, would be the program's. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')
const rooms = '{machines,chain,persistence,actors,http,node}/**/*.ts'

test('only the clock of the system asks what time it is', () => {
  const asking = globSync(rooms, { cwd: root, exclude: ['**/browser/**'] }).filter((file) =>
    /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.equal(asking, [join('node', 'system-clock.ts')])
})

test.run()
