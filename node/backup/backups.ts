/** The backups of one node: made in a thread, one at a time, in the folder of the settings. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backups, Drill, MadeBackup } from '../../actors/condition/backups.ts'
import type { Condition } from '../../actors/condition/condition.ts'
import type { Instant } from '../../machines/time.ts'
import { anchorsFileOfNode } from '../anchors-file.ts'
import { startThread } from '../packed.ts'
import type { Settings } from '../settings/config.ts'
import { type DrillTask, lastDrillIn } from './drill.ts'
import { madeAtOf, removeOldBackups } from './keep.ts'
import type { Backup, BackupTask } from './make.ts'
import { readManifest } from './manifest.ts'

export type BackupMessage = { told: string } | { backup: Backup } | { drill: Drill }
export type BackupWork = { make: BackupTask } | { drill: DrillTask }

export function createBackups(
  settings: Pick<Settings, 'database' | 'backups' | 'keys'>,
  { journalKey, condition, clock }: { journalKey: string; condition: Condition; clock: { now(): Instant } },
): Backups {
  const { database, backups, keys } = settings
  const { folder, keepDays, encryptTo } = backups
  let lastAt: Instant | null = null
  let progress: { since: Instant; told: string } | null = null
  let running: Promise<MadeBackup> | null = null
  let drilling: Promise<Drill> | null = null

  function failed(error: unknown): never {
    const why = error instanceof Error ? error.message : String(error)
    condition.send({ type: 'degrade', part: 'backups', reason: `No backup was made: ${why}` })
    throw error
  }

  async function run(at: Instant): Promise<MadeBackup> {
    if (database.engine !== 'sqlite' || folder === null) throw new Error('There is no place for backups.')
    const anchorsFile = anchorsFileOfNode(settings)
    const task: BackupTask = { database: database.file, anchorsFile, folder, journalKey, encryptTo, at }
    const result = await inThread({ make: task }, (told) => {
      progress = { since: at, told }
    })
    if (!('backup' in result)) throw new Error('The backup ended without a result.')
    const { folder: written, manifest } = result.backup
    const removed = removeOldBackups(folder, at, keepDays)
    lastAt = at
    condition.send({ type: 'recover', part: 'backups' })
    const { made, keyFingerprint, orders, journal, bytes } = manifest
    return { folder: written, made, keyFingerprint, orders, journal, bytes, removed }
  }

  async function runDrill(within: string): Promise<Drill> {
    const task: DrillTask = {
      folder: within,
      backup: null,
      keyFile: keys.file,
      identity: null,
      at: clock.now(),
    }
    const tried = await inThread({ drill: task }, () => {})
    if (!('drill' in tried)) throw new Error('The drill ended without a result.')
    const { drill } = tried
    if (drill.problem === null) condition.send({ type: 'recover', part: 'drill' })
    else {
      const reason = `${drill.backup} could not be restored: ${drill.problem}`
      condition.send({ type: 'degrade', part: 'drill', reason })
    }
    return drill
  }

  return {
    folder,
    isServers: database.engine !== 'sqlite',
    progress: () => progress,
    make() {
      if (running !== null) return running
      const at = clock.now()
      progress = { since: at, told: 'copying' }
      running = run(at)
        .catch(failed)
        .finally(() => {
          running = null
          progress = null
        })
      return running
    },
    async drill() {
      if (folder === null) throw new Error('There is no place for backups.')
      if (drilling !== null) return drilling
      drilling = runDrill(folder).finally(() => {
        drilling = null
      })
      return drilling
    },
    lastDrill: () => (folder === null ? null : lastDrillIn(folder)),
    lastAt: () => lastAt,
    async list(limit) {
      if (folder === null) return []
      const names = await readdir(folder).catch(() => [])
      return names
        .flatMap((name) => {
          const madeAt = madeAtOf(name)
          return madeAt === null ? [] : [{ name, madeAt }]
        })
        .toSorted((left, right) => right.madeAt - left.madeAt)
        .slice(0, limit)
        .flatMap((one) => {
          try {
            const { orders, bytes } = readManifest(join(folder, one.name))
            return [{ ...one, orders, bytes }]
          } catch {
            return []
          }
        })
    },
    async finish() {
      // Who asked for it is told why it failed.
      await running?.catch(() => {})
      await drilling?.catch(() => {})
    },
  }
}

/** @returns the last that the thread has told. */
async function inThread(work: BackupWork, onProgress: (told: string) => void): Promise<BackupMessage> {
  const thread = startThread('backup-worker', work)
  let result: BackupMessage | null = null
  thread.on('message', (message: BackupMessage) => {
    if ('told' in message) onProgress(message.told)
    else result = message
  })
  // Rejects with what the thread threw.
  await once(thread, 'exit')
  if (result === null) throw new Error('The backup ended without a result.')
  return result
}
