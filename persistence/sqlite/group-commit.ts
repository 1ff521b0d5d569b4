/**
 * Group commit: work that arrives together runs in one transaction, and is answered after its commit, because
 * what a commit costs is the wait for the disk.
 *
 * Each piece of work is alone all the same: what it writes is undone without the others when it fails. A savepoint
 * for each would make SQLite copy every page before it changes, so there are none at first; when something has to be
 * undone, all of it is, and the batch runs again with them.
 */
import { OutcomeUnknown, StoreUnavailable } from '../store.ts'
import { isFatal, isFull } from './errors.ts'
import type { Transactions } from './transactions.ts'

/** Runs what writes; all of it is undone when it throws. */
export type Writing = <Result>(writes: () => Result) => Result

export interface Work<Answer> {
  /** Whether it has to go on while the disk is full; true unless said otherwise. */
  isEssential?: boolean
  /** May run more than once: again after a rollback of the transaction it was in. */
  run(write: Writing): Answer
  /** After the commit, before the caller goes on. */
  committed?(): void
}

export interface CommitStatistics {
  /** Transactions that wrote something. */
  commits: number
  /** Pieces of work that were answered. */
  steps: number
  /** The most pieces of work in one transaction. */
  largestBatch: number
}

export const maxBatch = 64

interface Job {
  isEssential: boolean
  run(write: Writing): void
  committed(): void
  reject(error: unknown): void
}

export interface CommitQueueOptions {
  transactions: Transactions
  /** The most pieces of work in one transaction, 1 to 64. */
  batch: number
  /** Called once, with what made further work impossible. */
  onFailure: (error: Error) => void
  /** Called when the disk is full; true when there is room now, so that the work can run again. */
  makeRoom: (isEssential: boolean) => boolean
  /** Called after each transaction that wrote something. */
  onCommit: () => void
}

export class CommitQueue {
  readonly statistics: CommitStatistics = { commits: 0, steps: 0, largestBatch: 0 }
  readonly #transactions: Transactions
  readonly #batch: number
  readonly #onFailure: (error: Error) => void
  readonly #makeRoom: (isEssential: boolean) => boolean
  readonly #onCommit: () => void
  readonly #jobs: Job[] = []
  readonly #whenIdle: (() => void)[] = []
  #scheduled = false
  #running = false
  #wrote = false
  /** What is written is preceded by a savepoint. */
  #isGuarded = false
  /** Something was written in part, without a savepoint before it. */
  #isTorn = false
  #failure: Error | null = null

  constructor(options: CommitQueueOptions) {
    this.#transactions = options.transactions
    this.#batch = options.batch
    this.#onFailure = options.onFailure
    this.#makeRoom = options.makeRoom
    this.#onCommit = options.onCommit
  }

  /** True while work runs inside a transaction. */
  get running(): boolean {
    return this.#running
  }

  /** What made further work impossible. */
  get failure(): Error | null {
    return this.#failure
  }

  add<Answer>(work: Work<Answer>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      let answer: { value: Answer } | null = null
      this.#jobs.push({
        isEssential: work.isEssential ?? true,
        run: (write) => {
          answer = { value: work.run(write) }
        },
        committed: () => {
          work.committed?.()
          if (answer) resolve(answer.value)
        },
        reject,
      })
      this.#schedule()
    })
  }

  /** Resolves once nothing waits or runs. */
  idle(): Promise<void> {
    return this.#scheduled ? new Promise((resolve) => this.#whenIdle.push(resolve)) : Promise.resolve()
  }

  /** Stops for good: SQLite can no longer be trusted to keep what it is given. */
  fail(error: Error): void {
    if (this.#failure) return
    this.#failure = error
    setImmediate(() => this.#onFailure(error))
  }

  /** An immediate comes after all sockets that are readable were read: whatever arrived together is here. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#runBatch(this.#jobs.splice(0, this.#batch))
    this.#scheduled = false
    if (this.#jobs.length > 0) this.#schedule()
    else for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  #runBatch(batch: readonly Job[]): void {
    if (this.#failure) {
      rejectAll(batch, new StoreUnavailable('closed', 'the database failed', { cause: this.#failure }))
      return
    }
    const lost = this.#attempt(batch)
    if (!lost) return
    // Proven: SQLite rolled all of it back. One by one, only the work that cannot be done fails.
    if (batch.length > 1) for (const job of batch) this.#runBatch([job])
    else if (isFull(lost.error) && batch.some((job) => this.#makeRoom(job.isEssential))) this.#runBatch(batch)
    else rejectAll(batch, refusal(lost.error))
  }

  /** Runs the batch in one transaction. Returns the error when SQLite rolled it back and nobody is answered yet. */
  #attempt(batch: readonly Job[], isGuarded = batch.length === 1): { error: unknown } | null {
    const settle: (() => void)[] = []
    this.#running = true
    this.#wrote = false
    this.#isGuarded = isGuarded
    this.#isTorn = false
    try {
      this.#transactions.begin()
      for (const job of batch) {
        const lost = this.#run(job, settle)
        if (lost !== null) return lost
        if (this.#isTorn) break
      }
      if (this.#isTorn) this.#rollback()
    } catch (error) {
      this.#abandon(batch, error)
      return null
    } finally {
      this.#running = false
    }
    return this.#isTorn ? this.#attempt(batch, true) : this.#commit(batch, settle)
  }

  /** Runs one piece of work inside the transaction. Returns the error when SQLite rolled all of it back. */
  #run(job: Job, settle: (() => void)[]): { error: unknown } | null {
    const transactions = this.#transactions
    try {
      job.run(this.#write)
      settle.push(job.committed)
    } catch (error) {
      if (isFatal(error) || error instanceof NotUndone) throw error
      // A step that found no room runs again by itself, once some was made.
      if (isFull(error) && transactions.open) this.#rollback()
      if (!transactions.open) return { error }
      settle.push(() => job.reject(refusal(error)))
    }
    return null
  }

  #commit(batch: readonly Job[], settle: readonly (() => void)[]): { error: unknown } | null {
    try {
      this.#transactions.commit()
    } catch (error) {
      // A full disk ends a commit before its last frame is in the log, and no recovery can find it there.
      if (isFull(error) && !this.#transactions.open) return { error }
      const cause = error instanceof Error ? error : new Error(String(error))
      this.fail(cause)
      const unknown = 'the commit failed; only the next start will tell what was written'
      rejectAll(batch, new OutcomeUnknown(unknown, { cause }))
      return null
    }
    if (this.#wrote) this.statistics.commits++
    this.statistics.steps += batch.length
    this.statistics.largestBatch = Math.max(this.statistics.largestBatch, batch.length)
    for (const answer of settle) answer()
    if (this.#wrote) this.#onCommit()
    return null
  }

  readonly #write: Writing = (writes) => {
    this.#wrote = true
    if (!this.#isGuarded) return this.#writeUnguarded(writes)
    this.#transactions.savepoint()
    try {
      const result = writes()
      this.#transactions.release()
      return result
    } catch (error) {
      if (this.#transactions.open) this.#undo()
      throw error
    }
  }

  #writeUnguarded<Result>(writes: () => Result): Result {
    try {
      return writes()
    } catch (error) {
      this.#isTorn = true
      throw error
    }
  }

  #undo(): void {
    try {
      this.#transactions.rollbackToSavepoint()
    } catch (cause) {
      throw new NotUndone('a step that failed could not be undone', { cause })
    }
  }

  #rollback(): void {
    try {
      this.#transactions.rollback()
    } catch (cause) {
      throw new NotUndone('a transaction could not be rolled back', { cause })
    }
  }

  /** Nothing of the batch was committed: it could not begin, or the database failed before the commit. */
  #abandon(batch: readonly Job[], cause: unknown): void {
    if (isFatal(cause) || cause instanceof NotUndone) this.fail(cause)
    rejectAll(batch, new StoreUnavailable('unreachable', 'the database cannot be written', { cause }))
    try {
      if (this.#transactions.open) this.#rollback()
    } catch (failure) {
      this.fail(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
}

/** What failed is still in the open transaction: nothing may be committed any more. */
class NotUndone extends Error {
  override readonly name = 'NotUndone'
}

function rejectAll(batch: readonly Job[], error: unknown): void {
  for (const job of batch) job.reject(error)
}

function refusal(error: unknown): unknown {
  if (!isFull(error)) return error
  return new StoreUnavailable('full', 'the disk is full', { cause: error })
}
