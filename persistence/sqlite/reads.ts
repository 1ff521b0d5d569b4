/**
 * Reads beside the store of the same process, on another thread: what is committed, and no older than what was when the read
 * was asked for.
 */
import type { Statement } from '../statement.ts'
import { type Store, StoreUnavailable, type Topic } from '../store.ts'
import { TopicListeners } from '../topics.ts'
import { StatementCompiler } from './compile.ts'
import type { Connection } from './database.ts'
import { isFatal } from './errors.ts'
import { KeptReads } from './kept-reads.ts'
import { StatementCache } from './prepared.ts'
import { openStored } from './read-only.ts'

/** Each commit makes SQLite forget what it has kept of pages, so that more would be memory for nothing. */
const cacheKibibytes = 4_000

export interface Reads extends Pick<Store, 'query' | 'subscribe'> {
  /** Tells the subscribers, as the store has told its own. */
  wake(topics: readonly Topic[]): void
  close(): void
}

/** Counts that the store adds to after a commit, before anybody is answered: of the commits first. */
export interface StoreCounts {
  commits(): number
  /** The commits that have changed a reference table. */
  referenceChanges(): number
}

/** @throws DatabaseUnusable */
export function openSqliteReads(file: string, counts: StoreCounts): Reads {
  const database = openStored(file)
  database.pragma(`cache_size = -${cacheKibibytes}`)
  return new SqliteReads(file, database, counts)
}

class SqliteReads implements Reads {
  readonly #file: string
  readonly #database: Connection
  readonly #counts: StoreCounts
  readonly #compiler: StatementCompiler
  readonly #listeners = new TopicListeners()
  readonly #begin: () => void
  readonly #end: () => void
  readonly #kept: KeptReads
  /** The commits that were there before the state that is read. */
  #seen = -1
  #seenReferenceChanges = -1
  /** What one task reads is of one state. */
  #isHeld = false

  constructor(file: string, database: Connection, counts: StoreCounts) {
    this.#file = file
    this.#database = database
    this.#counts = counts
    this.#kept = new KeptReads(counts.referenceChanges)
    this.#compiler = new StatementCompiler(new StatementCache(database))
    const begin = database.prepare('BEGIN')
    const end = database.prepare('ROLLBACK')
    this.#begin = () => void begin.run()
    this.#end = () => void end.run()
  }

  async query<Arguments extends object, R>(
    statement: Statement<Arguments, R>,
    args: Arguments,
  ): Promise<R[]> {
    const { prepared, bind } = this.#compiler.compile(statement)
    if (!prepared.readonly) throw new Error(`${statement.name} writes: it has to be executed`)
    const values = bind(args)
    const read = () => {
      this.#look()
      return prepared.all(values)
    }
    try {
      const rows =
        statement.isOfReference && this.#mayKeep() ? [...this.#kept.rows(prepared, values, read)] : read()
      // What a statement returns is what its builder was typed with.
      return rows as R[]
    } catch (cause) {
      if (!isFatal(cause)) throw cause
      throw new StoreUnavailable('unreachable', `database ${this.#file}: it cannot be read`, { cause })
    }
  }

  subscribe(topic: Topic, listener: () => void): () => void {
    return this.#listeners.add(topic, listener)
  }

  wake(topics: readonly Topic[]): void {
    this.#listeners.wake(topics)
  }

  close(): void {
    this.#database.close()
  }

  /** The state that a task goes on with may be from before the last change of a reference table. */
  #mayKeep(): boolean {
    const isHeld = this.#isHeld && this.#database.inTransaction
    return !isHeld || this.#seenReferenceChanges === this.#counts.referenceChanges()
  }

  /**
   * A look at the log costs more than the reading: reads share one until something was committed. A task begins after what
   * it serves has arrived, so that it sees what was answered before.
   */
  #look(): void {
    if (this.#isHeld && this.#database.inTransaction) return
    if (!this.#isHeld) {
      this.#isHeld = true
      process.nextTick(this.#letGo)
    }
    // Before the look: what is committed meanwhile is looked for once more.
    const commits = this.#counts.commits()
    if (this.#database.inTransaction) {
      if (commits === this.#seen) return
      this.#end()
    } else setImmediate(this.#forget)
    this.#seenReferenceChanges = this.#counts.referenceChanges()
    this.#begin()
    this.#seen = commits
  }

  readonly #letGo = () => {
    this.#isHeld = false
  }

  /** A state that is held keeps the log from being moved. */
  readonly #forget = () => {
    if (this.#database.open && this.#database.inTransaction) this.#end()
  }
}
