/** Backups that the node makes by itself. */
import type { Logger } from 'pino'
import type { Instant } from '../machines/time.ts'
import type { Core } from './core.ts'
import { scheduleByLocalTime } from './local-schedule.ts'
import type { Settings } from './settings/config.ts'

export interface BackupSchedule {
  /** Makes one now; one that is under way is waited for instead. */
  backUp(): Promise<void>
  stop(): void
}

/** `null` where the settings name no folder, and for PostgreSQL, which has tools of its own. */
export function scheduleBackups(
  { schedule }: Settings['backups'],
  { backups }: Pick<Core, 'backups'>,
  clock: { now(): Instant },
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

  const running = scheduleByLocalTime(schedule, clock, () => {
    if (backups.progress() === null) void backUp()
  })
  return {
    backUp,
    stop: running.stop,
  }
}
