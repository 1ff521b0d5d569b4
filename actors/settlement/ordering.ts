/**
 * Ordering a payment, in one step: what is owed goes to *transit*, and is due no more (protocol 15.8).
 *
 * The step holds the rows it judges by: whoever orders the same money at the same moment is the second, and finds it
 * ordered.
 */
import { formatPrice } from '../../machines/money.ts'
import type { PaymentEffect } from '../../machines/payment.ts'
import type { Instant } from '../../machines/time.ts'
import { openStatementsOf } from '../../persistence/queries/statements.ts'
import {
  accountId,
  type Decision,
  type Row,
  row,
  rows,
  type Store,
  sharedRow,
  type Topic,
  type Write,
} from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { nothingToTake } from '../orders/taking-back.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'
import { accountsAt } from '../terms/in-force.ts'
import { lostToOrder, readLost } from './anchored.ts'
import { settledException } from './bank-lines.ts'
import { dueBy, isSealed, remainderOf, remainders, type Statement } from './dues.ts'
import { type ChangedPayment, type PaymentChange, paymentChange } from './payment-documents.ts'
import { beginPayment } from './payment-gate.ts'
import { carryOut, inTransit, ofParty } from './payment-money.ts'
import { assertRunning, stopRow } from './stopping.ts'

/** So many open statements are looked at in one step; a further payment takes the others. */
export const maxStatements = 256

export interface OrderedPayment {
  party: Row<'parties'>
  currency: string
  /** Null for all that is due. */
  amountMinor: bigint | null
  bank: Pick<Row<'banks'>, 'name' | 'currency'>
  /** Of one statement alone. */
  statement?: number | undefined
  /** A payment that a restore has lost, and the bank has paid: it is ordered as what it was. */
  lost?: string | undefined
  /** What is due up to this day, where it is ordered with a run. */
  run?: Row<'payment_runs'> | undefined
  /** What whoever orders has seen as due. */
  dueSeen?: bigint | undefined
  operator: string
  reason: string
  dryRun: boolean
}

export type Ordered =
  | { outcome: 'ordered'; change: PaymentChange }
  /** The run has ordered it already. */
  | { outcome: 'ordered_before' }

/** @throws OperationError for what must not be paid, and nothing is written. */
export async function orderPayment(store: Store, request: OrderedPayment): Promise<Ordered> {
  const { party, currency, bank, run, dryRun } = request
  const open = await store.query(openStatementsOf, { partyId: party.id, currency, limit: maxStatements })
  const place = placeOf(party, request)
  const { lost, exceptions } = await readLost(store, party.id, currency)
  const result = await store.step({
    rows: {
      stop: stopRow,
      party: sharedRow('parties', { id: party.id }),
      bank: sharedRow('banks', { name: bank.name }),
      terms: sharedRow('settlement_terms', { party_id: party.id, currency }),
      owed: row('accounts', { id: accountId(ofParty(place)) }),
      transit: row('accounts', { id: accountId(inTransit(place)) }),
      debt: sharedRow('accounts', { id: accountId({ kind: 'debt', ownerId: party.id, currency }) }),
      statements: rows(
        'statements',
        open.map(({ number }) => ({ party_id: party.id, currency, number })),
      ),
      run: run && row('payment_runs', { id: run.id }),
      before: run && row('payments', { run_id: run.id, party_id: party.id, currency }),
      exceptions,
    },
    decide: (held, at): Decision<Ordered> => {
      if (held.before !== null) return { answer: { outcome: 'ordered_before' }, writes: [] }
      assertRunning(held.stop)
      const named = { named: request.lost, party: party.name }
      const planned = planOrder(request, { ...held, lost: lostToOrder(lost, held.exceptions, named) }, at)
      const { writes, wake } = planned
      const change = paymentChange({ ...planned, accounts: [held.owed, held.transit], dryRun })
      return {
        answer: { outcome: 'ordered', change },
        writes: dryRun ? [] : writes,
        wake: dryRun ? [] : wake,
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  if (result.constraint === 'payments.run') return { outcome: 'ordered_before' }
  throw new Error(`Ordering for ${party.id} violated ${result.constraint}.`)
}

function placeOf(party: Row<'parties'>, { currency, bank }: Pick<OrderedPayment, 'currency' | 'bank'>) {
  const party_account = party.kind === 'merchant' ? ('payable' as const) : ('provider' as const)
  return { id: '', party_id: party.id, currency, amount_minor: 0n, bank: bank.name, party_account }
}

interface Held {
  party: Row<'parties'> | null
  terms: Row<'settlement_terms'> | null
  owed: Row<'accounts'> | null
  debt: Row<'accounts'> | null
  statements: readonly (Row<'statements'> | null)[]
  run: Row<'payment_runs'> | null
  lost: ReturnType<typeof lostToOrder>
}

type Planned = Omit<ChangedPayment, 'accounts' | 'dryRun'> & { wake: readonly Topic[] }

function planOrder(request: OrderedPayment, held: Held, at: Instant): Planned {
  const { party, terms, run, lost } = held
  const { currency, bank, operator } = request
  if (party === null) throw new Error(`Party ${request.party.id} is gone.`)
  assertPayable(request, party)
  const account = terms === null ? null : accountsAt(terms, at).account
  if (account === null) {
    throw new OperationError('refused', `${party.name} has no account for ${currency} in its terms.`, {
      hint: 'Its terms are set by apply: "settles" with an "account".',
    })
  }
  if (run !== null && run.completed_at !== null) {
    throw new OperationError('refused', `The run ${run.id} is complete: nothing is added to it.`)
  }
  const open = held.statements.filter((one) => one !== null).filter((one) => remainderOf(one) !== 0n)
  const statements = statementsOf(request, party, open)
  const dueMinor = payableMinor(party, statements, { ...held, open })
  if (lost !== null) assertAsLost(request, lost.payment)
  const amountMinor = lost?.payment.amount_minor ?? request.amountMinor ?? dueMinor
  assertDue(request, party, { dueMinor, amountMinor })
  // The bank may know it by its id.
  const id = lost?.payment.id ?? timeOrderedId(at)
  const begun = beginPayment({
    paymentId: id,
    direction: 'out',
    amount: amountMinor.toString(),
    currency,
    at,
  })
  const payment: Row<'payments'> = {
    ...placeOf(party, request),
    id,
    direction: 'out',
    amount_minor: amountMinor,
    bank: bank.name,
    bank_reference: null,
    run_id: run?.id ?? null,
    is_in_file: run === null ? 0 : 1,
    account,
    state: begun.state,
    ordered_at: at,
    ordered_by: operator,
    sent_at: null,
    booked_at: null,
    returned_at: null,
    anchored_at: null,
    reason: null,
    rest_minor: 0n,
    revision: 1,
    ...begun.stored,
  }
  const done = carryOut(begun.effects, { payment, statements, settled: [], takeable: nothingToTake, at })
  return {
    payment,
    party,
    allocations: done.allocations,
    wake: done.wake,
    writes: [
      ...newPayment(payment, begun.effects, operator, at),
      ...done.writes,
      ...(lost === null ? [] : [settledException(lost.exception, request, 'ordered', at)]),
    ],
  }
}

function assertAsLost({ amountMinor, bank, currency }: OrderedPayment, lost: Row<'lost_payments'>): void {
  const isSame = bank.name === lost.bank && (amountMinor === null || amountMinor === lost.amount_minor)
  if (isSame) return
  const was = `${formatPrice(lost.amount_minor, currency)} ${currency} from ${lost.bank}`
  throw new OperationError('refused', `The payment ${lost.id} was ${was}: it is ordered as what it was.`, {
    hint: 'Leave the amount out, and name that bank account.',
  })
}

/** Its row, and the first line of what it was told. */
export function newPayment(
  payment: Row<'payments'>,
  effects: readonly PaymentEffect[],
  operator: string,
  at: Instant,
): Write[] {
  const moved = effects.flatMap((one) => (one.type === 'money.move' ? [one.params.movement] : []))
  const event = { type: payment.direction === 'out' ? 'payment.order' : 'payment.receive', at, moved }
  return [
    { insert: 'payments', values: payment },
    {
      insert: 'payment_events',
      values: {
        payment_id: payment.id,
        sequence: 1,
        told_at: at,
        operator,
        event_json: JSON.stringify(event),
        from_state: null,
        to_state: payment.state,
      },
    },
  ]
}

function assertPayable({ bank, currency }: OrderedPayment, party: Row<'parties'>): void {
  if (bank.currency !== currency) {
    throw new OperationError(
      'refused',
      `The bank account ${bank.name} is in ${bank.currency}: nothing in ${currency} is paid from it.`,
      { hint: 'Name a bank account of that currency.' },
    )
  }
  if (party.frozen_at !== null) {
    throw new OperationError(
      'refused',
      `${party.name} is frozen: ${party.frozen_reason ?? 'no reason is kept'}.`,
      {
        hint: `Once it is sure who asks: party unfreeze "${party.name}"`,
      },
    )
  }
}

function statementsOf(
  { statement: number, run, currency }: OrderedPayment,
  party: Row<'parties'>,
  open: readonly Statement[],
): Statement[] {
  if (number !== undefined) {
    const named = open.filter((one) => one.number === number)
    if (named.some(isSealed)) return named
    if (named.length > 0) {
      throw new OperationError(
        'refused',
        `Statement ${number} of ${party.name} in ${currency} is closed and not sealed yet.`,
        { hint: 'It is within seconds, once its number is in the anchors: statement list shows it.' },
      )
    }
    throw new OperationError(
      'refused',
      `${party.name} has no statement ${number} in ${currency} that something is left of.`,
      { hint: `payment due shows what is open.` },
    )
  }
  return run === undefined ? open.filter(isSealed) : dueBy(open, run.due_day)
}

/** Accounts of a party that bound what is paid. */
interface Bounds {
  /** All of its open statements: what it owes by one counts against what it is owed by another. */
  open: readonly Statement[]
  owed: Pick<Row<'accounts'>, 'balance_minor'> | null
  /** A merchant's, below zero. */
  debt: Pick<Row<'accounts'>, 'balance_minor'> | null
}

/** What may be ordered for some statements: of a merchant no more than was set aside for it, less its debt. */
export function payableMinor(
  party: Pick<Row<'parties'>, 'kind'>,
  statements: readonly Statement[],
  { open, owed, debt }: Bounds,
): bigint {
  const amounts = [remainders(statements), remainders(open)]
  if (party.kind === 'merchant') amounts.push((owed?.balance_minor ?? 0n) + (debt?.balance_minor ?? 0n))
  const [least = 0n] = amounts.toSorted((one, other) => (one < other ? -1 : 1))
  return least > 0n ? least : 0n
}

function assertDue(
  { currency, dueSeen }: OrderedPayment,
  { name }: Row<'parties'>,
  { dueMinor, amountMinor }: { dueMinor: bigint; amountMinor: bigint },
): void {
  const told = `${formatPrice(dueMinor, currency)} ${currency}`
  if (dueSeen !== undefined && dueSeen !== dueMinor) {
    throw new OperationError(
      'conflict',
      `What is due to ${name} has changed since you looked: ${told} now.`,
      {
        hint: 'Look again: payment due',
      },
    )
  }
  if (dueMinor === 0n) {
    throw new OperationError('refused', `Nothing is due to ${name} in ${currency}.`, {
      hint: 'payment due shows what is.',
    })
  }
  if (amountMinor <= dueMinor) return
  const asked = `${formatPrice(amountMinor, currency)} ${currency}`
  throw new OperationError('refused', `${asked} is above what is due to ${name}: ${told}.`, {
    hint: 'payment due shows what is.',
  })
}
