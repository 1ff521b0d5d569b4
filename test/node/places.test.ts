import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { placeProblem } from '../../node/places.ts'

const folder = mkdtempSync(join(tmpdir(), 'a place '))
const file = join(folder, 'node.db')
writeFileSync(file, '')
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** As /proc/self/mountinfo has it, with its blanks in octal. */
const mounts = (...points: string[]) =>
  points
    .map((point, id) => `${id} 1 0:${id} / ${point.replaceAll(' ', '\\040')} rw - ext4 /dev/sda rw\n`)
    .join('')

test('a database in a folder that is mounted is where it should be', () => {
  assert.is(placeProblem(file, mounts('/', folder)), null)
  assert.is(placeProblem(file, ''), null)
  assert.is(placeProblem(file), null)
})

test('a database whose file is mounted by itself lies apart from its log', () => {
  assert.match(
    placeProblem(file, mounts('/', file)) ?? '',
    /is mounted by itself: its log, .* mount the folder/,
  )
})

test.run()
