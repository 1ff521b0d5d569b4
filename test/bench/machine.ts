/** Where and when something is measured: figures without it say little. */
import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { spread } from './figures.ts'

/** `2026-03-01, 1a2b3c4; 2 cores, 8 GB, load 0.1; Node 24.21.0; fdatasync of 4 KiB: 300 (200–900) µs`. */
export function describeMachine(): string {
  const [load = 0] = loadavg()
  return [
    `${new Date(Date.now()).toISOString().slice(0, 10)}, ${commit()}`,
    `${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, load ${load.toFixed(1)} before`,
    `Node ${process.versions.node}`,
    `fdatasync of 4 KiB: ${spread(fdatasyncTimes())} µs`,
  ].join('; ')
}

function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with changes'
    return `${git('rev-parse', '--short', 'HEAD').trim()}${changed}`
  } catch {
    return 'no commit known'
  }
}

/** Microseconds, each of a write behind the one before. */
function fdatasyncTimes(): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-fdatasync-'))
  const file = openSync(join(folder, 'file'), 'w')
  const block = Buffer.alloc(4096)
  const times = Array.from({ length: 200 }, () => {
    const startedAt = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    return (performance.now() - startedAt) * 1000
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return times
}
