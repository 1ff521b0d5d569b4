/** The SQLite engine: one file, one process, one connection that writes. */
import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import type { Instant } from '../../machines/time.ts'
import type { ColumnValue } from '../binding.ts'
import { migrations as allMigrations, type Migration } from '../migrations/index.ts'
import { isOfReference, isReferenceTable } from '../reference-tables.ts'
import { byName } from '../row-order.ts'
import type { Statement } from '../statement.ts'
import {
  type Decision,
  type LockedRows,
  type RowRef,
  type RowRefs,
  type Step,
  type StepResult,
  type Store,
  StoreUnavailable,
  type Topic,
} from '../store.ts'
import { TopicListeners } from '../topics.ts'
import { type CheckpointOptions, Checkpoints } from './checkpoints.ts'
import { openAlone } from './claim.ts'
import { StatementCompiler } from './compile.ts'
import { copySqliteDatabase } from './copy.ts'
import { type Connection, createPrivately, type SqliteRow } from './database.ts'
import { DiskRoom } from './disk-room.ts'
import { isFatal, unusable, violatedConstraint } from './errors.ts'
import { CommitQueue, type CommitStatistics, maxBatch } from './group-commit.ts'
import { KeptReads } from './kept-reads.ts'
import { type DatabaseLock, lockDatabase } from './lock.ts'
import { isEarlier, migrate, missingMigrations } from './migrate.ts'
import { type Prepared, StatementCache } from './prepared.ts'
import { Rows } from './rows.ts'
import { type Transactions, transactionsOf } from './transactions.ts'

export interface SqliteStoreOptions {
  /** Made when missing, mode 0600; its folder too, mode 0700. */
  file: string
  clock: { now(): Instant }
  /** False: one commit for each step. */
  groupCommit?: boolean
  /** Who moves the log into the database; without, some commit does it now and then, while all others wait. */
  checkpoints?: CheckpointOptions
  /** Called once when the database can no longer be trusted: the node has to stop. */
  onFailure?: (error: Error) => void
  migrations?: readonly Migration[]
  /** Kept beside the database for a full disk; 0, and so none, unless said otherwise. */
  ballastBytes?: number
  /** Called with what is wrong with the room on the disk, for people; with null once it is well again. */
  onRoomChange?: (problem: string | null) => void
  /** Called after each commit that wrote something, before anybody is answered; says whether to a reference table. */
  onCommit?: (isOfReference: boolean) => void
}

/**
 * Opens the database, alone: no other process can until it is closed.
 * @throws DatabaseLocked, DatabaseTooNew, DatabaseUnusable
 */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  createPrivately(options.file)
  // Behind two links is one database, and it has one lock.
  const file = realpathSync(options.file)
  const lock = lockDatabase(file)
  const { ballastBytes = 0, onRoomChange = () => {} } = options
  let room: DiskRoom | undefined
  let database: Connection | undefined
  try {
    room = new DiskRoom({ file, ballastBytes, onChange: onRoomChange })
    const migrations = options.migrations ?? allMigrations
    database = openAlone(file, { migrations })
    // There is no way back from a migration but this copy.
    if (isEarlier(database, migrations)) copyBefore(file, migrations, database)
    migrate(database, migrations, options.clock.now())
    room.keep()
    return new SqliteStore({ database, lock, room }, { ...options, file })
  } catch (error) {
    void room?.close()
    database?.close()
    lock.release()
    throw unusable(file, error)
  }
}

/** One that is there is of an attempt before this one, and of the same state or an older one. */
function copyBefore(file: string, migrations: readonly Migration[], database: Connection): void {
  const [first] = missingMigrations(database, migrations)
  const copy = `${file}.before-${first?.name}`
  if (existsSync(copy)) return
  // It has its name only once it is whole.
  const draft = `${copy}.draft`
  rmSync(draft, { force: true })
  copySqliteDatabase(file, draft)
  renameSync(draft, copy)
}

export class SqliteStore implements Store {
  readonly engine = 'sqlite'
  readonly file: string
  readonly #database: Connection
  readonly #lock: DatabaseLock
  readonly #room: DiskRoom
  readonly #clock: { now(): Instant }
  readonly #compiler: StatementCompiler
  readonly #rows: Rows
  readonly #transactions: Transactions
  readonly #queue: CommitQueue
  readonly #checkpoints: Checkpoints | null
  readonly #listeners = new TopicListeners()
  /** Nobody else writes, so what is known of the reference tables stays true until this store changes one. */
  readonly #kept = new KeptReads(() => this.#referenceVersion)
  #referenceVersion = 0
  /** One was written since the last commit: until the next, each is read itself. */
  #isReferenceTouched = false
  #lastAt: Instant = Number.NEGATIVE_INFINITY
  #closed: Promise<void> | null = null

  constructor(
    held: { database: Connection; lock: DatabaseLock; room: DiskRoom },
    options: SqliteStoreOptions,
  ) {
    const { database, lock, room } = held
    const cache = new StatementCache(database)
    this.file = options.file
    this.#database = database
    this.#lock = lock
    this.#room = room
    this.#clock = options.clock
    this.#compiler = new StatementCompiler(cache)
    this.#rows = new Rows(database, cache)
    this.#transactions = transactionsOf(database)
    const { checkpoints, file } = options
    const { endReading } = this.#transactions
    const place = { database, file, endReading, isUrgent: () => room.isShort }
    this.#checkpoints = checkpoints ? new Checkpoints(place, checkpoints) : null
    this.#queue = new CommitQueue({
      transactions: this.#transactions,
      batch: options.groupCommit === false ? 1 : maxBatch,
      onFailure: options.onFailure ?? (() => {}),
      makeRoom: (isEssential) => room.makeRoom(isEssential),
      onCommit: () => {
        const isOfReference = this.#isReferenceTouched
        this.#noteReference()
        options.onCommit?.(isOfReference)
        this.#checkpoints?.committed()
      },
    })
  }

  get statistics(): Readonly<CommitStatistics> {
    return this.#queue.statistics
  }

  async step<const Refs extends RowRefs, Answer>(step: Step<Refs, Answer>): Promise<StepResult<Answer>> {
    this.#assertUsable()
    let wake: readonly Topic[] = []
    const { isEssential = true } = step
    return this.#queue.add<StepResult<Answer>>({
      isEssential,
      run: (write) => {
        if (!isEssential && !this.#room.admits()) {
          throw new StoreUnavailable('full', `database ${this.file}: its disk is full`)
        }
        const rows = this.#read(step.rows)
        const at = this.#now()
        const decision: Decision<Answer> = step.decide(rows, at)
        wake = decision.wake ?? []
        try {
          if (decision.writes.length > 0) {
            if (decision.writes.some(isOfReference)) this.#isReferenceTouched = true
            write(() => {
              for (const one of decision.writes) this.#rows.write(one, at)
            })
          }
        } catch (error) {
          const constraint = violatedConstraint(error)
          if (!constraint) throw error
          wake = []
          return { outcome: 'violated', constraint }
        }
        return { outcome: 'committed', answer: decision.answer, at }
      },
      committed: () => this.#listeners.wake(wake),
    })
  }

  async query<Arguments extends object, R>(
    statement: Statement<Arguments, R>,
    args: Arguments,
  ): Promise<R[]> {
    this.#assertUsable()
    if (this.#queue.running)
      throw new Error(`${statement.name}: a decision sees only the rows its step named`)
    const { prepared, bind } = this.#compiler.compile(statement)
    if (!prepared.readonly) throw new Error(`${statement.name} writes: it has to be executed`)
    const values = bind(args)
    try {
      if (!statement.isOfReference || this.#isReferenceTouched) return asRows<R>(this.#all(prepared, values))
      return asRows<R>([...this.#kept.rows(prepared, values, () => this.#all(prepared, values))])
    } catch (cause) {
      if (!isFatal(cause)) throw cause
      this.#queue.fail(cause)
      throw new StoreUnavailable('unreachable', `database ${this.file}: it cannot be read`, { cause })
    }
  }

  async execute<Arguments extends object, R>(
    statement: Statement<Arguments, R>,
    args: Arguments,
  ): Promise<R[]> {
    this.#assertUsable()
    const { prepared, bind, changesReference } = this.#compiler.compile(statement)
    const values = bind(args)
    return this.#queue.add({
      run: (write) => {
        if (changesReference) this.#isReferenceTouched = true
        return asRows<R>(write(() => prepared.all(values)))
      },
    })
  }

  followClock(): void {
    this.#lastAt = Number.NEGATIVE_INFINITY
  }

  /** One node owns the database. */
  async lead(): Promise<Store> {
    return this
  }

  subscribe(topic: Topic, listener: () => void): () => void {
    return this.#listeners.add(topic, listener)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#queue.idle()
    await this.#checkpoints?.close()
    await this.#room.close()
    this.#transactions.endReading()
    try {
      if (!this.#queue.failure) this.#database.pragma('wal_checkpoint(TRUNCATE)')
    } catch (error) {
      // Nothing is lost: what could not be moved out of the log is read from it at the next start.
      process.emitWarning(error instanceof Error ? error : String(error))
    } finally {
      this.#database.close()
      this.#lock.release()
    }
  }

  #assertUsable(): void {
    if (this.#closed) throw new StoreUnavailable('closed', `database ${this.file}: it is closed`)
    const cause = this.#queue.failure
    if (cause) throw new StoreUnavailable('closed', `database ${this.file}: it failed`, { cause })
  }

  /** One time a step; a wall clock set back does not turn the order of steps around. */
  #now(): Instant {
    this.#lastAt = Math.max(this.#lastAt, this.#clock.now())
    return this.#lastAt
  }

  #read<Refs extends RowRefs>(refs: Refs): LockedRows<Refs> {
    // One writer at a time: there is nothing to lock, so the order is the caller's.
    const rows = byName(refs, (ref) => this.#find(ref))
    // The schema's types describe what the migrations made; SQLite itself checks each value (STRICT).
    return rows as LockedRows<Refs>
  }

  #find(ref: RowRef): SqliteRow | null {
    if (ref.isShared !== true || this.#isReferenceTouched || !isReferenceTable(ref.table)) {
      return this.#rows.find(ref)
    }
    const { statement, values } = this.#rows.finding(ref)
    const read = () => {
      const row = statement.get(values)
      return row === null ? [] : [row]
    }
    return this.#kept.rows(statement, values, read)[0] ?? null
  }

  #all(prepared: Prepared, values: readonly ColumnValue[]): SqliteRow[] {
    this.#transactions.read()
    return prepared.all(values)
  }

  #noteReference(): void {
    if (!this.#isReferenceTouched) return
    this.#isReferenceTouched = false
    this.#referenceVersion++
  }
}

/** What a statement returns is what its builder was typed with. */
function asRows<R>(rows: SqliteRow[]): R[] {
  return rows as R[]
}
