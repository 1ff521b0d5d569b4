/** Where the node's files are to be: what is in the way there, said before anything is made or opened. */
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { makeFolder } from '../persistence/durable-files.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

const { R_OK, W_OK, X_OK } = constants

/**
 * Makes the folder of a SQLite database and looks at its files, none of which it opens: SQLite would take a file
 * that may not be written as one to read, and fail at the first commit; and of what it cannot open it says no more.
 *
 * @throws CommandError
 */
export function prepareDatabasePlace(file: string): void {
  const folder = dirname(file)
  const above = nearest(folder)
  if (!isFolder(above))
    refuse(file, `${above} is a file, not a folder.`, 'Set database to a file in a folder.')
  const problem = accessProblem(above, W_OK | X_OK)
  if (problem !== null) refuse(file, `${problem} in ${above}.`, folderHint(problem))
  try {
    makeFolder(folder)
  } catch (error) {
    refuse(
      file,
      `its folder cannot be made: ${reasonOf(error)}.`,
      'Set database to a place on a local disk.',
      error,
    )
  }
  if (isFolder(file)) refuse(file, 'it is a folder.', 'Set database to the file in it.')
  for (const ending of ['', '.lock', '-wal', '-shm']) {
    const own = `${file}${ending}`
    const problemOfFile = existsSync(own) ? accessProblem(own, R_OK | W_OK) : null
    if (problemOfFile !== null) refuse(own, `${problemOfFile} it.`, fileHint(own))
  }
}

/**
 * What is wrong with where a database lies that is there; `null` where nothing is. Its file may be a mount of its own, as a
 * container's `-v FILE:FILE`: then what has to lie beside it (the log with the newest commits, the anchors) does not.
 */
export function placeProblem(file: string, mounts: string = readMounts()): string | null {
  const name = realpathSync(file)
  if (!mountPoints(mounts).includes(name)) return null
  return (
    `${name} is mounted by itself: its log, which holds the newest commits, and its anchors lie outside of the mount, ` +
    'and are lost with the container. Stop the node, mount the folder instead, and start it again.'
  )
}

function mountPoints(mounts: string): string[] {
  return mounts.split('\n').map((line) => {
    const [, , , , point = ''] = line.split(' ')
    return point.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    )
  })
}

/** Linux tells them; elsewhere a file cannot be mounted. */
function readMounts(): string {
  return process.platform === 'linux' ? readFileSync('/proc/self/mountinfo', 'utf8') : ''
}

/** What an error of the file system means, without Node's own words around it. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

/** How whoever administers the machine lets this user read and write a file that is there. */
export function fileHint(file: string): string {
  const { uid, mode } = statSync(file)
  const found = `It belongs to user ${uid} and has mode ${(mode & 0o777).toString(8)}`
  return `${found}. Run as that user, or: chown ${userName()} ${file} && chmod 600 ${file}`
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full for this user',
  ENOENT: 'there is no such place',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead nowhere',
}

function accessProblem(path: string, mode: number): string | null {
  try {
    accessSync(path, mode)
    return null
  } catch (error) {
    const isReadOnly = error instanceof Error && 'code' in error && error.code === 'EROFS'
    return isReadOnly
      ? 'the disk is read-only, and nobody may write'
      : `user ${userName()} may not read and write`
  }
}

function folderHint(problem: string): string {
  return problem.startsWith('the disk')
    ? 'Mount it so that it can be written; a disk that failed is made read-only, and dmesg says so.'
    : `Run as the folder's user, give it to ${userName()} with chown, or set database to another place.`
}

/** The folder, or what is there of its path. */
function nearest(folder: string): string {
  let above = folder
  while (!existsSync(above)) above = dirname(above)
  return above
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // Containers run as users that nobody has given a name.
    return String(process.getuid?.() ?? 'this')
  }
}

function refuse(file: string, problem: string, hint: string, cause?: unknown): never {
  throw new CommandError(exitCodes.database, `database ${file}: ${problem}`, hint, { cause })
}
