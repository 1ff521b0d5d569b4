/** Which sources these are: the program's name and version, and their commit. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export const program: { name: string; version: string } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

/** `null` where nothing says so: no repository, or sources that differ from its commit. */
export function commitOf(folder: string): string | null {
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' })
  const changed = git('status', '--porcelain')
  if (changed.status !== 0 || changed.stdout !== '') return null
  const { status, stdout } = git('rev-parse', 'HEAD')
  return status === 0 ? stdout.trim() : null
}
