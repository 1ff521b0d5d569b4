/**
 * One transaction for steps that arrived together: all rows they name are locked in the one fixed order, each step
 * decides on what it named, and all of their writes are sent before the commit.
 *
 * A step that names what one before it has written waits for the next transaction, where it sees it.
 */
import type { PoolClient } from 'pg'
import type { Instant } from '../../machines/time.ts'
import { byName, inLockingOrder, refsOf } from '../row-order.ts'
import {
  accountId,
  type Decision,
  type LockedRows,
  type RowRef,
  type RowRefs,
  type Step,
  type StepResult,
  type Topic,
  type Write,
} from '../store.ts'
import { run } from './database.ts'
import { ConnectionFault, isLost, isOfValues } from './errors.ts'
import { accountsOf, Ledger, Violation } from './ledger.ts'
import { type PostgresRow, Prepared } from './prepared.ts'
import { type Planned, type Rows, send } from './rows.ts'

/** A step and whoever waits for it. */
export interface Job {
  step: Step<RowRefs, unknown>
  /** How often it began anew. */
  attempts: number
  /** Tables in which it named a row that was not there when it last decided. */
  missed: ReadonlySet<string>
  settle(result: StepResult<unknown>): void
  reject(error: unknown): void
}

export interface Outcome {
  job: Job
  /** Called once all is committed. */
  answer(): void
  wake: readonly Topic[]
}

export interface Attempt {
  done: Outcome[]
  /** For the next transaction. */
  later: Job[]
  /** Those that a transaction of their own has to tell what is wrong with them. */
  alone: Job[]
}

const begin = new Prepared('BEGIN')
const commit = new Prepared('COMMIT')
const rollback = new Prepared('ROLLBACK')

/** The COMMIT was sent, and nobody knows whether it was done. */
export class CommitUnanswered extends Error {
  override readonly name = 'CommitUnanswered'
}

export interface Context {
  rows: Rows
  /** The time of the steps that see these rows. */
  at(rows: readonly (PostgresRow | null)[]): Instant
  /** Runs a decision, during which nobody may read. */
  decide<Result>(run: () => Result): Result
}

interface Decided {
  job: Job
  at: Instant
  decision: Decision<unknown>
}

/**
 * @param isTogether whether rows of one table may go there in one statement
 * @throws whatever made it end without a commit; then nothing was written, unless it is CommitUnanswered.
 */
export async function attempt(
  client: PoolClient,
  jobs: readonly Job[],
  context: Context,
  isTogether = true,
): Promise<Attempt> {
  const made: Attempt = { done: [], later: [], alone: [] }
  let isSent = false
  let isMerged = false
  try {
    const found = await lockRows(client, jobs, context, made)
    const decided = decideAll(jobs, found, context, made)
    const planned = await planAll(client, decided, context, made, jobs.length === 1)
    const sent = isTogether ? context.rows.together(planned) : planned
    isMerged = sent.length < planned.length
    if (sent.length > 0) await send(client, sent)
    isSent = true
    await commitAll(client)
    return made
  } catch (error) {
    if (isSent && isLost(error)) throw new CommitUnanswered('the commit was not answered', { cause: error })
    if (!isLost(error)) await run(client, rollback, [])
    // References are looked at when a statement ends: one by one, of several rows that are wrong the first is told.
    if (isMerged && jobs.length === 1 && isOfValues(error)) return attempt(client, jobs, context, false)
    throw error
  }
}

/** A transaction that failed is rolled back by its COMMIT, and one that was not copied in time may still be lost. */
async function commitAll(client: PoolClient): Promise<void> {
  let isDoubtful = false
  const listen = () => {
    isDoubtful = true
  }
  client.on('notice', listen)
  try {
    const { command } = await run(client, commit, [])
    if (command !== 'COMMIT') throw new ConnectionFault(`a transaction ended with ${command}`)
    if (isDoubtful) throw new ConnectionFault('the commit was not confirmed by the replicas')
  } finally {
    client.off('notice', listen)
  }
}

type Found = Map<string, PostgresRow | null | Error>

/** One transaction begun, and every row that a step names, once and in the one order. */
async function lockRows(
  client: PoolClient,
  jobs: readonly Job[],
  { rows }: Context,
  made: Attempt,
): Promise<Found> {
  const all = new Map<string, RowRef>()
  for (const ref of jobs.flatMap((job) => refsOf(job.step.rows))) {
    const identity = identityOf(ref)
    // Whoever changes a row needs it for itself, whoever else looks at it.
    if (!ref.isShared || !all.has(identity)) all.set(identity, ref)
  }
  const found: Found = new Map()
  const finds: { identity: string; planned: Planned }[] = []
  for (const ref of inLockingOrder([...all.values()])) {
    const identity = identityOf(ref)
    try {
      finds.push({ identity, planned: rows.find(ref) })
    } catch (error) {
      found.set(identity, asError(error))
    }
  }
  const beginning: Planned = { prepared: begin, values: [], check: () => {} }
  const [, ...results] = await send(client, [beginning, ...finds.map(({ planned }) => planned)])
  for (const [index, { identity }] of finds.entries()) {
    try {
      found.set(identity, results[index]?.rows()[0] ?? null)
    } catch (error) {
      found.set(identity, asError(error))
    }
  }
  return refuseUnreadable(jobs, found, made)
}

/** A row that cannot be read as what it is fails the steps that name it, and no others. */
function refuseUnreadable(jobs: readonly Job[], found: Found, made: Attempt): Found {
  for (const job of jobs) {
    const fault = refsOf(job.step.rows)
      .map((ref) => found.get(identityOf(ref)))
      .find((row) => row instanceof Error)
    if (fault) made.done.push({ job, answer: () => job.reject(fault), wake: [] })
  }
  return found
}

function decideAll(jobs: readonly Job[], found: Found, context: Context, made: Attempt): Decided[] {
  const decided: Decided[] = []
  const written = new WrittenRows()
  for (const job of jobs) {
    const rows = readRows(job, found)
    if (rows === null) continue
    if (refsOf(job.step.rows).some((ref) => written.touches(ref))) {
      made.later.push(job)
      continue
    }
    const at = context.at(Object.values(rows).flat())
    job.missed = tablesOfMissing(job, found)
    try {
      // The schema's types describe what the migrations made; the tables themselves check each value.
      const decision = context.decide(() => job.step.decide(rows as LockedRows<RowRefs>, at))
      for (const write of decision.writes) written.add(write)
      decided.push({ job, at, decision })
    } catch (error) {
      made.done.push({ job, answer: () => job.reject(error), wake: [] })
    }
  }
  return decided
}

/** `null` where one of them could not be read: the step was refused for it. */
function readRows(job: Job, found: Found) {
  let isReadable = true
  const rows = byName(job.step.rows, (ref): PostgresRow | null => {
    const row = found.get(identityOf(ref)) ?? null
    if (row instanceof Error) isReadable = false
    // Each step has its own: what one does with it is nothing to another.
    return row instanceof Error || row === null ? null : { ...row }
  })
  return isReadable ? rows : null
}

function tablesOfMissing(job: Job, found: Found): ReadonlySet<string> {
  const missing = refsOf(job.step.rows).filter((ref) => (found.get(identityOf(ref)) ?? null) === null)
  return new Set(missing.map(({ table }) => table))
}

/** The statements of all steps, accounts first, because postings refer to them. */
async function planAll(
  client: PoolClient,
  decided: readonly Decided[],
  { rows }: Context,
  made: Attempt,
  isAlone: boolean,
): Promise<Planned[]> {
  const ledger = await Ledger.open(
    client,
    decided.flatMap(({ decision }) => decision.writes),
    decided.map(({ at }) => at),
  )
  const planned: Planned[] = []
  for (const { job, at, decision } of decided) {
    const undo = ledger.mark()
    const mine: Planned[] = []
    try {
      for (const write of decision.writes) planWrite(write, { rows, ledger, at, planned: mine })
      planned.push(...mine)
      const result: StepResult<unknown> = { outcome: 'committed', answer: decision.answer, at }
      made.done.push({ job, answer: () => job.settle(result), wake: decision.wake ?? [] })
    } catch (error) {
      undo()
      if (error instanceof Violation) {
        // What it wrote before may violate something too, and comes first.
        if (isAlone && mine.length > 0) await send(client, mine)
        if (isAlone) throw error
        made.alone.push(job)
      } else made.done.push({ job, answer: () => job.reject(error), wake: [] })
    }
  }
  return [...ledger.changes(rows), ...planned]
}

function planWrite(
  write: Write,
  { rows, ledger, at, planned }: { rows: Rows; ledger: Ledger; at: Instant; planned: Planned[] },
): void {
  if ('post' in write || 'repay' in write) {
    const posting = 'post' in write ? write.post : ledger.repayment(write.repay)
    if (posting === null) return
    planned.push(rows.posting(posting, ledger.post(posting, at), at))
  } else {
    ledger.take(write)
    planned.push(rows.write(write))
  }
}

/** Which rows the steps before one have written, as far as their keys tell. */
class WrittenRows {
  readonly #inserted = new Map<string, object[]>()
  readonly #keys = new Map<string, object[]>()

  add(write: Write): void {
    if ('insert' in write) listOf(this.#inserted, write.insert).push(write.values)
    else if ('update' in write) listOf(this.#keys, write.update).push(write.key)
    else if ('delete' in write) listOf(this.#keys, write.delete).push(write.key)
    else
      for (const account of accountsOf(write)) listOf(this.#keys, 'accounts').push({ id: accountId(account) })
  }

  touches({ table, key }: RowRef): boolean {
    const isInserted = (values: object) => {
      const given: Readonly<Record<string, unknown>> = { ...values }
      // What the database itself fills in may be anything.
      return Object.entries(key).every(([column, value]) => !(column in given) || given[column] === value)
    }
    // By other columns it may be the same row.
    const isKey = (other: object) => shapeOf(other) !== shapeOf(key) || valuesOf(other) === valuesOf(key)
    return listOf(this.#inserted, table).some(isInserted) || listOf(this.#keys, table).some(isKey)
  }
}

function listOf(lists: Map<string, object[]>, table: string): object[] {
  const known = lists.get(table)
  if (known) return known
  const list: object[] = []
  lists.set(table, list)
  return list
}

function identityOf(ref: RowRef): string {
  return `${ref.table} ${shapeOf(ref.key)} ${valuesOf(ref.key)}`
}

function shapeOf(key: object): string {
  return Object.keys(key).sort().join(' ')
}

function valuesOf(key: object): string {
  const sorted = Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(sorted.map(([, value]) => String(value)))
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
