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

/** A look costs some microseconds, and so many commits do not write many pages. */
const commitsPerLook = 8
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
  #commits = 0
  #due: number
  #running: Promise<void> | null = null
  #isClosed = false

  /** @param endReading ends what only reads on this connection: inside of it nothing can be moved. */
  constructor(
    { database, file, endReading }: { database: Connection; file: string; endReading: () => void },
    { start, pages = logPages }: CheckpointOptions,
  ) {
    this.#database = database
    this.#checkpointer = start(file)
    this.#endReading = endReading
    this.#pages = pages
    this.#due = pages
    database.pragma('wal_autocheckpoint = 0')
    this.#state = database.prepare('PRAGMA wal_checkpoint(NOOP)')
  }

  /** To be called after each commit. */
  committed(): void {
    if (this.#running !== null || this.#isClosed) return
    this.#commits += 1
    if (this.#commits < commitsPerLook) return
    this.#commits = 0
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
      const found = this.#look()
      if (found < this.#due) return
      // If this fails, or somebody reads an older state, only what is written from here on is worth another attempt.
      this.#due = found + this.#pages
      if (await this.#moveMost()) this.#moveRest()
      this.#due = this.#look() + this.#pages
    } catch (error) {
      // Nothing is lost: what is not moved is read from the log.
      warn(error)
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
        if (this.#look() <= this.#pages / 4) return true
        if (!isAllMoved || round === maxRounds) return isAllMoved
      }
    } catch (error) {
      warn(error)
      return true
    }
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
