import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFile, makeFolder } from '../../persistence/durable-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'durable-files-'))
test.after(() => rmSync(folder, { recursive: true }))

const codeOf = (act: () => void) => {
  try {
    act()
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

test('a file is made once, for its owner only, and leaves no draft', () => {
  const place = join(folder, 'once')
  makeFolder(place)
  const file = join(place, 'key')
  createFile(file, 'first\n')
  assert.is(readFileSync(file, 'utf8'), 'first\n')
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600)
  assert.is(
    codeOf(() => createFile(file, 'second\n')),
    'EEXIST',
  )
  assert.is(readFileSync(file, 'utf8'), 'first\n')
  assert.equal(readdirSync(place), ['key'])
})

test('folders are made with those above them, private, and may be there already', () => {
  const deep = join(folder, 'a', 'b', 'c')
  makeFolder(deep)
  makeFolder(deep)
  assert.ok(existsSync(deep))
  if (process.platform !== 'win32') assert.is(statSync(join(folder, 'a', 'b')).mode & 0o777, 0o700)
})

test('a file is no folder', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  assert.is(
    codeOf(() => makeFolder(join(file, 'below'))),
    'ENOTDIR',
  )
})

test('a folder where nothing can be made is refused, and not tried for ever', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  assert.is(
    codeOf(() => makeFolder(file)),
    'EEXIST',
  )
  assert.is(
    codeOf(() => makeFolder(join(file, 'below/it'))),
    'ENOTDIR',
  )
  if (process.platform !== 'linux') return
  assert.match(String(codeOf(() => makeFolder('/proc/ventanilla/data'))), /^(ENOENT|EACCES)$/)
})

test.run()
