/** Backups: when there is one, and one more now. */

import { formatInstant } from '../../machines/time.ts'
import { worldNow } from '../foundation/clock.ts'
import type { OperationContext } from '../foundation/operation.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import type { Backups, Drill, MadeBackup } from './backups.ts'

/** What the operations on backups need of the node. */
export interface BackupContext extends OperationContext {
  backups: Backups
}

const mostListed = 10

export interface BackupList {
  /** Where the node makes them; `null` where it makes none. */
  folder: string | null
  /** The one that is being made. */
  running: { since: string; told: string } | null
  /** The newest first, at most ten. None has its name before everything `verify` checks was found to hold in it. */
  backups: { name: string; made: string; ageSeconds: number; bytes: number; orders: number; verified: true }[]
}

export const backupList = defineOperation({
  name: 'backup.list',
  summary: 'List the newest backups in the configured folder, and the progress of a running one.',
  fields: {},
  isRead: true,
  async run({ backups, clock }: BackupContext): Promise<BackupList> {
    const now = worldNow(clock)
    const running = backups.progress()
    const known = await backups.list(mostListed)
    return {
      folder: backups.folder,
      running: running && { since: formatInstant(running.since), told: running.told },
      backups: known.map(({ name, madeAt, bytes, orders }) => ({
        name,
        made: formatInstant(madeAt),
        ageSeconds: Math.max(0, Math.round((now - madeAt) / 1000)),
        bytes,
        orders,
        verified: true,
      })),
    }
  },
})

/** It takes no path: whoever has an operator's password must not have files written where they like. */
export const backupMake = defineOperation({
  name: 'backup.make',
  summary: 'Make and verify a backup now, in the configured folder, while the node serves.',
  done: 'A backup was made and verified.',
  fields: {},
  isRead: false,
  concluded: ({ folder, orders }: MadeBackup) => `${folder}, ${orders} orders`,
  async run({ backups }: BackupContext): Promise<MadeBackup> {
    refuseWhereNone(backups)
    const running = backups.progress()
    if (running !== null) {
      const since = formatInstant(running.since)
      throw new OperationError('refused', `A backup is being made since ${since}: ${running.told}.`, {
        hint: 'Wait for it: backup --list shows its progress.',
      })
    }
    try {
      return await backups.make()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new OperationError('refused', `No backup was made: ${why}`, {
        hint: 'Nothing of it was kept. Check the disk of backups.folder, and run `ventanilla verify`.',
      })
    }
  },
})

/** It takes neither a path nor an identity: `backup drill` has both, where the command is run. */
export const backupDrill = defineOperation({
  name: 'backup.drill',
  summary:
    'Practise a restoration: restore the newest backup into a folder that is thrown away, and verify it.',
  done: 'The newest backup was restored and thrown away.',
  fields: {},
  isRead: false,
  concluded: ({ backup, ok }: Drill) => `${backup}, ${ok ? 'ok' : 'not ok'}`,
  async run({ backups }: BackupContext): Promise<Drill> {
    refuseWhereNone(backups)
    try {
      return await backups.drill()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new OperationError('refused', `No backup was tried: ${why}`, {
        hint: '`ventanilla backup --list` shows which there are; `ventanilla backup` makes one.',
      })
    }
  },
})

function refuseWhereNone({ isServers, folder }: BackupContext['backups']): void {
  if (isServers) {
    throw new OperationError('refused', 'A PostgreSQL database is backed up and restored by its own tools.', {
      hint: 'Use pg_dump or continuous archiving, and keep the master key and the settings with the backup.',
    })
  }
  if (folder === null) {
    throw new OperationError('refused', 'No backup folder is configured.', {
      hint: 'Set backups.folder and start the node again, or name a folder: ventanilla backup FOLDER.',
    })
  }
}
