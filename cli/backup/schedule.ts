/** Backups that the node makes by itself, in a thread. */
import { once } from 'node:events'
import cron from 'node-cron'
import type { Logger } from 'pino'
import type { Instant } from '../../machines/time.ts'
import { anchorsFileOfNode } from '../anchors-file.ts'
import type { Settings } from '../config.ts'
import type { Core } from '../core.ts'
import { startThread } from '../packed.ts'
import { removeOldBackups } from './keep.ts'
import type { Backup, BackupTask } from './make.ts'

export interface BackupSchedule {
  /** Makes one now; one that is under way is waited for instead. */
  backUp(): Promise<void>
  /** When the last one was made, by this process; `null` before the first. */
  lastAt(): Instant | null
  stop(): Promise<void>
}

/** `null` where the settings name no folder, and for PostgreSQL, which has tools of its own. */
export function scheduleBackups(
  settings: Settings,
  { condition, journalKey }: Pick<Core, 'condition' | 'journalKey'>,
  { clock, log }: { clock: { now(): Instant }; log: Logger },
): BackupSchedule | null {
  const { database, backups } = settings
  const { folder, keepDays } = backups
  if (folder === null || database.engine !== 'sqlite') return null
  const { file } = database
  let lastAt: Instant | null = null
  let running: Promise<void> | null = null

  async function make(target: string): Promise<void> {
    const at = clock.now()
    const task: BackupTask = {
      database: file,
      anchorsFile: anchorsFileOfNode(settings),
      folder: target,
      journalKey,
      at,
    }
    try {
      const made = await inThread(task)
      const removed = removeOldBackups(target, at, keepDays)
      lastAt = at
      const { orders, journal, bytes } = made.manifest
      log.info({ folder: made.folder, orders, journal, bytes, removed }, 'a backup was made and verified')
      condition.send({ type: 'recover', part: 'backups' })
    } catch (error) {
      log.error({ err: error }, 'no backup was made')
      const why = error instanceof Error ? error.message : String(error)
      condition.send({ type: 'degrade', part: 'backups', reason: `No backup was made: ${why}` })
    }
  }

  function backUp(): Promise<void> {
    running ??= make(target).finally(() => {
      running = null
    })
    return running
  }

  const target = folder
  const task = cron.schedule(backups.schedule, backUp)
  return {
    backUp,
    lastAt: () => lastAt,
    async stop() {
      await task.destroy()
      await running
    },
  }
}

async function inThread(task: BackupTask): Promise<Backup> {
  const thread = startThread('backup-worker', task)
  let made: Backup | null = null
  thread.on('message', (message: Backup) => {
    made = message
  })
  // Rejects with what the thread threw.
  await once(thread, 'exit')
  if (made === null) throw new Error('The backup ended without a result.')
  return made
}
