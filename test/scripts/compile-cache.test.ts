import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')
const preload = 'scripts/compile-cache.cjs'

/** A folder with the preload and a program of its own, as an installation has them. */
function inInstallation(check: (folder: string, start: () => string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'compile-cache-'))
  try {
    mkdirSync(join(folder, 'scripts'))
    copyFileSync(join(root, preload), join(folder, preload))
    writeFileSync(join(folder, 'program.mts'), 'const answer: number = 42\nconsole.log(answer)\n')
    check(folder, () => {
      const started = spawnSync(process.execPath, ['-r', `./${preload}`, 'program.mts'], {
        cwd: folder,
        encoding: 'utf8',
        env: {},
      })
      return started.stdout + started.stderr
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('what was compiled is kept beside the packages, and read by the next start', () => {
  inInstallation((folder, start) => {
    assert.is(start(), '42\n')
    const [kept] = readdirSync(join(folder, 'node_modules/.cache/ventanilla'))
    assert.ok(kept)
    assert.is(start(), '42\n')
  })
})

test('where nothing can be kept, the program starts all the same', () => {
  inInstallation((folder, start) => {
    writeFileSync(join(folder, 'node_modules'), 'no folder')
    assert.is(start(), '42\n')
  })
})

test('the node and its commands start with it', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of ['start', 'ventanilla', 'demo']) assert.match(scripts[name], ` -r ./${preload} `)
})

test.run()
