/** What goes wrong with backups, and with trying them, for the doctor's test. */
import { backupsWith, type Case, dayMs, degraded, surroundings } from './doctor-world.ts'

const drilled = {
  at: '2026-03-01T00:00:00.000Z',
  backup: 'ventanilla-1',
  ok: true,
  isOpened: true,
  orders: 1,
  journal: 1,
  quarantined: 0,
  seconds: 1,
  problem: null,
}

export const backupCases: Case[] = [
  {
    when: 'production makes no backups',
    change: async () => surroundings({ mode: 'production' }),
    check: 'backups',
    sees: /the settings name no place/,
    says: /Set backups\.folder/,
  },
  {
    when: 'there is no backup yet',
    change: async () => ({ backups: backupsWith({}) }),
    check: 'backups',
    sees: /^none is in \/backups$/,
    says: /`ventanilla backup` makes one now/,
  },
  {
    when: 'the last backup failed',
    change: async () => ({
      backups: backupsWith({}),
      condition: degraded('backups', 'No backup was made: ENOSPC'),
    }),
    check: 'backups',
    sees: /^No backup was made: ENOSPC$/,
    says: /the log and the disk/,
  },
  {
    when: 'the newest backup is older than two by schedule',
    change: async ({ clock }) => {
      const madeAt = clock.now() - 2 * dayMs - 1
      const one = { name: 'ventanilla-1', madeAt, orders: 1, bytes: 1 }
      return { backups: backupsWith({ list: async () => [one] }) }
    },
    check: 'backups',
    sees: /^the newest is of 2026-02-27T11:59:59\.999Z, older than two by schedule$/,
    says: /`ventanilla backup`/,
  },
  {
    when: 'the last backup that was tried could not be restored',
    change: async () => ({
      backups: backupsWith({ lastDrill: () => ({ ...drilled, ok: false, problem: 'It is damaged.' }) }),
    }),
    check: 'drill',
    sees: /^ventanilla-1 could not be restored: It is damaged\.$/,
    says: /keep those from before/,
  },
  {
    when: 'no backup was tried for more than a week',
    change: async ({ clock }) => {
      const at = new Date(clock.now() - 10 * dayMs - 1).toISOString()
      return { backups: backupsWith({ lastDrill: () => ({ ...drilled, at }) }) }
    },
    check: 'drill',
    sees: /^ventanilla-1 was restored and verified in 1 s, and none was tried since 2026-/,
    says: /`ventanilla backup drill`/,
  },
]
