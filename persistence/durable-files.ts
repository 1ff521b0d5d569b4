/** Folders and files that outlive a power cut: a name is on the disk only once its folder was synced. */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes a folder and those above it, mode 0700, where they are missing, and their names durable. */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  let above = resolve(folder)
  for (; !existsSync(above); above = dirname(above)) missing.unshift(above)
  if (missing.length === 0 && !statSync(above).isDirectory()) missing.push(above)
  // One by one: where nothing can be made, as in /proc, Node's own `recursive` never ends.
  for (const name of missing) makeOneFolder(name)
  // The folder's own name is synced even if it was there: who made it may have been killed before doing so.
  for (const name of missing.length > 0 ? missing.toReversed() : [above]) syncFolder(dirname(name))
}

function makeOneFolder(name: string): void {
  try {
    mkdirSync(name, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isThere || !statSync(name).isDirectory()) throw error
  }
}

/** Makes the names in a folder durable. Windows has no such call, and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch (error) {
    // Not ours to read: then its names are not ours either.
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return
    throw error
  }
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Makes a file, mode 0600, that is there with all of its text or not at all, even after a power cut.
 * @throws an error with the code EEXIST when there is one already.
 */
export function createFile(file: string, text: string | Uint8Array): void {
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    nameFile(draft, file)
  } finally {
    if (existsSync(draft)) unlinkSync(draft)
  }
  syncFolder(dirname(file))
}

/**
 * Makes a file, mode 0600, of pieces as they come: it has its name once all of them are on the disk.
 * @param mayReplace whether a file that is there may go for it
 * @throws an error with the code EEXIST when there is one that may not
 */
export async function createFileInPieces<Result>(
  file: string,
  mayReplace: boolean,
  make: (write: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const draft = `${file}.${randomUUID()}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    let result: Result
    try {
      result = await make((text) => writeFileSync(descriptor, text))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (mayReplace) renameSync(draft, file)
    else nameFile(draft, file)
    syncFolder(dirname(file))
    return result
  } finally {
    if (existsSync(draft)) unlinkSync(draft)
  }
}

/** Puts a file in the place of another one, whole or not at all. */
export function replaceFile(file: string, text: string, mode: number): void {
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode, flag: 'wx', flush: true })
    renameSync(draft, file)
  } finally {
    if (existsSync(draft)) unlinkSync(draft)
  }
  syncFolder(dirname(file))
}

function nameFile(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error
    // Some file systems have no links. Theirs are not shared by two who would make the same file.
    renameSync(draft, file)
  }
}
