/**
 * An operator's decision about a claim, in one step: what it moves, the exception that is resolved with it, who said so and why
 * (protocol 16.8). What is shown before is made by the same functions, and nothing is written.
 */
import type { ClaimDecision, ClaimEvent } from '../../machines/claim.ts'
import type { Instant } from '../../machines/time.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import {
  accountId,
  type Decision,
  type LockedRows,
  type Row,
  row,
  type Store,
  type Topic,
  type Write,
} from '../../persistence/store.ts'
import { confirmedAfterReturnId, endedWhileLockedId } from '../exceptions/exception-id.ts'
import { OperationError } from '../foundation/operation.ts'
import { recordSettlement } from '../orders/advance.ts'
import { settleEnded } from '../orders/ended-cash.ts'
import type { Actor } from '../orders/journal.ts'
import { shownPostings } from '../orders/postings-shown.ts'
import { takeableRows } from '../orders/taking-back.ts'
import { assertRunning, stopRow } from '../settlement/stopping.ts'
import { assertRoom } from '../settlement/written.ts'
import { assertCash, markOrder, refundAfter } from './booked-cash.ts'
import { type ClaimChange, claimSummary, isUndecided, namesIn } from './documents.ts'
import { changed, endedBefore, findClaim } from './finding.ts'
import { tellClaim } from './gate.ts'
import { appendClaimEntry } from './journal.ts'
import { claimMoves, debitsMerchant, legsOfClaim, postingsOfClaim } from './postings.ts'
import { letGo } from './releasing.ts'

export interface Deciding {
  number: number
  decision: ClaimDecision
  reason: string
  /** The revision whoever decides saw. */
  revision?: number | undefined
  operator: string
  dryRun: boolean
}

const events: Record<ClaimDecision, Exclude<ClaimEvent['type'], 'claim.answer'>> = {
  accepted: 'claim.accept',
  upheld: 'claim.uphold',
  rejected: 'claim.reject',
}

/** @throws OperationError for what cannot be, and nothing is written. */
export async function decideClaim(
  { store, journalKey }: { store: Store; journalKey: string },
  deciding: Deciding,
): Promise<ClaimChange> {
  const seen = await findClaim(store, deciding.number)
  const [order] = await store.query(orderById, { id: seen.order_id })
  const names = await namesIn(store, [seen])
  const result = await store.step({
    rows: await rowsOf(store, seen, order),
    decide: (held, at): Decision<ClaimChange> => {
      const { claim } = held
      if (claim === null) throw new Error(`Claim ${seen.number} is gone.`)
      if (!isUndecided(claim)) throw endedBefore(claim)
      // What it holds may have changed with it.
      if (claim.revision !== (deciding.revision ?? seen.revision)) throw changed(claim)
      const planned = planDecision(journalKey, { ...held, claim }, deciding, at)
      const accounts = [held.available, held.debt, held.provider]
      const change = {
        dryRun: deciding.dryRun,
        claim: claimSummary(planned.claim, names, at),
        postings: shownPostings(planned.writes, (owner) => names.get(owner), accounts),
        exception: planned.resolves,
      }
      if (deciding.dryRun) return { answer: change, writes: [] }
      return { answer: change, writes: planned.writes, wake: [...planned.wake, 'exceptions'] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  if (result.constraint === 'claims.order_kind') throw movedBefore(seen)
  throw new Error(`The decision of claim ${seen.number} violated ${result.constraint}.`)
}

async function rowsOf(store: Store, claim: Row<'claims'>, order: Row<'orders'> | undefined) {
  const { id, order_id, merchant_id, provider_id, currency, exception_id } = claim
  const of = (kind: Row<'accounts'>['kind'], ownerId: string) =>
    row('accounts', { id: accountId({ kind, ownerId, currency }) })
  return {
    ...(await takeableRows(store, { ownerId: merchant_id, currency })),
    stop: stopRow,
    order: row('orders', { id: order_id }),
    foreign: row('foreign_orders', { order_id }),
    refundable: order && row('refundable', { pay_in_id: order.refund_of ?? order.id }),
    debt: of('debt', merchant_id),
    suspense: of('suspense', merchant_id),
    provider: of('provider', provider_id),
    fee: of('fee', merchant_id),
    tax: of('tax_collected', merchant_id),
    commission: of('fee', provider_id),
    credited: of('tax_credited', provider_id),
    ended: row('exceptions', { id: endedWhileLockedId(order_id) }),
    disputed: row('exceptions', { id: confirmedAfterReturnId(order_id) }),
    named: exception_id === null ? undefined : row('exceptions', { id: exception_id }),
    claimed: row('claimed_orders', { order_id }),
    claim: row('claims', { id }),
  }
}

type Held = Omit<LockedRows<Awaited<ReturnType<typeof rowsOf>>>, 'claim'> & { claim: Row<'claims'> }

interface Planned {
  claim: Row<'claims'>
  writes: Write[]
  wake: readonly Topic[]
  /** The exception that is resolved with it. */
  resolves: string | null
}

function planDecision(journalKey: string, held: Held, deciding: Deciding, at: Instant): Planned {
  const { claim, order } = held
  const { decision, reason, operator } = deciding
  // Before the restore it may have been decided otherwise, and its parties told so.
  assertRunning(held.stop)
  const type = events[decision]
  const event = { type, at } as Extract<
    ClaimEvent,
    { type: 'claim.accept' | 'claim.uphold' | 'claim.reject' }
  >
  const told = tellClaim(claim, event)
  if (!told.ok) throw wrongState(claim, decision)
  const actor: Actor = { kind: 'operator', name: operator }
  const settles = told.effects.find((effect) => effect.type === 'claim.settle')
  const money = settles === undefined ? noMoney : moneyOf(held, settles.params.decision, at)
  const { write, ...place } = appendClaimEntry(journalKey, claim, {
    actor,
    event: { ...event, reason },
    from: claim.state,
    to: told.state,
  })
  const set = {
    state: told.state,
    ended_at: told.context.endedAt,
    ended_by: operator,
    reason,
    is_by_exception: money.isByException ? (1 as const) : (0 as const),
    anchored_at: null,
    ...place,
    ...told.stored,
  }
  const resolves = resolvedWith(held, decision, money.isByException)
  const as = decision === 'rejected' ? 'claim' : money.isByException ? 'honour' : 'claim'
  return {
    claim: { ...claim, ...set },
    resolves: resolves?.id ?? null,
    wake: money.wake,
    writes: [
      ...money.writes,
      { update: 'claims', key: { id: claim.id }, set },
      write,
      ...(order === null
        ? []
        : recordSettlement(
            journalKey,
            order,
            money.isByException && resolves !== null
              ? {
                  type: 'exception.resolve',
                  at,
                  exceptionId: resolves.id,
                  as,
                  reason: `Claim ${claim.number}: ${reason}`,
                }
              : { type: 'claim.end', at, claim: claim.number, as: told.state },
            actor,
          )),
      ...(resolves === null
        ? releasedOf(held)
        : [resolved(resolves, { as, claim, decision, operator, reason }, at)]),
    ],
  }
}

interface Money {
  writes: Write[]
  wake: readonly Topic[]
  /** The order's own postings, by what its exception has waited for. */
  isByException: boolean
}

const noMoney: Money = { writes: [], wake: [], isByException: false }

/** @throws OperationError where another place decides about the same money, or it would be moved twice */
function moneyOf(held: Held, decision: ClaimDecision, at: Instant): Money {
  const { claim, order, foreign, refundable, ended, disputed } = held
  if (order === null) throw new Error(`The order of claim ${claim.number} is gone.`)
  const waiting = [disputed, ended].find((one) => one?.state === 'open') ?? null
  if (waiting !== null && heldException(held)?.id !== waiting.id) throw heldElsewhere(claim, waiting)
  assertCash({ ...held, order })
  const accounts = [held.available, held.payable, held.debt, held.suspense, held.provider, held.fee]
  const sum = legsOfClaim(claim, decision).reduce((total, { amountMinor }) => total + amountMinor, 0n)
  assertRoom(sum, ...accounts, held.tax, held.commission, held.credited)
  const takeable = { available: held.available, payable: held.payable, statements: held.statements }
  if (waiting !== null) {
    const settlement = waiting.id === disputed?.id ? 'reclaim' : 'honour'
    const { writes, wake } = settleEnded({ order, foreign, refundable, takeable }, settlement, at)
    return { writes, wake, isByException: true }
  }
  if (debitsMerchant(claim) && claim.is_held === 0) throw neverHeld(claim)
  const postings = postingsOfClaim(claim, decision, order.paid_at ?? order.locked_at)
  const { writes, wake } = claimMoves(postings, takeable, at)
  const beside = [...markOrder(claim, held.claimed), ...refundAfter(claim, order, refundable)]
  return { writes: [...writes, ...beside], wake, isByException: false }
}

/** A difference of a report is over with the claim about it; the money of an order that waits, only where it has moved. */
function resolvedWith(held: Held, decision: ClaimDecision, isByException: boolean): Row<'exceptions'> | null {
  const exception = heldException(held)
  if (exception === null) return null
  if (exception.kind === 'report_difference') return exception
  return isByException && decision !== 'rejected' ? exception : null
}

/** The one that it holds, as long as that waits; of one that asks for the cash, what has its money, since whenever. */
function heldException({ claim, order, ended, disputed, named }: Held): Row<'exceptions'> | null {
  if (claim.kind === 'paid_not_credited' && order?.lock_provider_id === claim.provider_id) {
    const waiting = [disputed, ended].find((one) => one?.state === 'open')
    if (waiting != null) return waiting
  }
  if (claim.exception_id === null) return null
  const found = [ended, disputed, named].find((one) => one?.id === claim.exception_id)
  return found?.state === 'open' ? found : null
}

/** It waits on, without the claim. */
function releasedOf(held: Held): Write[] {
  const exception = heldException(held)
  return exception === null ? [] : [letGo(exception)]
}

function resolved(
  { id, revision }: Row<'exceptions'>,
  said: { as: string; claim: Row<'claims'>; decision: ClaimDecision; operator: string; reason: string },
  at: Instant,
): Write {
  const { as, claim, decision, operator, reason } = said
  const set = {
    state: 'resolved',
    resolved_at: at,
    resolution: as,
    resolved_by: operator,
    resolution_reason: `Claim ${claim.number} was ${decision}: ${reason}`,
    resolution_evidence: null,
    revision: revision + 1,
  } as const
  return { update: 'exceptions', key: { id }, set }
}

function wrongState({ number, state, respondent }: Row<'claims'>, decision: ClaimDecision): OperationError {
  const [problem, hint] =
    decision === 'accepted'
      ? [`the ${respondent} denies it`, `Where it is right all the same: claim uphold ${number}`]
      : [`the ${respondent} agrees`, `claim accept ${number}`]
  return new OperationError(
    'refused',
    `Claim ${number} is ${state}, and cannot be ${decision}: ${problem}.`,
    {
      hint,
    },
  )
}

function heldElsewhere({ number }: Row<'claims'>, { id, kind }: Row<'exceptions'>): OperationError {
  return new OperationError(
    'refused',
    `The money of the order waits for the exception ${id} (${kind}), which claim ${number} does not hold.`,
    { hint: `Resolve that first: exception show ${id}` },
  )
}

function neverHeld({ number }: Row<'claims'>): OperationError {
  return new OperationError(
    'refused',
    `The provider has never held the order: nothing is taken from its merchant by claim ${number}.`,
    { hint: `claim reject ${number}; what the operator gives of its own is a correction: adjustment record` },
  )
}

function movedBefore({ number, kind, order_id }: Row<'claims'>): OperationError {
  return new OperationError(
    'refused',
    `Another claim of this kind (${kind}) has moved the money of the order: claim ${number} would move it again.`,
    { hint: `claim list --order ${order_id}` },
  )
}
