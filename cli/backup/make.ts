/**
 * Makes a backup: the database as of one moment and the anchors it fulfils, in a folder of its own, verified before it
 * has its name. It reads beside the node, which goes on serving.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
import { type BackupManifest, backupFiles, digestOf, manifestFile } from './manifest.ts'

export interface BackupTask {
  /** The database's file. */
  database: string
  anchorsFile: string
  /** Where the folder of this backup is made. */
  folder: string
  /** Opens the journal's chain, so that the copy can be verified. */
  journalKey: string
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
  const [folder, draft] = [join(task.folder, name), join(task.folder, `.${name}.draft`)]
  if (existsSync(folder)) throw new CommandError(exitCodes.failure, `${folder} is there already.`)
  makeFolder(task.folder)
  mkdirSync(draft, { mode: 0o700 })
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
      const manifest = await describe(reader, task.at, { database, anchors })
      const text = `${JSON.stringify(manifest, null, 2)}\n`
      writeFileSync(join(draft, manifestFile), text, { mode: 0o600, flush: true })
      syncFolder(draft)
      renameSync(draft, folder)
      syncFolder(task.folder)
      return { folder, manifest, verification }
    } finally {
      await reader.close()
    }
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

function damaged({ checks }: Verification): CommandError {
  const found = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
  return new CommandError(
    exitCodes.database,
    `The copy does not verify, so there is no backup: ${found.join('; ')}.`,
    'The database itself is damaged: look at `ventanilla verify`, and keep the backups you have.',
  )
}

async function describe(
  reader: Reader,
  at: Instant,
  files: Record<keyof typeof backupFiles, string>,
): Promise<BackupManifest> {
  const { orders, journal, keyFingerprint } = await reader.snapshot(async (query) => {
    const [counted] = await query(orderCount, {})
    const [newest] = await query(journalEnd, {})
    const [fingerprint] = await query(factByName, { name: masterKeyFact })
    return {
      orders: Number(counted?.orders ?? 0),
      journal: Number(newest?.position ?? 0),
      keyFingerprint: fingerprint?.value ?? '',
    }
  })
  const digests = { database: await digestOf(files.database), anchors: await digestOf(files.anchors) }
  const { size: bytes } = statSync(files.database)
  const { version } = programPackage
  return { format: 1, made: formatInstant(at), version, keyFingerprint, orders, journal, bytes, digests }
}
