/** The shim of `write-log.c`: built where a compiler is, switched on for a child process, and its log read. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'uvu'

const source = join(import.meta.dirname, 'write-log.c')

/** The built shim, for the tests of a file. Where it cannot be built its reason is printed, and null is given. */
export function buildShim(test: Test): string | null {
  const reason = whyNot()
  if (reason !== null) {
    console.log(`SKIP ${reason}`)
    return null
  }
  const folder = mkdtempSync(join(tmpdir(), 'write-log-'))
  test.after(() => rmSync(folder, { recursive: true, force: true }))
  const library = join(folder, 'write-log.so')
  const options = [
    '-O2',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-shared',
    '-fPIC',
    '-o',
    library,
    source,
    '-lpthread',
  ]
  const built = spawnSync('cc', options, { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`write-log.c cannot be built:\n${built.stderr}`)
  return library
}

function whyNot(): string | null {
  if (process.platform !== 'linux')
    return `power cuts are played with a shim for Linux, not for ${process.platform}`
  const asked = spawnSync('cc', ['-E', '-include', 'stdio.h', '-x', 'c', '/dev/null'], { stdio: 'ignore' })
  return asked.status === 0 ? null : 'power cuts need a C compiler, cc, and the headers of the C library'
}

/** The environment of a child whose files are watched; without `log` nothing is recorded. */
export function watching(options: { library: string; root: string; control: string; log?: string }) {
  const { NODE_V8_COVERAGE: _, ...environment } = process.env
  return {
    ...environment,
    LD_PRELOAD: options.library,
    WRITE_LOG_ROOT: options.root,
    WRITE_LOG_CONTROL: options.control,
    ...(options.log === undefined ? {} : { WRITE_LOG_FILE: options.log }),
  }
}

const kinds = [
  'write',
  'truncate',
  'sync',
  'sync folder',
  'create',
  'link',
  'unlink',
  'rename',
  'mkdir',
  'mark',
] as const

/** What happened, in its order. Paths are absolute; a `link` is another name of a file that is there. */
export type LogRecord =
  | { kind: 'write'; inode: bigint; offset: number; bytes: Buffer }
  | { kind: 'truncate'; inode: bigint; size: number }
  | { kind: 'sync'; inode: bigint }
  | { kind: 'sync folder' | 'unlink'; path: string }
  | { kind: 'create' | 'link' | 'mkdir'; inode: bigint; path: string }
  | { kind: 'rename'; inode: bigint; from: string; to: string }
  | { kind: 'mark'; text: string }

const headBytes = 24

export function readLog(file: string): LogRecord[] {
  const log = readFileSync(file)
  const records: LogRecord[] = []
  for (let at = 0; at < log.length; ) {
    const kind = kinds[log.readUInt32LE(at) - 1]
    const end = at + headBytes + log.readUInt32LE(at + 4)
    if (kind === undefined || end > log.length) throw new Error(`the log is torn at ${at}`)
    const bytes = log.subarray(at + headBytes, end)
    const inode = log.readBigUInt64LE(at + 8)
    const offset = Number(log.readBigUInt64LE(at + 16))
    records.push(toRecord(kind, inode, offset, bytes))
    at = end
  }
  return records
}

function toRecord(kind: (typeof kinds)[number], inode: bigint, offset: number, bytes: Buffer): LogRecord {
  switch (kind) {
    case 'write':
      return { kind, inode, offset, bytes }
    case 'truncate':
      return { kind, inode, size: offset }
    case 'sync':
      return { kind, inode }
    case 'sync folder':
    case 'unlink':
      return { kind, path: bytes.toString() }
    case 'create':
    case 'link':
    case 'mkdir':
      return { kind, inode, path: bytes.toString() }
    case 'rename': {
      const [from = '', to = ''] = bytes.toString().split('\n')
      return { kind, inode, from, to }
    }
    case 'mark':
      return { kind, text: bytes.toString() }
  }
}

/** What a child told the shim to count since it last armed it. */
export function readReport(control: string): { writes: number; syncs: number; fired: boolean } {
  const report = `${control}.report`
  if (!existsSync(report)) throw new Error(`${report} is missing: is the shim loaded?`)
  const [writes = 0, syncs = 0, fired = 0] = readFileSync(report, 'utf8').split(' ').map(Number)
  return { writes, syncs, fired: fired === 1 }
}
