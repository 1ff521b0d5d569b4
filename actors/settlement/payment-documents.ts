/** A payment as operations tell of it. */
import { formatPrice } from '../../machines/money.ts'
import { type PaymentState, paymentStates } from '../../machines/payment.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { allocationsOfPayment, eventsOfPayment, paymentById } from '../../persistence/queries/payments.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import type { Allocation } from './dues.ts'

/** For whoever lists them by state. */
export const statesOfPayments: readonly PaymentState[] = paymentStates

export interface PaymentSummary {
  id: string
  party: string
  kind: PartyKind
  direction: 'out' | 'in'
  amount: string
  currency: string
  bank: string
  bankReference: string | null
  /** Where it goes, as it was when it was ordered. */
  account: string | null
  run: string | null
  state: string
  ordered: string
  orderedBy: string
  sent: string | null
  booked: string | null
  returned: string | null
  reason: string | null
  /** What of one that came in settles nothing yet, and settles what a later statement asks for. */
  unallocated: string
  revision: number
}

export interface SettledPart {
  statement: number
  /** Signed as the statement's due amount: above zero the operator owed it. */
  amount: string
}

export interface PaymentDocument extends PaymentSummary {
  settles: SettledPart[]
  events: {
    at: string
    operator: string
    event: string
    from: string | null
    to: string
    reason: string | null
  }[]
}

/** What was done to a payment, or would be. */
export interface PaymentChange {
  dryRun: boolean
  /** As it is behind it. */
  payment: PaymentSummary
  settles: SettledPart[]
  postings: ShownPosting[]
}

type Party = Pick<Row<'parties'>, 'name' | 'kind'>

export function paymentSummary(payment: Row<'payments'>, party: Party): PaymentSummary {
  return {
    id: payment.id,
    party: party.name,
    kind: party.kind,
    direction: payment.direction,
    amount: formatPrice(payment.amount_minor, payment.currency),
    currency: payment.currency,
    bank: payment.bank,
    bankReference: payment.bank_reference,
    account: payment.account,
    run: payment.run_id,
    state: payment.state,
    ordered: formatInstant(payment.ordered_at),
    orderedBy: payment.ordered_by,
    sent: instant(payment.sent_at),
    booked: instant(payment.booked_at),
    returned: instant(payment.returned_at),
    reason: payment.reason,
    unallocated: formatPrice(payment.rest_minor, payment.currency),
    revision: payment.revision,
  }
}

function instant(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}

function settledParts(allocations: readonly Allocation[], currency: string): SettledPart[] {
  return allocations.map(({ number, amountMinor }) => ({
    statement: number,
    amount: formatPrice(amountMinor, currency),
  }))
}

export interface ChangedPayment {
  payment: Row<'payments'>
  party: Row<'parties'>
  allocations: readonly Allocation[]
  writes: readonly Write[]
  accounts: readonly (Row<'accounts'> | null)[]
  dryRun: boolean
}

export function paymentChange(changed: ChangedPayment): PaymentChange {
  const { payment, party, allocations, writes, accounts, dryRun } = changed
  const names = (owner: string) => (owner === party.id ? party.name : undefined)
  return {
    dryRun,
    payment: paymentSummary(payment, party),
    settles: settledParts(allocations, payment.currency),
    postings: shownPostings(writes, names, accounts),
  }
}

export async function paymentDocument(
  store: Store,
  payment: Row<'payments'>,
  party: Party,
): Promise<PaymentDocument> {
  const events = await store.query(eventsOfPayment, { paymentId: payment.id })
  return {
    ...paymentSummary(payment, party),
    settles: settledParts(await readAllocations(store, payment.id), payment.currency),
    events: events.map(({ told_at, operator, event_json, from_state, to_state }) => {
      const { type, reason }: { type: string; reason?: string } = JSON.parse(event_json)
      return {
        at: formatInstant(told_at),
        operator,
        event: type,
        from: from_state,
        to: to_state,
        reason: reason ?? null,
      }
    }),
  }
}

/** What a payment settles; nothing of what it has released. */
export async function readAllocations(store: Store, paymentId: string): Promise<Allocation[]> {
  const rows = await store.query(allocationsOfPayment, { paymentId })
  return rows.flatMap(({ number, sum_minor }) =>
    sum_minor === 0n ? [] : [{ number, amountMinor: sum_minor }],
  )
}

/** @throws OperationError when there is none. */
export async function findPayment(store: Store, id: string): Promise<Row<'payments'>> {
  const [payment] = await store.query(paymentById, { id: id.toLowerCase() })
  if (payment !== undefined) return payment
  throw new OperationError('not_found', `There is no payment ${id}.`, {
    hint: 'payment list shows their ids.',
  })
}
