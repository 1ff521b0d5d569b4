/**
 * Moves the log into the database (a checkpoint) beside the thread that writes.
 *
 * SQLite by itself does it in whichever commit makes the log long enough: thousands of pages are copied and synced
 * while every step waits. Here another thread copies and syncs most of them, while commits go on, and the writing thread
 * only the few that came meanwhile: then nothing is left in the log, and the next commit begins it anew.
 */
import type Database from 'better-sqlite3'
import { type Connection, logPages } from './database.ts'

/** A thread with a connection of its own; started when it is first needed. */
export interface Checkpointer {
  /**
   * Moves what it can. Resolves with whether nobody read an older state, so that all that was in the log is moved.
   * Rejects with what went wrong: nothing is lost by it.
   */
  checkpoint(): Promise<boolean>
  close(): Promise<void>
}

export interface CheckpointPlace {
  database: Connection
  file: string
  /** Ends what only reads on this connection: inside of it nothing can be moved. */
  endReading: () => void
  /** The disk is so full that nobody may wait for a thread. */
  isUrgent: () => boolean
}

export interface CheckpointOptions {
  start: (file: string) => Checkpointer
  /** So many pages in the log are moved; 2000 unless said otherwise. */
  pages?: number
}

interface LogState {
  /** Pages in the log, and how many of them are in the database too. */
  log: bigint
  checkpointed: bigint
}

/** After so many attempts to catch up with the commits, they wait for the rest: a log must not grow for ever. */
const maxRounds = 3

/** The thread's part. Returns whether all that was in the log is moved. */
export function moveLog(database: Connection): boolean {
  const [moved] = database.pragma('wal_checkpoint(PASSIVE)') as (LogState & { busy: bigint })[]
  return moved?.busy === 0n && moved.checkpointed === moved.log
}

export class Checkpoints {
  readonly #database: Connection
  readonly #checkpointer: Checkpointer
  readonly #pages: number
  readonly #endReading: () => void
  readonly #state: Database.Statement<[], LogState>
  readonly #isUrgent: () => boolean
  #due: number
  #running: Promise<void> | null = null
  #isClosed = false
  /** What the last attempt failed with: it is told once, however often it comes. */
  #told: string | null = null

  constructor(place: CheckpointPlace, { start, pages = logPages }: CheckpointOptions) {
    this.#database = place.database
    this.#endReading = place.endReading
    this.#isUrgent = place.isUrgent
    this.#checkpointer = start(place.file)
    this.#pages = pages
    this.#due = pages
    this.#database.pragma('wal_autocheckpoint = 0')
    this.#state = this.#database.prepare('PRAGMA wal_checkpoint(NOOP)')
  }

  /** To be called after each commit. */
  committed(): void {
    if (this.#running !== null || this.#isClosed) return
    this.#running = this.#moveWhenDue().finally(() => {
      this.#running = null
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
    await this.#checkpointer.close()
  }

  async #moveWhenDue(): Promise<void> {
    try {
      if (this.#look() < this.#due) return
      if (this.#isUrgent() || (await this.#moveMost())) this.#moveRest()
      // While somebody reads an older state, only what is written from here on is worth another attempt.
      this.#due = this.#look() + this.#pages
    } catch (error) {
      // Nothing is lost: what is not moved is read from the log.
      this.#warn(error)
    }
  }

  /** Pages in the log that are not in the database yet. */
  #look(): number {
    this.#endReading()
    const { log = 0n, checkpointed = 0n } = this.#state.get() ?? {}
    return Number(log - checkpointed)
  }

  #moveRest(): void {
    this.#endReading()
    moveLog(this.#database)
  }

  /** Returns whether the rest can be moved; all of it is, where the thread fails. */
  async #moveMost(): Promise<boolean> {
    try {
      for (let round = 1; ; round++) {
        const isAllMoved = await this.#checkpointer.checkpoint()
        this.#told = null
        if (this.#look() <= this.#pages / 4) return true
        if (!isAllMoved || round === maxRounds) return isAllMoved
      }
    } catch (error) {
      this.#warn(error)
      return true
    }
  }

  #warn(error: unknown): void {
    const warning = error instanceof Error ? error : new Error(String(error))
    if (warning.message !== this.#told) process.emitWarning(warning)
    this.#told = warning.message
  }
}
