/** Backups that the node makes by itself. */
import cron from 'node-cron'
import type { Logger } from 'pino'
import type { Core } from './core.ts'
import type { Settings } from './settings/config.ts'

export interface BackupSchedule {
  /** Makes one now; one that is under way is waited for instead. */
  backUp(): Promise<void>
  stop(): Promise<void>
}

/** `null` where the settings name no folder, and for PostgreSQL, which has tools of its own. */
export function scheduleBackups(
  { schedule }: Settings['backups'],
  { backups }: Pick<Core, 'backups'>,
  log: Logger,
): BackupSchedule | null {
  if (backups.folder === null || backups.isServers) return null

  async function backUp(): Promise<void> {
    try {
      const { folder, orders, journal, bytes, removed } = await backups.make()
      log.info({ folder, orders, journal, bytes, removed }, 'a backup was made and verified')
    } catch (error) {
      log.error({ err: error }, 'no backup was made')
    }
  }

  // The library runs nothing whose minute it woke up behind; several that were missed are one backup.
  async function makeUp({ date }: { date: Date }): Promise<void> {
    log.warn({ due: date }, 'the minute of a backup was missed; it is made now')
    if (backups.progress() === null) await backUp()
  }

  const task = cron.schedule(schedule, backUp, { suppressMissedWarning: true })
  task.on('execution:missed', makeUp)
  return {
    backUp,
    async stop() {
      await task.destroy()
    },
  }
}
