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

/** What came of practising a restoration. */
export interface Drill {
  /** When it began, ISO 8601. */
  at: string
  /** The backup's name. */
  backup: string
  ok: boolean
  /** Whether it was restored and verified; of an encrypted one without its identity the digests alone were looked at. */
  isOpened: boolean
  /** What it holds; `null` where that was not found out. */
  orders: number | null
  journal: number | null
  /** Orders that were not final: they would have to be asked about. */
  quarantined: number | null
  /** How long a restoration takes. */
  seconds: number
  problem: string | null
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
  /** Restores the newest into a folder that is thrown away. Resolves also with what is wrong with it. */
  drill(): Promise<Drill>
  /** What came of the last one, whoever had it done; `null` before the first. */
  lastDrill(): Drill | null
  /** When the last one was made, by this process; `null` before the first. */
  lastAt(): Instant | null
  /** The newest first. A folder that says nothing of itself is no backup. */
  list(limit: number): Promise<KnownBackup[]>
  /** Waits for the one under way. */
  finish(): Promise<void>
}
