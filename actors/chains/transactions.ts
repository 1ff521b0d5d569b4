/**
 * The unsigned transaction of a foreign-currency order: which one is offered now, and what becomes of what was built.
 *
 * The one that is stored says that there was one, and is never given out again: some chains' transactions live for less
 * than a minute. What a GET, a page or a webhook shows is assembled at that moment from values that workers keep, whose
 * age is judged then; where they are too old there is nothing to show.
 */
import { createHash } from 'node:crypto'
import type { Assembled, BuildRefusal, BuildRefusalKind } from '../../chain/chain.ts'
import { minSigningMs } from '../../chain/chain.ts'
import { type BlockchainFamily, blockchainFacts, isBlockchain } from '../../machines/blockchains.ts'
import type { Instant } from '../../machines/time.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { transactionBlockedId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { type AdvanceContext, advance, updateOrder } from '../orders/advance.ts'
import { withTreasury } from './named-treasuries.ts'

/** Transactions from kept values, at once: nobody waits for a chain. Chain workers implement it. */
export interface FreshTransactions {
  /**
   * A transaction of exactly `missing` smallest units for this order; `null` where the kept values do not allow one,
   * because they are too old or the chain is off.
   */
  assemble(order: Row<'foreign_orders'>, missing: bigint, at: Instant): Assembled | null
}

/** Where no worker keeps any values. */
export const noFreshTransactions: FreshTransactions = { assemble: () => null }

/**
 * After a deposit of a part: how long a version that asks for more can still land, counted from when it was offered
 * last. Until then no other is built, or both could. On Stellar all versions of a wallet share its sequence, so that
 * one at most lands; on EVM chains only its wallet can make one void, and waiting would be for ever.
 */
const replaceAfterMs: Readonly<Record<BlockchainFamily, number>> = { solana: 120_000, stellar: 0, evm: 0 }

/** When a transaction for what is still missing may be built, a part having come. */
export function rebuildAt(blockchain: string, at: Instant): Instant {
  return at + (isBlockchain(blockchain) ? replaceAfterMs[blockchainFacts[blockchain].family] : 0)
}

export function missingOf({ expected_minor, received_minor }: Row<'foreign_orders'>): bigint {
  return expected_minor - received_minor
}

/** Whether its end user may sign something: built, not all has come, none on its way, and the funding window is open. */
export function isPayable(
  { status }: Pick<Row<'orders'>, 'status'>,
  foreign: Row<'foreign_orders'>,
  at: Instant,
): boolean {
  const missing = missingOf(foreign)
  return (
    status === 'CREATED' &&
    missing > 0n &&
    foreign.seen_at === null &&
    at < foreign.funding_deadline_at &&
    // Another sum than what is missing: the old version may still land, and the next is not built yet.
    foreign.transaction_minor === missing
  )
}

/**
 * What the end user may sign now; '' where that is nothing: it is not payable, or none that could be signed for another
 * ten seconds can be assembled from what is known of the chain.
 */
export function offeredTransaction(
  fresh: FreshTransactions,
  order: Pick<Row<'orders'>, 'status'>,
  foreign: Row<'foreign_orders'>,
  at: Instant,
): string {
  if (!isPayable(order, foreign, at)) return ''
  const assembled = fresh.assemble(foreign, missingOf(foreign), at)
  if (assembled === null || assembled.signableUntil - at < minSigningMs) return ''
  return assembled.transaction
}

/** What `offeredTransaction` says, for whoever may be on another thread than the kept values. */
export interface OfferedTransactions {
  offer(order: Pick<Row<'orders'>, 'status'>, foreign: Row<'foreign_orders'>, at: Instant): Promise<string>
}

export interface BuilderOptions extends AdvanceContext {
  store: Store
}

/** A transaction as it was built. */
export interface Built {
  orderId: string
  /** What it moves, in smallest units: what was missing. */
  amount: bigint
  assembled: Assembled
  /** The treasury that it names. */
  treasury: string
}

const builder = { kind: 'builder' } as const

/**
 * Stores what was built. The first one is the signal: a webhook with status CREATED goes out in the same step. A later
 * one replaces the stored text without a word.
 *
 * `outdated` when the order has moved on or misses another sum by now: nothing is stored, and the order is to be built
 * again as soon as `ordersToBuild` names it.
 */
export async function recordBuilt(options: BuilderOptions, built: Built): Promise<'recorded' | 'outdated'> {
  const { orderId, amount, assembled, treasury } = built
  const result = await options.store.step({
    rows: { ...rowsOf(orderId), blocked: row('exceptions', { id: transactionBlockedId(orderId) }) },
    decide: ({ order, foreign, consumer, blocked }, at): Decision<'recorded' | 'outdated'> => {
      if (order === null || foreign === null) throw new Error(`Order ${orderId} has no foreign side.`)
      if (order.status !== 'CREATED' || missingOf(foreign) !== amount)
        return { answer: 'outdated', writes: [] }
      const set = {
        transaction_text: assembled.transaction,
        transaction_minor: amount,
        signable_until_at: assembled.signableUntil,
        lands_until_at: assembled.landsUntil,
        transaction_error: null,
        treasuries_json: withTreasury(foreign, treasury),
        build_due_at: null,
      }
      const stored: Write = { update: 'foreign_orders', key: { order_id: orderId }, set }
      const closed = settledByItself(blocked, at)
      if (foreign.transaction_text !== '') return { answer: 'recorded', writes: [stored, ...closed] }
      const digest = createHash('sha256').update(assembled.transaction).digest('hex')
      const event = { type: 'transaction.built', at, amount: amount.toString(), digest } as const
      const next = advance(options, order, { consumer, foreign: { ...foreign, ...set } }, event, builder)
      if (next.refusal !== null) throw new Error(`Order ${orderId} refuses its transaction: ${next.refusal}.`)
      return {
        answer: 'recorded',
        writes: [stored, ...next.writes, updateOrder(order, next.order), ...closed],
        wake: [...next.wake, 'exceptions'],
      }
    },
  })
  if (result.outcome === 'violated')
    throw new Error(`The transaction of ${orderId} violated ${result.constraint}.`)
  return result.answer
}

/** Those that end by themselves, and that neither the merchant nor the operator can do anything about. */
const passing: ReadonlySet<BuildRefusalKind> = new Set(['values_stale', 'rpc_unavailable', 'window_closed'])

/**
 * Stores why an order's transaction cannot be built: shown as `transaction_error`, and an exception that ends by itself
 * once it can. A refusal that passes by itself is only tried again.
 *
 * @param retryAt when to try again, where trying may help
 */
export async function recordBuildRefused(
  options: BuilderOptions,
  { orderId, refusal, retryAt }: { orderId: string; refusal: BuildRefusal; retryAt: Instant },
): Promise<void> {
  const result = await options.store.step({
    rows: { ...rowsOf(orderId), blocked: row('exceptions', { id: transactionBlockedId(orderId) }) },
    decide: ({ order, foreign, blocked }, at): Decision<null> => {
      if (order === null || foreign === null) throw new Error(`Order ${orderId} has no foreign side.`)
      if (order.status !== 'CREATED') return { answer: null, writes: [] }
      const isPassing = passing.has(refusal.kind)
      const set = {
        build_due_at: refusal.retryable ? retryAt : null,
        ...(isPassing ? {} : { transaction_error: refusal.message }),
      }
      const stored: Write = { update: 'foreign_orders', key: { order_id: orderId }, set }
      if (isPassing || blocked !== null) return { answer: null, writes: [stored] }
      const opened = blockedException(order, foreign, refusal, at)
      return {
        answer: null,
        writes: [stored, { insert: 'exceptions', values: opened }],
        wake: ['exceptions'],
      }
    },
  })
  if (result.outcome === 'violated')
    throw new Error(`The refusal of ${orderId} violated ${result.constraint}.`)
}

function rowsOf(orderId: string) {
  return {
    order: row('orders', { id: orderId }),
    foreign: row('foreign_orders', { order_id: orderId }),
    consumer: row('consumers', { order_id: orderId }),
  }
}

function blockedException(
  order: Row<'orders'>,
  foreign: Row<'foreign_orders'>,
  { kind, message, retryable }: BuildRefusal,
  at: Instant,
): Row<'exceptions'> {
  const { blockchain: chain, wallet, asset_id: assetId, send_currency: asset } = foreign
  return newException({
    id: transactionBlockedId(order.id),
    kind: 'transaction_blocked',
    order_id: order.id,
    reason: `The order's transaction cannot be built: ${message}`,
    evidence: { refusal: kind, isTriedAgain: retryable, wallet, assetId },
    opened_at: at,
    asset,
    chain,
    sender: wallet,
  })
}

/** What stood in its way is gone. */
function settledByItself(blocked: Row<'exceptions'> | null, at: Instant): Write[] {
  if (blocked === null || blocked.state === 'resolved') return []
  const { id, revision } = blocked
  const set = { state: 'resolved', resolved_at: at, resolution: 'built', revision: revision + 1 } as const
  return [{ update: 'exceptions', key: { id }, set }]
}
