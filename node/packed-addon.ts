/**
 * Where the one executable has SQLite's addon: inside. The operating system loads code from files only, so it is
 * written to a folder that is this user's alone, under its hash, and compared with what is inside at each start.
 *
 * The build puts this module in the place of the one by which better-sqlite3 finds its addon.
 */
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { packedBytes } from './packed.ts'

let addon: unknown

/** What better-sqlite3 calls for its addon. */
export function getBinding(): unknown {
  addon ??= load()
  return addon
}

function load(): unknown {
  const bytes = packedBytes('better_sqlite3.node')
  const problems: string[] = []
  for (const folder of privateFolders()) {
    try {
      const loaded: { exports: unknown } = { exports: {} }
      process.dlopen(loaded, extract(folder, bytes))
      return loaded.exports
    } catch (error) {
      problems.push(`${folder}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(
    `SQLite's addon can be put nowhere: ${problems.join('; ')}. ` +
      'Set XDG_CACHE_HOME to a folder of your own from which programs may be run.',
  )
}

/** systemd names the cache folder of a service; a service may have no home, and then there is the temporary folder. */
function privateFolders(): string[] {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME } = process.env
  const user = process.getuid?.() ?? 'user'
  return [
    CACHE_DIRECTORY?.split(':')[0],
    XDG_CACHE_HOME && join(XDG_CACHE_HOME, 'ventanilla'),
    join(homedir(), '.cache', 'ventanilla'),
    join(tmpdir(), `ventanilla-${user}`),
  ].filter((folder): folder is string => folder !== undefined && isAbsolute(folder))
}

function extract(folder: string, bytes: Uint8Array): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  assertPrivate(folder)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const file = join(folder, `better_sqlite3-${hash.slice(0, 32)}.node`)
  if (isWhole(file, bytes)) return file
  // Under a name of its own first: another process may be starting, and must find it whole or not at all.
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, bytes, { mode: 0o500, flag: 'wx', flush: true })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  if (!isWhole(file, bytes)) throw new Error(`${file} is not what was written`)
  return file
}

/** Whoever may write into the folder may have this process run what they like. */
function assertPrivate(folder: string): void {
  const found = lstatSync(folder)
  if (!found.isDirectory()) throw new Error('it is not a folder')
  if (process.getuid === undefined) return
  if (found.uid !== process.getuid()) throw new Error('it belongs to another user')
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700)
}

function isWhole(file: string, bytes: Uint8Array): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found?.isFile() || (process.getuid !== undefined && found.uid !== process.getuid())) return false
  return (found.mode & 0o022) === 0 && readFileSync(file).equals(bytes)
}
