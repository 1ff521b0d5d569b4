/**
 * Folders in which a backup or a restore is put together. They hold the database unencrypted, and a process that is
 * killed leaves them behind. Whoever makes one holds a lock beside it, which ends with the process: a draft whose lock
 * can be had is nobody's any more.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseLocked } from '../../persistence/database-errors.ts'
import { lockDatabase } from '../../persistence/index.ts'
import { backupFiles, manifestFile } from './manifest.ts'

export interface Draft {
  readonly folder: string
  /** Removes what is left of it, and lets its name go. Whoever forgets it before has lost the lock. */
  end(): void
}

const lockOfDraft = /^(?<name>\.ventanilla-[\dT-]+Z\.draft|\.restore-[\da-f]{16})\.lock$/

export function beginBackupDraft(parent: string, name: string): Draft {
  return begin(join(parent, `.${name}.draft`))
}

export function beginRestoreDraft(parent: string): Draft {
  return begin(join(parent, `.restore-${randomBytes(8).toString('hex')}`))
}

function begin(folder: string): Draft {
  // Its name is on the disk before the draft's: no draft is ever without.
  const lock = lockDatabase(folder)
  const end = () => {
    rmSync(folder, { recursive: true, force: true })
    endLock(folder, lock)
  }
  try {
    mkdirSync(folder, { mode: 0o700 })
    return { folder, end }
  } catch (error) {
    // Something is there that is not ours.
    endLock(folder, lock)
    throw error
  }
}

/** Its name goes while it is held: nobody can have it by this name and find a draft of somebody else. */
function endLock(folder: string, lock: { release(): void }): void {
  rmSync(`${folder}.lock`, { force: true })
  lock.release()
}

/**
 * Removes the drafts in a folder whose makers were killed: those that are named as ours are, have a lock that nobody
 * holds, and contain our files alone. What cannot be removed is warned of and stays.
 * @returns their names.
 */
export function removeLeftDrafts(parent: string): string[] {
  if (!existsSync(parent)) return []
  try {
    return readdirSync(parent).flatMap((entry) => {
      const name = lockOfDraft.exec(entry)?.groups?.name
      return name !== undefined && removeLeft(join(parent, name)) ? [name] : []
    })
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
    return []
  }
}

function removeLeft(folder: string): boolean {
  let lock: ReturnType<typeof lockDatabase>
  try {
    lock = lockDatabase(folder)
  } catch (error) {
    // Somebody is at work in it.
    if (error instanceof DatabaseLocked) return false
    throw error
  }
  try {
    if (!isOurs(folder)) return false
    rmSync(folder, { recursive: true, force: true })
    rmSync(`${folder}.lock`, { force: true })
    return true
  } finally {
    lock.release()
  }
}

/** The database (with what SQLite keeps beside it), its anchors, and what says what they are. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (!found.isDirectory()) return false
  return readdirSync(folder).every((name) => name.startsWith(backupFiles.database) || name === manifestFile)
}
