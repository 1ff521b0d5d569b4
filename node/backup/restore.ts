/**
 * Puts a backup in the place of a database that is gone.
 *
 * What happened after the backup is not known any more: a shop may have handed out cash. So every order that was not
 * final is quarantined, and nothing is sent, until a person has decided.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAnchor } from '../../actors/anchors/anchor.ts'
import { keptAs } from '../../actors/anchors/anchoring.ts'
import { recordLostApprovals } from '../../actors/anchors/approval-numbers.ts'
import { recordLostClaims } from '../../actors/anchors/lost-claims.ts'
import { recordLostPayments } from '../../actors/anchors/lost-payments.ts'
import { closedNumbers, recordLostStatements } from '../../actors/anchors/lost-statements.ts'
import { quarantine } from '../../actors/anchors/restore-watch.ts'
import { readJournalKey } from '../../actors/keys/node-secrets.ts'
import { createVault, parseMasterKey, type Vault, VaultError } from '../../actors/keys/vault.ts'
import { readKeptClock } from '../../actors/sandbox/kept-clock.ts'
import { type Verification, verify } from '../../actors/verification/verify.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { makeFolder, syncFolder } from '../../persistence/durable-files.ts'
import { lockDatabase, openReader, openStore } from '../../persistence/index.ts'
import { LineLog, readLines } from '../../persistence/line-log.ts'
import { anchorsFileOf } from '../anchors-file.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { beginRestoreDraft, removeLeftDrafts } from './drafts.ts'
import { type BackupManifest, backupFiles, digestOf, fileOf, readManifest } from './manifest.ts'

export interface RestoreTask {
  /** The backup's folder. */
  folder: string
  /** Where the database is to be. */
  database: string
  keyFile: string
  /** The file with the age identity of an encrypted backup. */
  identity: string | null
  clock: { now(): Instant }
}

export interface Restored {
  database: string
  manifest: BackupManifest
  verification: Verification
  /** Orders that were not final in the backup. */
  quarantined: number
  /** Merchants whose webhooks wait until `webhook resume`. */
  paused: number
  /** What the anchors that lay in the place tell of the time after the backup; `null` where there were none. */
  lost: { entries: number; until: string } | null
  /** Where those anchors are now. */
  oldAnchors: string | null
}

/** @throws CommandError; then nothing was changed. */
export async function restore(task: RestoreTask): Promise<Restored> {
  const { database, clock } = task
  const { manifest, vault } = open(task)
  assertFree(database)
  await assertWhole(task.folder, manifest)
  makeFolder(dirname(database))
  removeLeftDrafts(dirname(database))
  const { folder: draftFolder, end } = beginRestoreDraft(dirname(database))
  try {
    const { draft, draftAnchors, verification } = await bringAll(task, manifest, vault, draftFolder)
    const changed = await setAside(draft, clock, anchorsFileOf(database))
    const { lost, oldAnchors } = await setAsideAnchors(database, manifest, clock.now())
    // What a database that is gone has left would be taken for this one's log.
    for (const stale of [`${database}-wal`, `${database}-shm`]) rmSync(stale, { force: true })
    copyFileSync(draftAnchors, anchorsFileOf(database))
    putInPlace(draft, database)
    return { database, manifest, verification, ...changed, lost, oldAnchors }
  } finally {
    end()
  }
}

/**
 * All of a restoration but its end: nothing is put into a place, and nothing of it is left.
 * @param within the folder in which the backup is opened
 * @throws CommandError where a restoration would end
 */
export async function tryRestore(
  task: Omit<RestoreTask, 'database'>,
  within: string,
): Promise<Pick<Restored, 'manifest' | 'verification' | 'quarantined' | 'paused'>> {
  const { manifest, vault } = open(task)
  await assertWhole(task.folder, manifest)
  removeLeftDrafts(within)
  const { folder: draftFolder, end } = beginRestoreDraft(within)
  try {
    const { draft, draftAnchors, verification } = await bringAll(task, manifest, vault, draftFolder)
    const changed = await setAside(draft, task.clock, draftAnchors)
    return { manifest, verification, ...changed }
  } finally {
    end()
  }
}

type OpenTask = Omit<RestoreTask, 'database'>

function open({ folder, keyFile }: OpenTask): { manifest: BackupManifest; vault: Vault } {
  const manifest = readManifest(folder)
  const vault = openVault(keyFile)
  if (vault.fingerprint === manifest.keyFingerprint) return { manifest, vault }
  throw new CommandError(
    exitCodes.key,
    `${keyFile}: this backup was made under master key ${manifest.keyFingerprint}, not ${vault.fingerprint}.`,
    'Set keys.file to the key of that time; `key rewrap` changes it afterwards.',
  )
}

/** Into a draft's folder, and verified there. */
async function bringAll(
  task: OpenTask,
  manifest: BackupManifest,
  vault: Vault,
  draftFolder: string,
): Promise<{ draft: string; draftAnchors: string; verification: Verification }> {
  const draft = join(draftFolder, backupFiles.database)
  const draftAnchors = join(draftFolder, backupFiles.anchors)
  await bring(task, manifest, 'database', draft)
  await bring(task, manifest, 'anchors', draftAnchors)
  return { draft, draftAnchors, verification: await verifyCopy(draft, draftAnchors, vault) }
}

/**
 * By its lock, so that no node makes a database there meanwhile. It is never there under two names: killed between a link and the end of
 * the draft's name, it would be refused at every start.
 */
function putInPlace(draft: string, database: string): void {
  const lock = lockDatabase(database)
  try {
    assertFree(database)
    renameSync(draft, database)
    syncFolder(dirname(database))
  } finally {
    lock.release()
  }
}

function openVault(keyFile: string): Vault {
  try {
    return createVault(parseMasterKey(readFileSync(keyFile)))
  } catch (error) {
    const cause = error instanceof VaultError ? error.message : `It cannot be read: ${String(error)}.`
    const hint = 'A backup holds no master key: use the copy that you keep elsewhere.'
    throw new CommandError(exitCodes.key, `${keyFile}: ${cause}`, hint, { cause: error })
  }
}

function assertFree(database: string): void {
  if (!existsSync(database)) return
  throw new CommandError(
    exitCodes.database,
    `database ${database}: it exists, and a restore overwrites nothing.`,
    'Stop the node and move the database away with its -wal and -shm, or name another one with `database`.',
  )
}

type Part = keyof typeof backupFiles

async function bring(
  { folder, identity }: OpenTask,
  { encryptedTo }: BackupManifest,
  part: Part,
  target: string,
): Promise<void> {
  if (encryptedTo === undefined) return copyFileSync(fileOf(folder, part, false), target)
  if (identity === null) {
    const hint = 'Name the file with your identity: restore FOLDER --identity FILE.'
    throw new CommandError(exitCodes.key, `${folder}: it is encrypted to ${encryptedTo.join(', ')}.`, hint)
  }
  const { decryptFile } = await import('./encryption.ts')
  await decryptFile(fileOf(folder, part, true), target, identity)
}

/** @throws CommandError where a file is not as its manifest says. */
export async function assertWhole(folder: string, { digests, encryptedTo }: BackupManifest): Promise<void> {
  for (const part of ['database', 'anchors'] as const) {
    const file = fileOf(folder, part, encryptedTo !== undefined)
    if (existsSync(file) && (await digestOf(file)) === digests[part]) continue
    const hint = 'Take another backup, or another copy of this one.'
    throw new CommandError(exitCodes.database, `${file}: it has changed since it was written.`, hint)
  }
}

async function verifyCopy(draft: string, anchors: string, vault: Vault): Promise<Verification> {
  const reader = await openReader(`sqlite:${draft}`)
  try {
    const journalKey = await readJournalKey(reader, vault)
    const verification = await verify({ reader, journalKey, anchors: readLines(anchors) })
    if (verification.ok) return verification
    const found = verification.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
    throw new CommandError(
      exitCodes.database,
      `The backup does not verify: ${found.join('; ')}.`,
      'Take an older one.',
    )
  } finally {
    await reader.close()
  }
}

/** Brings it to this version's tables, too: opening a store does. */
async function setAside(
  draft: string,
  clock: RestoreTask['clock'],
  anchorsFile: string,
): Promise<{ quarantined: number; paused: number }> {
  const store = await openStore(`sqlite:${draft}`, { clock, ballastBytes: 0 })
  try {
    // On the clock of a sandbox as the backup has it.
    const at = clock.now() + ((await readKeptClock(store)).spans.at(-1)?.aheadMs ?? 0)
    const { orders, merchants } = await quarantine(store, at)
    // Statements that the database which is gone has told of: their numbers are never given again.
    if (existsSync(anchorsFile)) {
      await recordLostStatements(store, await closedNumbers(readLines(anchorsFile)), at)
      // And payments that it has ordered: they are not simply paid again.
      await recordLostPayments(store, readLines(anchorsFile), at)
      // Claims, too, that it has opened or decided.
      await recordLostClaims(store, readLines(anchorsFile), at)
      await recordLostApprovals(store, readLines(anchorsFile), at)
    }
    return { quarantined: orders, paused: merchants }
  } finally {
    await store.close()
  }
}

/** The anchors in the place are of the database that is gone, and know how far it went. */
async function setAsideAnchors(
  database: string,
  { journal }: BackupManifest,
  now: Instant,
): Promise<Pick<Restored, 'lost' | 'oldAnchors'>> {
  const file = anchorsFileOf(database)
  if (!existsSync(file)) return { lost: null, oldAnchors: null }
  const log = new LineLog(file)
  const [line = ''] = await log.last(1)
  await log.close()
  const newest = parseAnchor(line)
  const oldAnchors = keptAs(file, now)
  renameSync(file, oldAnchors)
  const entries = newest === null ? 0 : Math.max(0, newest.position - journal)
  return { lost: newest === null ? null : { entries, until: formatInstant(newest.at) }, oldAnchors }
}
