/** How operations ask for a backup: a thread makes it, so that the node goes on serving. */
import type { Instant } from '../../machines/time.ts'

export interface KnownBackup {
  /** Its folder's name. */
  name: string
  /** When the copy was begun. */
  madeAt: Instant
  orders: number
  /** Of the copy of the database. */
  bytes: number
}

export interface MadeBackup {
  /** Its whole path. */
  folder: string
  made: string
  keyFingerprint: string
  orders: number
  /** The newest entry of the journal that is in it. */
  journal: number
  bytes: number
  /** Older ones that were removed, by name. */
  removed: string[]
}

export interface Backups {
  /** Where they are made; `null` where the settings name no place. */
  readonly folder: string | null
  /** Whether a server has the database, which has tools of its own. */
  readonly isServers: boolean
  /** How far the one under way has come; `null` while there is none. */
  progress(): { since: Instant; told: string } | null
  /** Makes one now; one that is under way is waited for instead. Rejects with why there is none. */
  make(): Promise<MadeBackup>
  /** When the last one was made, by this process; `null` before the first. */
  lastAt(): Instant | null
  /** The newest first. A folder that says nothing of itself is no backup. */
  list(limit: number): Promise<KnownBackup[]>
  /** Waits for the one under way. */
  finish(): Promise<void>
}
