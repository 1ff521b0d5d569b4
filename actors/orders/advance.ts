/**
 * One event of one order, as data: the row as it will be, and everything else the step has to write.
 *
 * Pure but for random ids. Journal, postings, effects and snapshot always go together, and only here.
 */

import { isChartName } from '../../machines/index.ts'
import type { OrderEvent } from '../../machines/order.ts'
import { dueAt } from '../../machines/order.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { Instant } from '../../machines/time.ts'
import { SnapshotError } from '../../persistence/snapshots.ts'
import type { Row, Topic, Write } from '../../persistence/store.ts'
import { type Accepted, decide, type Refused } from './decide.ts'
import { carry } from './effects.ts'
import { commissionAfter } from './fees.ts'
import { type Actor, appendEntry, type RecordedBeside } from './journal.ts'
import { giveUpAtEnd } from './refunds.ts'
import type { Companions } from './representation.ts'
import { UnreadableOrder } from './unreadable-order.ts'

/** Refusals beyond these only count: an insistent caller must not fill the disk. */
const maxJournalledRefusals = 20

export interface AdvanceContext {
  journalKey: string
  checkoutUrl: string
}

export interface Advance {
  /** `null` when the event was accepted. */
  refusal: RefusalReason | null
  order: Row<'orders'>
  /** All but the order's own row. */
  writes: readonly Write[]
  wake: readonly Topic[]
}

/**
 * Tells an order an event, and says what becomes of it.
 *
 * @param beside as it is after the event: what the event says of deposits and transactions is in it already
 * @param veto refuses, for a reason outside the order, what the order itself would accept.
 * @throws UnreadableOrder where this program cannot read its snapshot.
 */
export function advance(
  context: AdvanceContext,
  order: Row<'orders'>,
  beside: Companions,
  event: OrderEvent,
  actor: Actor,
  veto: RefusalReason | null = null,
): Advance {
  const decided = decideAbout(order, event)
  if (!decided.ok) return refuse(context, order, event, actor, decided.reason)
  if (veto !== null) return refuse(context, order, event, actor, veto)

  const moved = {
    ...order,
    ...columnsOf(decided),
    ...commissionAfter(order, event, decided.context.lock !== null),
    revision: order.revision + 1,
  }
  const entry = appendEntry(context.journalKey, order, {
    actor,
    event,
    from: order.status,
    to: moved.status,
    outcome: 'accepted',
  })
  moved.journal_count = entry.journal_count
  moved.journal_head = entry.journal_head
  const { order: carried, writes, wake } = carryAll(context, moved, beside, decided, event.at)
  const given = giveUpAtEnd(carried, beside.refundable, decided.effects)
  return { refusal: null, order: carried, writes: [entry.write, ...writes, ...given], wake }
}

/** @throws UnreadableOrder */
function decideAbout(order: Row<'orders'>, event: OrderEvent): Accepted | Refused {
  const { machine, machine_version: version, snapshot: text } = order
  if (!isChartName(machine)) throw new UnreadableOrder(order.id, `It follows an unknown chart: ${machine}.`)
  try {
    return decide({ machine, version, text }, event)
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    throw new UnreadableOrder(order.id, error.message, { cause: error })
  }
}

/** Carries out the effects of an accepted event on the moved order. */
export function carryAll(
  context: Pick<AdvanceContext, 'checkoutUrl'>,
  moved: Row<'orders'>,
  beside: Companions,
  decided: Accepted,
  at: Instant,
): Omit<Advance, 'refusal'> {
  let order = moved
  const writes: Write[] = []
  const wake = new Set<Topic>(['orders'])
  for (const effect of decided.effects) {
    const carried = carry(effect, { order, beside, at, checkoutUrl: context.checkoutUrl })
    writes.push(...carried.writes)
    for (const topic of carried.wake) wake.add(topic)
    if (carried.counts) order = { ...order, ...carried.counts }
  }
  return { order, writes, wake: [...wake] }
}

/** The columns that repeat what the snapshot says, for queries and constraints. */
export function columnsOf(decided: Accepted) {
  const { status, context, stored } = decided
  return {
    status,
    modified_at: context.modifiedAt,
    due_at: dueAt(status, context),
    paid_at: context.paidAt,
    lock_provider_id: context.lock?.providerId ?? null,
    lock_network_id: context.lock?.networkId ?? null,
    locked_at: context.lock?.at ?? null,
    locks: context.locks,
    machine: stored.machine,
    machine_version: stored.version,
    snapshot: stored.text,
  }
}

/**
 * Writes into an order's journal what was settled about it after its end: its status stays, its revision counts
 * it, and the chain of hashes protects who said so.
 */
export function recordSettlement(
  journalKey: string,
  order: Row<'orders'>,
  event: RecordedBeside,
  actor: Actor,
): Write[] {
  const { status } = order
  const { write, ...head } = appendEntry(journalKey, order, {
    actor,
    event,
    from: status,
    to: status,
    outcome: 'accepted',
  })
  return [write, updateOrder(order, { ...order, ...head, revision: order.revision + 1 })]
}

function refuse(
  context: AdvanceContext,
  order: Row<'orders'>,
  event: OrderEvent,
  actor: Actor,
  reason: RefusalReason,
): Advance {
  const refused = { ...order, refusals: order.refusals + 1 }
  if (order.refusals >= maxJournalledRefusals)
    return { refusal: reason, order: refused, writes: [], wake: [] }
  const entry = appendEntry(context.journalKey, order, {
    actor,
    event,
    from: order.status,
    to: order.status,
    outcome: reason,
  })
  refused.journal_count = entry.journal_count
  refused.journal_head = entry.journal_head
  return { refusal: reason, order: refused, writes: [entry.write], wake: [] }
}

/** What a step may change of an order's row; all else stays as it was made. */
const changing = [
  'status',
  'modified_at',
  'due_at',
  'paid_at',
  'lock_provider_id',
  'lock_network_id',
  'locked_at',
  'locks',
  'revision',
  'journal_count',
  'journal_head',
  'refusals',
  'webhook_count',
  'machine_version',
  'snapshot',
  'commission_minor',
  'commission_tax_minor',
  'commission_terms_id',
] as const

/** The write that brings an order's row up to date: what is named costs its indexes and its references, changed or not. */
export function updateOrder(before: Row<'orders'>, after: Row<'orders'>): Write {
  const changed = changing.filter((column) => after[column] !== before[column])
  const set = Object.fromEntries(changed.map((column) => [column, after[column]]))
  return { update: 'orders', key: { id: after.id }, set }
}
