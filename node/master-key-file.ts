/** The file that `keys.file` names, and the key that is to replace it. */
import { readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { MasterKeyFile } from '../actors/keys/master-key.ts'
import { parseMasterKey } from '../actors/keys/vault.ts'
import { createFile, syncFolder } from '../persistence/durable-files.ts'

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
