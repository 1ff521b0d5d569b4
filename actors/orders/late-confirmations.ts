/**
 * A confirmation by the provider that held the order when it ended: refused with 422, and joined to the
 * exception of that order, because it tells where the cash is (protocol 3.7).
 *
 * The evidence is bounded however insistent a till is; its count goes on beyond what the journal keeps.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { confirmedAfterReturnId } from '../exceptions/exception-id.ts'
import { newException, priceAtStake } from '../exceptions/kinds.ts'
import type { Actor } from './journal.ts'

export interface LateConfirmations {
  count: number
  first: string
  last: string
  /** By the key that signed; only so many keys are told apart. */
  by: { key: string; count: number; first: string; last: string }[]
}

/** A party has two live keys at most; who rotates them this often meanwhile has told enough. */
const maxKeys = 10

export type JoinableException = Pick<
  Row<'exceptions'>,
  'id' | 'evidence_json' | 'state' | 'revision' | 'resolution' | 'resolved_at'
>

export interface OpenedForOrder {
  /** Of the order's end; perhaps opened in this very step. */
  ended: JoinableException | null
  /** Of a confirmation after its money was given back. */
  disputed: JoinableException | null
}

/** The writes by which a late confirmation joins what it belongs to. */
export function joinLateConfirmation(
  { ended, disputed }: OpenedForOrder,
  order: Row<'orders'>,
  actor: Extract<Actor, { credential: string }>,
  at: Instant,
): Write[] {
  if (ended === null) return []
  const isReturned = ended.state === 'resolved' && ended.resolution === 'return'
  if (!isReturned) return [join(ended, actor.credential, at)]
  if (disputed !== null) return [join(disputed, actor.credential, at)]
  return [{ insert: 'exceptions', values: dispute(order, ended, actor, at) }]
}

function dispute(
  order: Row<'orders'>,
  ended: JoinableException,
  { name, credential }: Extract<Actor, { credential: string }>,
  at: Instant,
): Row<'exceptions'> {
  const returned = ended.resolved_at === null ? '' : ` at ${formatInstant(ended.resolved_at)}`
  return newException({
    id: confirmedAfterReturnId(order.id),
    kind: 'confirmed_after_return',
    order_id: order.id,
    reason:
      `${name} confirms an order that it held when it became ${order.status}, after it was resolved as ` +
      `return${returned}: ask the provider for its receipt.`,
    evidence: { exception: ended.id, lateConfirmations: counted(undefined, credential, at) },
    opened_at: at,
    ...priceAtStake(order),
  })
}

/** Who looked before the first confirmation, or before another key confirmed, has seen other evidence. */
function join({ id, evidence_json, revision }: JoinableException, key: string, at: Instant): Write {
  const evidence: { lateConfirmations?: LateConfirmations } = JSON.parse(evidence_json)
  const before = evidence.lateConfirmations
  const lateConfirmations = counted(before, key, at)
  const isNews = lateConfirmations.by.length > (before?.by.length ?? 0)
  return {
    update: 'exceptions',
    key: { id },
    set: {
      evidence_json: JSON.stringify({ ...evidence, lateConfirmations }),
      ...(isNews ? { revision: revision + 1 } : {}),
    },
  }
}

function counted(before: LateConfirmations | undefined, key: string, at: Instant): LateConfirmations {
  const now = formatInstant(at)
  const { count, first, by } = before ?? { count: 0, first: now, by: [] }
  const known = by.find((one) => one.key === key)
  const mine = { key, count: (known?.count ?? 0) + 1, first: known?.first ?? now, last: now }
  const others = by.filter((one) => one.key !== key)
  return {
    count: count + 1,
    first,
    last: now,
    by: known === undefined && others.length >= maxKeys ? others : [...others, mine],
  }
}
