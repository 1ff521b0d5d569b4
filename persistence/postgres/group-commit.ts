/**
 * Group commit: steps that arrive while others are under way share the next transaction, and are answered after its
 * commit. A few transactions run side by side, so that one that waits for a row keeps only its own steps waiting.
 *
 * Each step is alone all the same: when one of them makes the transaction fail, each runs again in its own.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { OutcomeUnknown, StoreUnavailable, type Topic } from '../store.ts'
import type { Connections } from './database.ts'
import { isBlocked, isFull, isLost, isRepeatable, tableOfDuplicate, violatedConstraint } from './errors.ts'
import { Violation } from './ledger.ts'
import { attempt, CommitUnanswered, type Context, type Job } from './transaction.ts'

export interface CommitStatistics {
  /** Transactions that were committed. */
  commits: number
  /** Steps that were answered. */
  steps: number
  /** The most steps in one transaction. */
  largestBatch: number
  /** Transactions that began anew, because two could not both go on, or their connection was lost. */
  repeated: number
}

export const maxBatch = 32
export const lanes = 4

/** What is lost to others again and again waits a little longer each time, and not for ever. */
const maxAttempts = 12
const maxLostConnections = 2
const maxRaces = 4
const pauseMs = 2

export interface CommitQueueOptions {
  connections: Connections
  context: Context
  /** The most steps in one transaction, 1 to 32. */
  batch: number
  committed: (topics: readonly Topic[]) => void
}

export class CommitQueue {
  readonly statistics: CommitStatistics = { commits: 0, steps: 0, largestBatch: 0, repeated: 0 }
  readonly #options: CommitQueueOptions
  readonly #jobs: Job[] = []
  readonly #whenIdle: (() => void)[] = []
  #isScheduled = false
  #busy = 0

  constructor(options: CommitQueueOptions) {
    this.#options = options
  }

  add(job: Job): void {
    this.#jobs.push(job)
    this.#schedule()
  }

  /** Resolves once nothing waits or runs. */
  idle(): Promise<void> {
    if (this.#jobs.length === 0 && this.#busy === 0) return Promise.resolve()
    return new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  /** An immediate comes after all sockets that are readable were read: whatever arrived together is here. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      while (this.#busy < lanes && this.#jobs.length > 0) void this.#runLane()
    })
  }

  async #runLane(): Promise<void> {
    this.#busy += 1
    const later = await this.#run(this.#jobs.splice(0, this.#options.batch))
    this.#busy -= 1
    this.#jobs.unshift(...later)
    if (this.#jobs.length > 0) this.#schedule()
    else if (this.#busy === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  /** Answers all of them but those it returns, which saw too early what others have written. Never rejects. */
  async #run(jobs: readonly Job[]): Promise<Job[]> {
    const { connections, context } = this.#options
    try {
      const made = await connections.use((client) => attempt(client, jobs, context))
      this.statistics.commits += 1
      this.statistics.steps += made.done.length
      this.statistics.largestBatch = Math.max(this.statistics.largestBatch, made.done.length)
      for (const { answer } of made.done) answer()
      this.#options.committed(made.done.flatMap(({ wake }) => wake))
      const later = [...made.later]
      for (const job of made.alone) later.push(...(await this.#run([job])))
      return later
    } catch (error) {
      return this.#failed(jobs, error)
    }
  }

  async #failed(jobs: readonly Job[], error: unknown): Promise<Job[]> {
    if (error instanceof CommitUnanswered) {
      const unknown = 'the connection was lost while it was committed; whether it was written is not known'
      for (const job of jobs) job.reject(new OutcomeUnknown(unknown, { cause: error.cause }))
      return []
    }
    const [job] = jobs
    if (job && jobs.length === 1) return this.#failedAlone(job, error)
    // A connection is lost for all of them, and none of them is to blame.
    if (isLost(error) || isRepeatable(error)) return this.#again(jobs, error)
    const later: Job[] = []
    for (const each of jobs) later.push(...(await this.#run([each])))
    return later
  }

  async #failedAlone(job: Job, error: unknown): Promise<Job[]> {
    const constraint = error instanceof Violation ? error.constraint : violatedConstraint(error)
    if (isRace(job, error) || isLost(error) || isRepeatable(error)) return this.#again([job], error)
    if (constraint !== null) job.settle({ outcome: 'violated', constraint })
    else job.reject(refusal(error))
    return []
  }

  /** The steps begin anew, and see what is true then. */
  async #again(jobs: readonly Job[], error: unknown): Promise<Job[]> {
    this.statistics.repeated += 1
    const most = isLost(error) ? maxLostConnections : maxAttempts
    const again: Job[] = []
    for (const job of jobs) {
      job.attempts += 1
      if (job.attempts <= most) again.push(job)
      else job.reject(refusal(error))
    }
    const attempts = Math.max(0, ...again.map((job) => job.attempts))
    if (again.length > 0) await sleep(pauseMs * attempts)
    return again
  }
}

/**
 * It came into being beside this step, which named it and saw nothing: now it sees it. And so may what a repetition of
 * it is told, which two creations of the same order have in common with it. Only a few times: what is in its way after
 * that, it does not look for, or adds all the same.
 */
function isRace(job: Job, error: unknown): boolean {
  const table = tableOfDuplicate(error)
  if (table === null) return false
  // They are named by what is posted.
  if (table === 'accounts' || job.attempts === 0) return true
  return job.attempts < maxRaces && job.missed.has(table)
}

export function refusal(error: unknown): unknown {
  if (isFull(error)) return new StoreUnavailable('full', 'the server has no room', { cause: error })
  if (isLost(error))
    return new StoreUnavailable('unreachable', 'the database is out of reach', { cause: error })
  if (isBlocked(error) || isRepeatable(error)) {
    return new StoreUnavailable('unreachable', 'others held what was to be changed', { cause: error })
  }
  return error
}
