/** A full disk: a real one where this user may mount one, and otherwise one that the shim makes small. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { problemsAfter } from './kept.ts'
import { buildShim, watching } from './write-log.ts'

const diskBytes = 16 * 1024 * 1024

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'))
const mountPlace = join(folder, 'mounted')
test.after(() => {
  if (mounted !== null) spawnSync('umount', [mounted])
  rmSync(folder, { recursive: true, force: true })
})

async function playOn(directory: string, disk: string, env: NodeJS.ProcessEnv): Promise<void> {
  const story = join(import.meta.dirname, 'full-disk-story.ts')
  const ended = spawnSync(process.execPath, ['--conditions=development', story, directory, disk], {
    env,
    encoding: 'utf8',
  })
  assert.is(ended.status, 0, ended.stderr)
  const { told, figures } = JSON.parse(ended.stdout)
  console.log(figures)
  assert.equal(await problemsAfter(join(directory, 'node.db'), told), [])
}

const what =
  'on a full disk new orders are refused, orders under way go on, and room is used without a restart'

/** A file system of its own in memory; null where this user may not mount one. */
function mountSmallDisk(): string | null {
  mkdirSync(mountPlace)
  const options = ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', mountPlace]
  return process.platform === 'linux' && spawnSync('mount', options).status === 0 ? mountPlace : null
}

const mounted = mountSmallDisk()
if (mounted !== null) {
  test(`${what} (a disk of its own)`, async () => {
    const { NODE_V8_COVERAGE: _, ...environment } = process.env
    await playOn(mounted, 'a tmpfs', environment)
  })
} else {
  const library = buildShim(test)
  if (library !== null) {
    test(`${what} (a small disk played by the shim)`, async () => {
      const root = join(folder, 'root')
      const control = join(folder, 'control')
      mkdirSync(root)
      writeFileSync(control, '')
      const env = { ...watching({ library, root, control }), WRITE_LOG_CAPACITY: String(diskBytes) }
      await playOn(root, 'the shim', env)
    })
  }
}

test.run()
