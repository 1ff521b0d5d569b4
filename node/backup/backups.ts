/** The backups of one node: made in a thread, one at a time, in the folder of the settings. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backups, MadeBackup } from '../../actors/condition/backups.ts'
import type { Condition } from '../../actors/condition/condition.ts'
import type { Instant } from '../../machines/time.ts'
import { anchorsFileOfNode } from '../anchors-file.ts'
import { startThread } from '../packed.ts'
import type { Settings } from '../settings/config.ts'
import { madeAtOf, removeOldBackups } from './keep.ts'
import type { Backup, BackupTask } from './make.ts'
import { readManifest } from './manifest.ts'

export type BackupMessage = { told: string } | { backup: Backup }

export function createBackups(
  settings: Pick<Settings, 'database' | 'backups' | 'keys'>,
  { journalKey, condition, clock }: { journalKey: string; condition: Condition; clock: { now(): Instant } },
): Backups {
  const { database, backups } = settings
  const { folder, keepDays, encryptTo } = backups
  let lastAt: Instant | null = null
  let progress: { since: Instant; told: string } | null = null
  let running: Promise<MadeBackup> | null = null

  function failed(error: unknown): never {
    const why = error instanceof Error ? error.message : String(error)
    condition.send({ type: 'degrade', part: 'backups', reason: `No backup was made: ${why}` })
    throw error
  }

  async function run(at: Instant): Promise<MadeBackup> {
    if (database.engine !== 'sqlite' || folder === null) throw new Error('There is no place for backups.')
    const anchorsFile = anchorsFileOfNode(settings)
    const task: BackupTask = { database: database.file, anchorsFile, folder, journalKey, encryptTo, at }
    const { folder: written, manifest } = await inThread(task, (told) => {
      progress = { since: at, told }
    })
    const removed = removeOldBackups(folder, at, keepDays)
    lastAt = at
    condition.send({ type: 'recover', part: 'backups' })
    const { made, keyFingerprint, orders, journal, bytes } = manifest
    return { folder: written, made, keyFingerprint, orders, journal, bytes, removed }
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
    },
  }
}

async function inThread(task: BackupTask, onProgress: (told: string) => void): Promise<Backup> {
  const thread = startThread('backup-worker', task)
  let made: Backup | null = null
  thread.on('message', (message: BackupMessage) => {
    if ('backup' in message) made = message.backup
    else onProgress(message.told)
  })
  // Rejects with what the thread threw.
  await once(thread, 'exit')
  if (made === null) throw new Error('The backup ended without a result.')
  return made
}
