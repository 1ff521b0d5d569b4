/** An operator's word about an exception, in one step: what it does, and who said so and why. */
import type { Instant } from '../../machines/time.ts'
import { claimForCash, claimOfException } from '../../persistence/queries/claims.ts'
import { exceptionById } from '../../persistence/queries/operations.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import { type Decision, type Row, row, rows, type Store, type Write } from '../../persistence/store.ts'
import { releaseClaim } from '../claims/releasing.ts'
import { type ExceptionKind, isExceptionKind, type Resolution } from '../exceptions/kinds.ts'
import { type AdvanceContext, recordSettlement } from '../orders/advance.ts'
import type { Actor } from '../orders/journal.ts'
import { isAboutCash, refundableRow } from '../orders/refunds.ts'
import { takeableRows } from '../orders/taking-back.ts'
import type { Effects, Impossible, Subject } from './resolution.ts'
import { resolutions } from './resolutions.ts'
import { outflowNamed } from './treasury-resolutions.ts'

export interface Resolving {
  exceptionId: string
  as: Resolution
  reason: string
  /** What the operator has in hand. */
  evidence: string | null
  /** The order that a deposit is accepted for, where it is not the proposed one. */
  orderId?: string | undefined
  /** The revision the operator saw; the exception must not have changed since. */
  revision?: number | undefined
  operator: Extract<Actor, { kind: 'operator' }>
}

export type Resolved =
  | {
      outcome: 'resolved' | 'resolved_before' | 'changed_since' | 'no_such_resolution'
      exception: Row<'exceptions'>
    }
  | { outcome: 'impossible'; problem: string }
  | { outcome: 'unknown_exception' }

export async function resolveException(
  context: AdvanceContext & { store: Store },
  resolving: Resolving,
): Promise<Resolved> {
  const { store, journalKey } = context
  const [found] = await store.query(exceptionById, { id: resolving.exceptionId })
  if (found === undefined) return { outcome: 'unknown_exception' }
  // Any other resolution is about the order that the exception has, and about no other's money.
  if (resolving.orderId !== undefined && resolving.as !== 'accept') {
    return { outcome: 'impossible', problem: 'An order can be given only with `accept`.' }
  }
  const result = await store.step({
    rows: await rowsOf(store, found, resolving),
    decide: (
      { exception, available, payable, statements, claim, claimed, ...about },
      at,
    ): Decision<Resolved> => {
      if (exception === null) throw new Error(`Exception ${found.id} is gone.`)
      const refused = (outcome: 'resolved_before' | 'changed_since' | 'no_such_resolution') => ({
        answer: { outcome, exception },
        writes: [],
      })
      const { state, revision, kind } = exception
      if (state === 'resolved') return refused('resolved_before')
      // A claim that was opened on it meanwhile is not held by this step.
      if ((resolving.revision ?? found.revision) !== revision) return refused('changed_since')
      if (resolving.as === 'honour' && claimed?.credited_by != null) {
        const problem = `Claim ${claimed.credited_by} has booked the cash of the order already.`
        return { answer: { outcome: 'impossible', problem }, writes: [] }
      }
      const { evidence, operator: actor, reason } = resolving
      const acceptance = { actor, reason }
      const takeable = { available, payable, statements }
      const subject = { ...about, exception, takeable, evidence, acceptance, context, at }
      const effects = isExceptionKind(kind) ? effectsOf(kind, resolving.as, subject) : null
      if (effects === null) return refused('no_such_resolution')
      if (!effects.ok) {
        return { answer: { outcome: 'impossible', problem: effects.problem }, writes: [] }
      }
      const set = closed(exception, resolving, at)
      return {
        answer: { outcome: 'resolved', exception: { ...exception, ...set } },
        writes: [
          ...effects.writes,
          ...journalled(journalKey, effects, resolving, at),
          ...releaseClaim(journalKey, claim, exception.id, { as: resolving.as, actor, reason, at }),
          { update: 'exceptions', key: { id: exception.id }, set },
        ],
        wake: [...effects.wake, 'exceptions', 'orders'],
      }
    },
  })
  if (result.outcome === 'violated')
    throw new Error(`Exception ${found.id}: ${result.constraint} was violated.`)
  return result.answer
}

/** What belongs to an exception does not change: only the rows themselves do. */
async function rowsOf(
  store: Store,
  exception: Row<'exceptions'>,
  { as, orderId: named, evidence: inHand }: Resolving,
) {
  const { id, order_id, evidence_json } = exception
  const orderId = named ?? order_id
  const [order] = orderId === null ? [] : await store.query(orderById, { id: orderId })
  const evidence: { webhook?: string; deposit?: string; count?: { blockchain: string; assetId: string } } =
    JSON.parse(evidence_json)
  const { count } = evidence
  const outflow = as === 'refunded' ? await outflowNamed(store, exception, inHand ?? '') : undefined
  const told = outflow?.exception_id ?? null
  const claim = await claimOf(store, exception, order?.lock_provider_id ?? null)
  return {
    ...(await takenRows(store, exception, order)),
    exception: row('exceptions', { id }),
    claim: claim && row('claims', { id: claim.id }),
    claimed: order && row('claimed_orders', { order_id: order.id }),
    order: order && row('orders', { id: order.id }),
    foreign: order && row('foreign_orders', { order_id: order.id }),
    refundable: order && refundableRow(order),
    consumer: order && row('consumers', { order_id: order.id }),
    deposit: evidence.deposit === undefined ? undefined : row('deposits', { id: evidence.deposit }),
    webhook: evidence.webhook === undefined ? undefined : row('webhooks', { id: evidence.webhook }),
    count: count && row('treasury_counts', { blockchain: count.blockchain, asset_id: count.assetId }),
    outflow: outflow && row('treasury_outflows', { id: outflow.id }),
    outflowException: told === null ? undefined : row('exceptions', { id: told }),
  }
}

/** The claim that holds it, or that asks for the very cash for whoever held the order last. */
async function claimOf(
  store: Store,
  { id, kind, order_id: orderId }: Row<'exceptions'>,
  providerId: string | null,
) {
  const [held] = await store.query(claimOfException, { exceptionId: id })
  if (held !== undefined || orderId === null || providerId === null || !isAboutCash(kind)) return held
  return (await store.query(claimForCash, { orderId, providerId }))[0]
}

/** Of the one resolution that takes back what was returned already. */
async function takenRows(store: Store, { kind }: Row<'exceptions'>, order: Row<'orders'> | undefined) {
  if (kind !== 'confirmed_after_return' || order === undefined) {
    return { available: undefined, payable: undefined, statements: rows('statements', []) }
  }
  return takeableRows(store, { ownerId: order.merchant_id, currency: order.currency })
}

/** `null` when the kind has no such resolution. */
function effectsOf(kind: ExceptionKind, as: Resolution, subject: Subject): Effects | Impossible | null {
  const ofKind: Partial<Record<Resolution, (subject: Subject) => Effects | Impossible>> = resolutions[kind]
  return ofKind[as]?.(subject) ?? null
}

function journalled(
  journalKey: string,
  { settles }: Effects,
  { exceptionId, as, reason, operator }: Resolving,
  at: Instant,
): Write[] {
  if (settles === null) return []
  const event = { type: 'exception.resolve', at, exceptionId, as, reason } as const
  return recordSettlement(journalKey, settles, event, operator)
}

function closed({ revision }: Row<'exceptions'>, { as, reason, evidence, operator }: Resolving, at: Instant) {
  return {
    state: 'resolved',
    resolved_at: at,
    resolution: as,
    resolved_by: operator.name,
    resolution_reason: reason,
    resolution_evidence: evidence,
    revision: revision + 1,
  } as const
}
