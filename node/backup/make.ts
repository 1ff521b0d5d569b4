/**
 * Makes a backup: the database as of one moment and the anchors it fulfils, in a folder of its own, verified before it
 * has its name. It reads beside the node, which goes on serving.
 */
import { copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { masterKeyFact } from '../../actors/keys/node-secrets.ts'
import { type Verification, verify } from '../../actors/verification/verify.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import programPackage from '../../package.json' with { type: 'json' }
import { makeFolder, syncFolder } from '../../persistence/durable-files.ts'
import { copySqliteDatabase, openReader } from '../../persistence/index.ts'
import { readLines } from '../../persistence/line-log.ts'
import { journalEnd } from '../../persistence/queries/anchors.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { orderCount } from '../../persistence/queries/verification.ts'
import type { Reader } from '../../persistence/store.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { beginBackupDraft, removeLeftDrafts } from './drafts.ts'
import { type BackupManifest, backupFiles, digestOf, manifestFile } from './manifest.ts'

export interface BackupTask {
  /** The database's file. */
  database: string
  anchorsFile: string
  /** Where the folder of this backup is made. */
  folder: string
  /** Opens the journal's chain, so that the copy can be verified. */
  journalKey: string
  /** The age recipients it is encrypted to; none where it is not. */
  encryptTo: readonly string[]
  at: Instant
}

export interface Backup {
  folder: string
  manifest: BackupManifest
  /** Of the copy; it holds, or there would be no backup. */
  verification: Verification
}

/** @throws CommandError when the copy does not verify: then nothing is left of it. */
export async function makeBackup(
  task: BackupTask,
  onProgress: (text: string) => void = () => {},
): Promise<Backup> {
  const name = `ventanilla-${formatInstant(task.at).replaceAll(/[:.]/g, '-')}`
  const folder = join(task.folder, name)
  makeFolder(task.folder)
  removeLeftDrafts(task.folder)
  if (existsSync(folder)) throw new CommandError(exitCodes.failure, `${folder} is there already.`)
  const { folder: draft, end } = beginBackupDraft(task.folder, name)
  try {
    const database = join(draft, backupFiles.database)
    const anchors = join(draft, backupFiles.anchors)
    // The anchors first: a copy may be newer than they are, never older.
    if (existsSync(task.anchorsFile)) copyFileSync(task.anchorsFile, anchors)
    else writeFileSync(anchors, '', { mode: 0o600 })
    copySqliteDatabase(task.database, database)
    onProgress(`copied ${Math.ceil(statSync(database).size / 1024)} KiB`)
    const reader = await openReader(`sqlite:${database}`)
    try {
      const verification = await verify({
        reader,
        journalKey: task.journalKey,
        anchors: readLines(anchors),
        onProgress: (done, total) => onProgress(`verified ${done} of ${total} orders`),
      })
      if (!verification.ok) throw damaged(verification)
      const known = await contentsOf(reader)
      const { size: bytes } = statSync(database)
      await reader.close()
      if (task.encryptTo.length > 0) onProgress('encrypting')
      const files = await seal({ database, anchors }, task.encryptTo)
      const digests = { database: await digestOf(files.database), anchors: await digestOf(files.anchors) }
      const { version } = programPackage
      const made = formatInstant(task.at)
      const encrypted = task.encryptTo.length === 0 ? {} : { encryptedTo: [...task.encryptTo] }
      const manifest: BackupManifest = { format: 1, made, version, ...known, bytes, ...encrypted, digests }
      const text = `${JSON.stringify(manifest, null, 2)}\n`
      writeFileSync(join(draft, manifestFile), text, { mode: 0o600, flush: true })
      syncFolder(draft)
      renameSync(draft, folder)
      syncFolder(task.folder)
      return { folder, manifest, verification }
    } finally {
      await reader.close()
    }
  } finally {
    end()
  }
}

function damaged({ checks }: Verification): CommandError {
  const found = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
  return new CommandError(
    exitCodes.database,
    `The copy does not verify, so there is no backup: ${found.join('; ')}.`,
    'The database itself is damaged: run `ventanilla verify`, and keep the backups you have.',
  )
}

type Files = Record<keyof typeof backupFiles, string>

/** Encrypted, what is not is removed: only now, because it had to be verified. */
async function seal(files: Files, recipients: readonly string[]): Promise<Files> {
  if (recipients.length === 0) return files
  // Loaded only here: most backups are not encrypted.
  const { encryptFile } = await import('./encryption.ts')
  const sealed = {
    database: await encryptFile(files.database, recipients),
    anchors: await encryptFile(files.anchors, recipients),
  }
  for (const file of Object.values(files)) rmSync(file)
  return sealed
}

type Contents = Pick<BackupManifest, 'orders' | 'journal' | 'keyFingerprint'>

async function contentsOf(reader: Reader): Promise<Contents> {
  return reader.snapshot(async (query) => {
    const [counted] = await query(orderCount, {})
    const [newest] = await query(journalEnd, {})
    const [fingerprint] = await query(factByName, { name: masterKeyFact })
    return {
      keyFingerprint: fingerprint?.value ?? '',
      orders: Number(counted?.orders ?? 0),
      journal: Number(newest?.position ?? 0),
    }
  })
}
