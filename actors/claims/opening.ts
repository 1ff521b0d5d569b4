/**
 * Opening a claim (protocol 16.8): about an order that has ended, of its merchant or of a provider. In one step it gets its number, its
 * first entry, its text, and what else is about the same money.
 */
import type { Claimant, ClaimKind, ClaimParty } from '../../machines/claim.ts'
import { hasAmount, payerOf } from '../../machines/claim-postings.ts'
import type { Commission } from '../../machines/order.ts'
import { isOpen } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import { journalOfOrder } from '../../persistence/queries/operations.ts'
import { type Decision, type Row, row, type Store, sharedRow, type Write } from '../../persistence/store.ts'
import { lastNumber, numbered, numberFact } from '../anchors/claim-numbers.ts'
import { confirmedAfterReturnId, endedWhileLockedId } from '../exceptions/exception-id.ts'
import { recordSettlement } from '../orders/advance.ts'
import {
  type Answer,
  guardRows,
  type MessageGuard,
  type Repeated,
  recall,
  rememberAnswer,
  repeated,
} from '../orders/answers.ts'
import { type CommissionColumns, commissionColumns } from '../orders/fees.ts'
import { type Actor, actorName } from '../orders/journal.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'
import { deadlineOf } from './deadline.ts'
import { evidenceWrites, textPiece } from './evidence.ts'
import { beginClaim } from './gate.ts'
import { appendClaimEntry } from './journal.ts'

export interface ClaimsContext {
  store: Store
  journalKey: string
  /** So many banking days whoever is claimed against, and then the operator, have together. */
  bankingDays: number
  clock: { now(): Instant }
}

export interface AskedClaim {
  kind: ClaimKind
  order: Row<'orders'>
  claimant: Claimant
  actor: Actor
  /** Null for whoever held the order last. */
  providerId: string | null
  amountMinor: bigint | null
  text: string | null
  /** The exception that is to be resolved with it. */
  exceptionId: string | null
  /** How a repetition is told from a new one, and what is answered. */
  message?: { guard: MessageGuard; answer: (claim: Row<'claims'>) => Answer }
}

export type OpeningRefusal =
  /** Its provider may still say that the cash was handled. */
  | 'order_open'
  /** Nobody has ever held it, and no provider is named. */
  | 'no_provider'
  /** The amount that a kind has is missing, is the price itself, or is more than the price where it cannot be. */
  | 'amount_missing'
  | 'amount_unknown'
  | 'amount_same'
  | 'amount_exceeds'
  /** There is one of the kind with the provider, which waits or has moved the money. */
  | 'known'
  | 'exception_settled'
  | 'exception_other_order'
  /** A claim of the kind does not resolve it. */
  | 'exception_kind'
  /** Another claim holds it. */
  | 'exception_held'
  | 'order_gone'

export type Opened =
  | { outcome: 'opened'; claim: Row<'claims'>; answer: Answer | null }
  | { outcome: 'refused'; reason: OpeningRefusal }
  | Repeated

/** That a provider has held an order, and what it would have earned by confirming it. */
interface Lock extends CommissionColumns {
  provider_id: string
}

/** Of an order, the last one last: as its journal has them, and the order itself the one that stands. */
async function locksOf(store: Pick<Store, 'query'>, order: Row<'orders'>): Promise<Lock[]> {
  const started = (await store.query(journalOfOrder, { orderId: order.id })).flatMap(
    ({ event_json, outcome }): Lock[] => {
      const event: { type: string; providerId?: string; commission?: Commission } = JSON.parse(event_json)
      const { type, providerId, commission } = event
      if (type !== 'payment.start' || outcome !== 'accepted' || providerId === undefined) return []
      return [{ provider_id: providerId, ...commissionColumns(commission) }]
    },
  )
  const { lock_provider_id, commission_minor, commission_tax_minor, commission_terms_id } = order
  if (lock_provider_id === null) return started
  const standing = { commission_minor, commission_tax_minor, commission_terms_id }
  return [...started, { provider_id: lock_provider_id, ...standing }]
}

/** Who has held an order, the last one last. */
export async function holdersOf(store: Pick<Store, 'query'>, order: Row<'orders'>): Promise<string[]> {
  return (await locksOf(store, order)).map(({ provider_id }) => provider_id)
}

export async function openClaim(context: ClaimsContext, asked: AskedClaim): Promise<Opened> {
  const { store, clock, bankingDays } = context
  const { order, kind, exceptionId, message } = asked
  const refusal = refusalBefore(asked)
  if (refusal !== null) return { outcome: 'refused', reason: refusal }
  const locks = await locksOf(store, order)
  const providerId = asked.providerId ?? locks.at(-1)?.provider_id ?? null
  if (providerId === null) return { outcome: 'refused', reason: 'no_provider' }
  const respondent = respondentOf(asked)
  const { currency } = order
  const partyId = respondent === 'merchant' ? order.merchant_id : providerId
  const deadline = await deadlineOf(store, { partyId, currency, bankingDays }, clock.now())
  const asksForCash = kind === 'paid_not_credited' && order.lock_provider_id === providerId
  const result = await store.step({
    isEssential: asked.claimant === 'operator',
    rows: {
      ...guardRows(message?.guard),
      counter: row('facts', { name: numberFact }),
      order: row('orders', { id: order.id }),
      consumer: sharedRow('consumers', { order_id: order.id }),
      ended: asksForCash ? row('exceptions', { id: endedWhileLockedId(order.id) }) : undefined,
      disputed: asksForCash ? row('exceptions', { id: confirmedAfterReturnId(order.id) }) : undefined,
      named: exceptionId === null ? undefined : row('exceptions', { id: exceptionId }),
      claimed: row('claimed_orders', { order_id: order.id }),
    },
    decide: (held, at): Decision<Opened> => {
      const known = recall(message?.guard, held, null, at)
      if (known.kind !== 'new') return { answer: repeated(known), writes: [] }
      const refuse = (reason: OpeningRefusal): Decision<Opened> => ({
        answer: { outcome: 'refused', reason },
        writes: [],
      })
      if (held.order === null) return refuse('order_gone')
      const exception = exceptionOf(held)
      if (exceptionId !== null && held.named === null) return refuse('exception_settled')
      if (held.named !== null && exception?.id !== held.named.id) return refuse('exception_kind')
      if (exception !== null && exception.state !== 'open') return refuse('exception_settled')
      if (exception !== null && exception.order_id !== null && exception.order_id !== order.id)
        return refuse('exception_other_order')
      const isCash =
        exception !== null && (exception.id === held.ended?.id || exception.id === held.disputed?.id)
      if (exception !== null && !isCash && exception.kind !== 'report_difference')
        return refuse('exception_kind')
      const { claim, writes } = newClaim(context, { ...asked, order: held.order }, at, {
        number: lastNumber(held.counter) + 1,
        providerId,
        lock: locks.findLast(({ provider_id }) => provider_id === providerId) ?? null,
        respondent,
        deadline,
        exceptionId: exception?.id ?? null,
      })
      const answer = message?.answer(claim) ?? null
      return {
        answer: { outcome: 'opened', claim, answer },
        writes: [
          numbered(held.counter, claim.number),
          ...(held.claimed === null ? [newClaimedOrder(order.id)] : []),
          ...writes,
          ...(exception === null ? [] : [heldBy(exception, claim)]),
          ...(message === undefined || answer === null
            ? []
            : rememberAnswer(message.guard, held, answer, at)),
        ],
        wake: ['exceptions'],
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  if (result.constraint === 'claims.provider_kind') return { outcome: 'refused', reason: 'known' }
  if (result.constraint === 'claims.exception') return { outcome: 'refused', reason: 'exception_held' }
  // The very same message was faster by a moment: it is answered when it is sent again.
  if (result.constraint === 'repeated_messages.digest' || result.constraint === 'idempotency_keys.key')
    return { outcome: 'in_flight' }
  throw new Error(`A claim about order ${order.id} violated ${result.constraint}.`)
}

function refusalBefore({ order, kind, amountMinor }: AskedClaim): OpeningRefusal | null {
  if (isOpen(order.status)) return 'order_open'
  if (!hasAmount(kind)) return amountMinor === null ? null : 'amount_unknown'
  if (amountMinor === null) return 'amount_missing'
  if (kind === 'wrong_amount' && amountMinor === order.price_minor) return 'amount_same'
  if (kind === 'false_note' && amountMinor > order.price_minor) return 'amount_exceeds'
  return null
}

/** The other party; of an operator's, who would pay. */
function respondentOf({ claimant, kind, order, amountMinor }: AskedClaim): ClaimParty {
  if (claimant === 'merchant') return 'provider'
  if (claimant === 'provider') return 'merchant'
  const { direction, price_minor: priceMinor } = order
  return payerOf({ kind, direction, priceMinor, amountMinor })
}

/** What asks for the cash of an order holds the exception that has its money. */
function exceptionOf({
  ended,
  disputed,
  named,
}: {
  ended: Row<'exceptions'> | null
  disputed: Row<'exceptions'> | null
  named: Row<'exceptions'> | null
}): Row<'exceptions'> | null {
  if (disputed?.state === 'open') return disputed
  return ended?.state === 'open' ? ended : named
}

interface Settled {
  number: number
  providerId: string
  /** Its last one of the order. */
  lock: Lock | null
  respondent: ClaimParty
  deadline: { day: string; at: Instant }
  exceptionId: string | null
}

function newClaim(
  { journalKey }: ClaimsContext,
  { kind, order, claimant, actor, amountMinor, text }: AskedClaim,
  at: Instant,
  { number, providerId, lock, respondent, deadline, exceptionId }: Settled,
): { claim: Row<'claims'>; writes: Write[] } {
  const id = timeOrderedId(at)
  const begun = beginClaim({ claimId: id, kind, claimant, respondent, at })
  const event = {
    type: 'claim.open',
    at,
    ...(text === null ? {} : { hasEvidence: true as const }),
  } as const
  const { write, ...place } = appendClaimEntry(
    journalKey,
    { id, revision: 0, head: '' },
    { actor, event, from: null, to: begun.state },
  )
  const claim: Row<'claims'> = {
    ...{ id, number, kind, respondent },
    opened_by: claimant,
    opener: actorName(actor),
    order_id: order.id,
    direction: order.direction,
    merchant_id: order.merchant_id,
    provider_id: providerId,
    is_held: lock === null ? 0 : 1,
    is_foreign: order.machine === 'payOutForeign' ? 1 : 0,
    currency: order.currency,
    price_minor: order.price_minor,
    fee_minor: order.fee_minor,
    fee_tax_minor: order.fee_tax_minor,
    commission_minor: lock?.commission_minor ?? 0n,
    commission_tax_minor: lock?.commission_tax_minor ?? 0n,
    amount_minor: amountMinor,
    exception_id: exceptionId,
    due_on: deadline.day,
    due_at: deadline.at,
    opened_at: at,
    state: begun.state,
    answered_at: null,
    ended_at: null,
    ended_by: null,
    reason: null,
    is_by_exception: 0,
    anchored_at: null,
    ...place,
    ...begun.stored,
  }
  const told = { type: 'claim.open', at, claim: number, kind } as const
  return {
    claim,
    writes: [
      { insert: 'claims', values: claim },
      write,
      ...(text === null ? [] : evidenceWrites(claim, 1, textPiece(text), { at, actor: claim.opener })),
      ...recordSettlement(journalKey, order, told, actor),
    ],
  }
}

const nothingClaimed = {
  credited_by: null,
  reversed_by: null,
  provider_id: null,
  corrected_minor: 0n,
} as const

function newClaimedOrder(order_id: string): Write {
  return { insert: 'claimed_orders', values: { order_id, ...nothingClaimed } }
}

/** Whoever looked at the exception before has not seen the claim. */
function heldBy({ id, evidence_json, revision }: Row<'exceptions'>, { number }: Row<'claims'>): Write {
  const evidence: object = JSON.parse(evidence_json)
  const set = { evidence_json: JSON.stringify({ ...evidence, claim: number }), revision: revision + 1 }
  return { update: 'exceptions', key: { id }, set }
}
