/** The PostgreSQL engine: any number of nodes on one server, and none holds state that another needs. */
import type { Instant } from '../../machines/time.ts'
import { migrations as allMigrations, type Migration } from '../migrations/index.ts'
import type { Statement } from '../statement.ts'
import {
  OutcomeUnknown,
  type RowRefs,
  type Step,
  type StepResult,
  type Store,
  StoreUnavailable,
  type Topic,
} from '../store.ts'
import { TopicListeners } from '../topics.ts'
import { compile } from './compile.ts'
import { assertOwnSessions, assertSettings, Connections, placeOf, run, unusableAt } from './database.ts'
import { isLost, isRepeatable } from './errors.ts'
import { CommitQueue, type CommitStatistics, lanes, maxBatch, refusal } from './group-commit.ts'
import { Leadership, ofTerm } from './leadership.ts'
import { migrate } from './migrate.ts'
import { type PostgresRow, rowsOf } from './prepared.ts'
import { Rows, readTables } from './rows.ts'
import { watchHistory } from './session.ts'
import { WakeUp } from './wake-up.ts'

export interface PostgresStoreOptions {
  /** `postgres://USER:PASSWORD@HOST/NAME`, or `postgres:///NAME?host=FOLDER` for a socket. */
  url: string
  clock: { now(): Instant }
  /** False: one transaction for each step. */
  groupCommit?: boolean
  migrations?: readonly Migration[]
}

/** Reads outside of steps that run at once; what comes later waits for one of them. */
const maxReads = 4
const maxRepetitions = 10
const maxLostReads = 3
/** Clocks of two hosts that are kept by the same servers part by less. */
const maxSkewMs = 5_000

/**
 * Opens the database, together with other nodes, and brings its tables to this version.
 * @throws DatabaseTooNew, DatabaseUnusable
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, clock } = options
  // One more than the steps take: for what is executed.
  const writers = new Connections(url, { name: 'writer' }, lanes + 1)
  const readers = new Connections(url, { name: 'reader', isReadOnly: true }, maxReads)
  try {
    await assertOwnSessions(writers)
    await assertSettings(writers)
    await migrate(writers, options.migrations ?? allMigrations, clock.now())
    const rows = new Rows(await writers.use(readTables))
    return new PostgresStore({ writers, readers, rows }, options)
  } catch (error) {
    await Promise.all([writers.close(), readers.close()])
    throw unusableAt(url, error)
  }
}

export class PostgresStore implements Store {
  readonly engine = 'postgres'
  readonly #place: string
  readonly #writers: Connections
  readonly #readers: Connections
  readonly #clock: { now(): Instant }
  readonly #queue: CommitQueue
  readonly #listeners = new TopicListeners()
  readonly #wakeUp: WakeUp
  readonly #leadership: Leadership
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #unwatch: () => void
  #lastAt: Instant = Number.NEGATIVE_INFINITY
  #isDeciding = false
  #closed: Promise<void> | null = null

  constructor(
    { writers, readers, rows }: { writers: Connections; readers: Connections; rows: Rows },
    { url, clock, groupCommit = true }: PostgresStoreOptions,
  ) {
    this.#place = placeOf(url)
    this.#writers = writers
    this.#readers = readers
    this.#clock = clock
    this.#wakeUp = new WakeUp(url, writers, (topics) => this.#listeners.wake(topics))
    this.#leadership = new Leadership(url)
    this.#unwatch = watchHistory(url, () => this.#listeners.wake(['history']))
    this.#queue = new CommitQueue({
      connections: writers,
      context: { rows, at: (found) => this.#timeOf(found), decide: (run) => this.#decide(run) },
      batch: groupCommit ? maxBatch : 1,
      committed: (topics) => {
        this.#listeners.wake(topics)
        this.#wakeUp.tell(topics)
      },
    })
  }

  get statistics(): Readonly<CommitStatistics> {
    return this.#queue.statistics
  }

  async step<const Refs extends RowRefs, Answer>(step: Step<Refs, Answer>): Promise<StepResult<Answer>> {
    this.#assertOpen()
    return new Promise((resolve, reject) => {
      this.#queue.add({
        // The queue gives each step the rows that it named, and its answer to whoever asked.
        step: step as unknown as Step<RowRefs, unknown>,
        attempts: 0,
        missed: new Set(),
        settle: (result) => resolve(result as StepResult<Answer>),
        reject,
      })
    })
  }

  async query<Arguments extends object, R>(
    statement: Statement<Arguments, R>,
    args: Arguments,
  ): Promise<R[]> {
    this.#assertOpen()
    if (this.#isDeciding) throw new Error(`${statement.name}: a decision sees only the rows its step named`)
    const { prepared, mayRead, bind } = compile(statement)
    if (!mayRead) throw new Error(`${statement.name} writes: it has to be executed`)
    const values = bind(args)
    // To read twice does no harm.
    return asRows<R>(await this.#perform(() => this.#readers.rows(prepared, values), isLost))
  }

  async execute<Arguments extends object, R>(
    statement: Statement<Arguments, R>,
    args: Arguments,
  ): Promise<R[]> {
    this.#assertOpen()
    const { prepared, bind } = compile(statement)
    const values = bind(args)
    let isSent = false
    try {
      const work = () =>
        this.#writers.use((client) => {
          isSent = true
          return run(client, prepared, values)
        })
      return asRows<R>(rowsOf(await this.#perform(work)))
    } catch (error) {
      if (!isSent || !(error instanceof StoreUnavailable && isLost(error.cause))) throw error
      const unknown = `${statement.name}: the connection was lost; whether it was done is not known`
      throw new OutcomeUnknown(unknown, { cause: error.cause })
    }
  }

  followClock(): void {
    this.#lastAt = Number.NEGATIVE_INFINITY
  }

  async lead(role: string): Promise<Store | null> {
    this.#assertOpen()
    const term = await this.#leadership.termOf(role)
    return term === null ? null : ofTerm(this, role, term)
  }

  subscribe(topic: Topic, listener: () => void): () => void {
    this.#wakeUp.listen()
    return this.#listeners.add(topic, listener)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#unwatch()
    await this.#queue.idle()
    await Promise.allSettled(this.#underWay)
    await Promise.all([this.#wakeUp.close(), this.#leadership.close()])
    await Promise.all([this.#writers.close(), this.#readers.close()])
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailable('closed', `database ${this.#place}: it is closed`)
  }

  /** Begins anew what the server ended for another's sake; a close waits for it. */
  async #perform<Result>(
    work: () => Promise<Result>,
    isRepeatableToo: (error: unknown) => boolean = () => false,
  ): Promise<Result> {
    const performed = this.#repeat(work, isRepeatableToo)
    this.#underWay.add(performed)
    try {
      return await performed
    } finally {
      this.#underWay.delete(performed)
    }
  }

  async #repeat<Result>(
    work: () => Promise<Result>,
    isRepeatableToo: (error: unknown) => boolean,
  ): Promise<Result> {
    for (let repetition = 1; ; repetition++) {
      try {
        return await work()
      } catch (error) {
        const mayRepeat = isRepeatable(error) || (isRepeatableToo(error) && repetition < maxLostReads)
        if (!mayRepeat || repetition >= maxRepetitions) throw refusal(error)
      }
    }
  }

  #decide<Result>(run: () => Result): Result {
    this.#isDeciding = true
    try {
      return run()
    } finally {
      this.#isDeciding = false
    }
  }

  /**
   * One time a step. It is the node's own, which never runs back by itself; of an order it is no earlier than what
   * happened to it last, because another node, whose clock may be a little ahead, may have done that.
   */
  #timeOf(rows: readonly (PostgresRow | null)[]): Instant {
    const now = this.#clock.now()
    let at = Math.max(this.#lastAt, now)
    for (const row of rows) {
      const modifiedAt = row?.modified_at
      if (typeof modifiedAt === 'number' && modifiedAt <= now + maxSkewMs) at = Math.max(at, modifiedAt)
    }
    this.#lastAt = at
    return at
  }
}

/** What a statement returns is what its builder was typed with. */
function asRows<R>(rows: PostgresRow[]): R[] {
  return rows as R[]
}
