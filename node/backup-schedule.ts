/** Backups that the node makes by itself. */
import type { Logger } from 'pino'
import type { Instant } from '../machines/time.ts'
import type { Core } from './core.ts'
import { scheduleByLocalTime } from './local-schedule.ts'
import type { Settings } from './settings/config.ts'

/** A week, less what one night's backup takes longer than another's. */
const drillEveryMs = 7 * 86_400_000 - 3_600_000

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
    await make()
    await drillWhenDue()
  }

  async function make(): Promise<void> {
    try {
      const { folder, orders, journal, bytes, removed } = await backups.make()
      log.info({ folder, orders, journal, bytes, removed }, 'a backup was made and verified')
    } catch (error) {
      log.error({ err: error }, 'no backup was made')
    }
  }

  /** After a backup, so that it is the newest that is tried; a node that was killed meanwhile tries the next one. */
  async function drillWhenDue(): Promise<void> {
    const last = backups.lastDrill()
    if (last?.ok && clock.now() - Date.parse(last.at) < drillEveryMs) return
    try {
      const { backup, problem, ...found } = await backups.drill()
      if (problem === null) log.info({ backup, ...found }, 'a backup was restored to try it')
      else log.error({ backup, problem }, 'a backup could not be restored')
    } catch (error) {
      log.error({ err: error }, 'no backup was tried')
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
