/** The file that `keys.file` names, and the key that is to replace it. */
import { readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { MasterKeyFile } from '../actors/keys/master-key.ts'
import { generateMasterKey, parseMasterKey, VaultError } from '../actors/keys/vault.ts'
import { createFile, makeFolder, syncFolder } from '../persistence/durable-files.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { fileHint, reasonOf } from './places.ts'
import type { Settings } from './settings/config.ts'

export interface MasterKeyPlace extends MasterKeyFile {
  /** The key that lies beside the present one: a change of keys was cut off. */
  readPrepared(): Uint8Array | null
}

export function createMasterKeyPlace(path: string): MasterKeyPlace {
  // A link to the file stays one: its target is replaced.
  const real = () => realpathSync(path)
  const next = () => `${real()}.next`
  return {
    path,
    read: () => parseMasterKey(readFileSync(path)),
    prepare(key) {
      rmSync(next(), { force: true })
      createFile(next(), `${Buffer.from(key).toString('base64')}\n`)
    },
    withdraw() {
      rmSync(next(), { force: true })
    },
    promote(fingerprintBefore) {
      const file = real()
      const kept = `${file}.${fingerprintBefore}`
      keep(file, kept)
      renameSync(next(), file)
      syncFolder(dirname(file))
      return kept
    },
    readPrepared() {
      try {
        return parseMasterKey(readFileSync(next()))
      } catch {
        // None, or none that could ever have been put in force.
        return null
      }
    },
  }
}

function keep(file: string, kept: string): void {
  try {
    createFile(kept, readFileSync(file))
  } catch (error) {
    // It was kept before the change was cut off.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/**
 * The key of the settings' file; made where a sandbox has none.
 * @throws CommandError
 */
export function readMasterKey({ mode, keys }: Pick<Settings, 'mode' | 'keys'>): Uint8Array {
  try {
    return parseMasterKey(readFileSync(keys.file))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing && mode === 'sandbox') return makeMasterKey(keys.file)
    const cause = error instanceof VaultError ? error.message : `It cannot be read: ${reasonOf(error)}.`
    const isClosed = error instanceof Error && 'code' in error && error.code === 'EACCES'
    const hint = isClosed
      ? fileHint(keys.file)
      : 'A key is made with `head -c 32 /dev/urandom | base64`; a lost key cannot be recreated.'
    throw new CommandError(exitCodes.key, `${keys.file}: ${cause}`, hint, { cause: error })
  }
}

function makeMasterKey(file: string): Uint8Array {
  const text = generateMasterKey()
  try {
    makeFolder(dirname(file))
    createFile(file, text)
  } catch (error) {
    const hint = 'Check its folder and the disk, or name another file with keys.file.'
    throw new CommandError(exitCodes.key, `${file}: It cannot be made: ${reasonOf(error)}.`, hint, {
      cause: error,
    })
  }
  return parseMasterKey(text)
}
