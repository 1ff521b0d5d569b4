/**
 * The store port. Two engines stand behind it, chosen by the database URL.
 *
 * Its heart is the *step*: the caller names the rows, the engine locks them in one fixed order and gives them
 * to a pure, synchronous `decide`; all that `decide` returns is committed, or nothing. An engine may run steps
 * that arrive together in one transaction; a step is answered only after its commit.
 */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Instant } from '../machines/time.ts'
import type { TableName, Tables } from './schema.ts'
import type { Statement } from './statement.ts'

export type Row<T extends TableName> = Selectable<Tables[T]>

/** Values of the columns that make a row of `T` unique (its primary key, or another unique set). */
export type Key<T extends TableName> = Partial<Row<T>>

/** One row a step wants to see and hold until its commit. */
export interface RowRef<T extends TableName = TableName> {
  table: T
  key: Key<T>
  /** Held against changes only, beside others that read it: what a veto looks at would else serialise all steps. */
  isShared?: true
}

export function row<T extends TableName>(table: T, key: Key<T>): RowRef<T> {
  return { table, key }
}

/** A row that the step only reads: it may not change before the commit, and any number of steps may look at once. */
export function sharedRow<T extends TableName>(table: T, key: Key<T>): RowRef<T> {
  return { table, key, isShared: true }
}

/** Many rows of one table, under one name. */
export function rows<T extends TableName>(table: T, keys: readonly Key<T>[]): readonly RowRef<T>[] {
  return keys.map((key) => row(table, key))
}

export type RowRefs = Readonly<Record<string, RowRef | readonly RowRef[] | undefined>>

/** The rows as they are under the lock, many in the order of their keys; `null` where there is none. */
export type LockedRows<Refs extends RowRefs> = {
  readonly [Name in keyof Refs]: Locked<Refs[Name]>
}

type Locked<Ref> =
  Ref extends RowRef<infer T>
    ? Row<T> | null
    : Ref extends readonly RowRef<infer T>[]
      ? readonly (Row<T> | null)[]
      : null

/** A posting moves one amount between two accounts, which come into being with their first posting. */
export interface Posting {
  kind: string
  debit: AccountRef
  credit: AccountRef
  amountMinor: bigint
  orderId: string | null
  reference: string | null
  /** When what it books has happened, where that was before its step. */
  aboutAt?: Instant
}

export interface AccountRef {
  kind: Tables['accounts']['kind']
  /** A party's id, or '' for an account of the node itself. */
  ownerId: string
  currency: string
}

export function accountId(account: AccountRef): string {
  return `${account.kind}:${account.ownerId}:${account.currency}`
}

/** @throws Error when it moves nothing, or goes from one currency to another. */
export function assertPosting({ kind, debit, credit, amountMinor }: Posting): void {
  if (amountMinor <= 0n) throw new Error(`posting ${kind}: the amount ${amountMinor}`)
  if (debit.currency === credit.currency) return
  throw new Error(`posting ${kind}: from ${accountId(debit)} to ${accountId(credit)}, two currencies`)
}

/**
 * What a merchant owes is taken out of what it has available, as far as that goes; nothing where nothing is owed.
 *
 * It goes behind every posting that makes an available balance rise, in the same step. The engine reads both
 * balances at that place, because a step often learns only from its rows whose money it moves, and because a debt
 * that comes into being beside it must not be missed.
 */
export interface Repayment {
  merchantId: string
  currency: string
  reference: string | null
}

type WriteOf<T extends TableName> =
  | { insert: T; values: Insertable<Tables[T]> }
  /** Exactly one row must have the key; anything else is a broken invariant and fails the step. */
  | { update: T; key: Key<T>; set: Updateable<Tables[T]> }
  /** Zero or one row. */
  | { delete: T; key: Key<T> }

export type Write = { [T in TableName]: WriteOf<T> }[TableName] | { post: Posting } | { repay: Repayment }

/** Who may have something to do after a commit: only a hint, no worker depends on it. */
/**
 * `history`: another server answers in the place of the one before, and may know less.
 * `statements`: one was closed, and is to be anchored and sealed.
 * `notifications`: some are to be sent.
 * `approvals`: one was asked for, decided or carried out.
 * `clock`: that of a sandbox is to be moved, or was.
 */
const topics = [
  'orders',
  'webhooks',
  'funding',
  'exceptions',
  'provisioning',
  'history',
  'statements',
  'reports',
  'notifications',
  'approvals',
  'clock',
] as const
export type Topic = (typeof topics)[number]

export function isTopic(text: string): text is Topic {
  return topics.some((topic) => topic === text)
}

export interface Decision<Answer> {
  answer: Answer
  writes: readonly Write[]
  wake?: readonly Topic[]
}

/** Constraints a step may violate as an expected outcome. All others are faults. */
export type ConstraintName =
  | 'orders.merchant_order_id'
  | 'orders.code'
  | 'accounts.funds'
  | 'parties.name'
  | 'credentials.key'
  | 'networks.network_id'
  | 'account_deposits.reference'
  | 'idempotency_keys.key'
  | 'repeated_messages.digest'
  | 'payments.bank_reference'
  | 'payments.run'
  | 'bank_entries.reference'
  | 'claims.order_kind'
  | 'claims.provider_kind'
  | 'claims.exception'

export type StepResult<Answer> =
  | { outcome: 'committed'; answer: Answer; at: Instant }
  | { outcome: 'violated'; constraint: ConstraintName }

export interface Step<Refs extends RowRefs, Answer> {
  rows: Refs
  /**
   * False for what can wait, such as a new order: while the disk is full it is refused with StoreUnavailable
   * (`full`), so that what was begun can be finished in the room that is left. True unless said otherwise.
   */
  isEssential?: boolean
  /**
   * Pure and synchronous; may run more than once (an engine retries what the database rolled back).
   * `at` is the one time of the step. A throw rolls the step back and rejects.
   */
  decide: (rows: LockedRows<Refs>, at: Instant) => Decision<Answer>
}

export interface Store {
  readonly engine: 'sqlite' | 'postgres'

  /** Since it was opened; steps by commits is how many share one. Not kept by every store of a test. */
  readonly statistics?: Readonly<{ commits: number; steps: number; largestBatch: number }>

  /** @throws StoreUnavailable, OutcomeUnknown, or what `decide` threw. */
  step<const Refs extends RowRefs, Answer>(step: Step<Refs, Answer>): Promise<StepResult<Answer>>

  /** A read outside any step. */
  query<Arguments extends object, R>(statement: Statement<Arguments, R>, args: Arguments): Promise<R[]>

  /** One statement that writes (a claim, a lease returned), committed before it is answered. */
  execute<Arguments extends object, R>(statement: Statement<Arguments, R>, args: Arguments): Promise<R[]>

  /**
   * The times of steps never go back by themselves, however the clock is set. From now on they follow it again:
   * somebody has said that it is right.
   */
  followClock(): void

  /** Calls `listener` after commits that named the topic. Returns the way to stop. */
  subscribe(topic: Topic, listener: () => void): () => void

  /**
   * Asks for work that one node does at a time: `chain:SOLANA`, `retention` … To be asked before each pass of it.
   *
   * @returns `null` while another node does it. Otherwise what the work decides goes through the store that is returned,
   *   whose steps reject with LeadershipLost, and write nothing, once another node has taken over.
   */
  lead(role: string): Promise<Store | null>

  /** Finishes what was begun, checkpoints, and lets the database go. */
  close(): Promise<void>
}

/** Reads several rows of one state of the database. */
export type Query = <Arguments extends object, R>(
  statement: Statement<Arguments, R>,
  args: Arguments,
) => Promise<R[]>

/** Long reads beside the store, on a connection of their own that cannot write: checks, exports, sums. */
export interface Reader {
  readonly engine: Store['engine']
  /**
   * Runs queries on one state of the database: what is committed meanwhile is not seen. One at a time, and none
   * for long, because what it still sees cannot be cleared away.
   */
  snapshot<Result>(read: (query: Query) => Promise<Result>): Promise<Result>
  /** What the engine finds wrong with its own files, one sentence each: look by look, and who asks may rest in between. */
  damages(): AsyncIterable<string[]>
  /** Rows that refer to rows that are not there, one sentence each; look by look, too. */
  brokenReferences(): AsyncIterable<string[]>
  close(): Promise<void>
}

/** Nothing was written: the disk is full, the store is closing, the database is out of reach. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly reason: 'full' | 'closed' | 'unreachable'
  constructor(reason: StoreUnavailable['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Another node does the work now: this one was cut off, or stood still, for too long. Nothing was written. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost'
}

/** A COMMIT failed: what was in it may be there or not. The node stops and reads what is true at the next start. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
