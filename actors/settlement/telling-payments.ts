/**
 * What a payment is told, in one step: that the bank has it, that the bank has booked it, that it came back (protocol 15.8).
 *
 * What a bank's statement says is a line of its own and booked once, whatever it is about.
 */
import type { PaymentEvent } from '../../machines/payment.ts'
import type { Instant } from '../../machines/time.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import { bankEntry } from '../../persistence/queries/payments.ts'
import {
  accountId,
  type Decision,
  type Row,
  row,
  rows,
  type Store,
  type Write,
} from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { type Takeable, takeableRows } from '../orders/taking-back.ts'
import { assertAnchored } from './anchored.ts'
import { bookedBefore } from './bank-lines.ts'
import type { Allocation } from './dues.ts'
import { findPayment, type PaymentChange, paymentChange, readAllocations } from './payment-documents.ts'
import { type PaymentRefusal, tellPayment } from './payment-gate.ts'
import { atBank, carryOut, inTransit, ofParty } from './payment-money.ts'
import { setOff } from './set-off.ts'

export interface Told {
  id: string
  type: PaymentEvent['type']
  /** What the bank calls the line that says so; of a payment that is sent, what it will call it. */
  reference?: string | undefined
  valueDay?: string | undefined
  reason?: string | undefined
  /** The revision whoever tells it saw. */
  revision?: number | undefined
  operator: string
  dryRun: boolean
}

/** @throws OperationError for what cannot be, and nothing is written. */
export async function tell(store: Store, told: Told): Promise<PaymentChange> {
  const seen = await findPayment(store, told.id)
  const [party] = await store.query(partyById, { id: seen.party_id })
  if (party === undefined) throw new Error(`Payment ${seen.id} has no party.`)
  const settled = await readAllocations(store, seen.id)
  const line = lineOf(seen, told)
  const { currency, party_id } = seen
  // A merchant's deposit may go back: what it is taken from is held, too.
  const isDeposit = seen.party_account === 'available'
  const taken = isDeposit ? await takeableRows(store, { ownerId: party_id, currency }) : null
  const result = await store.step({
    rows: {
      payable: taken?.payable,
      open: taken?.statements,
      ofParty: row('accounts', { id: accountId(ofParty(seen)) }),
      transit: row('accounts', { id: accountId(inTransit(seen)) }),
      atBank: row('accounts', { id: accountId(atBank(seen)) }),
      debt: row('accounts', { id: accountId({ kind: 'debt', ownerId: party_id, currency }) }),
      statements: rows(
        'statements',
        settled.map(({ number }) => ({ party_id, currency, number })),
      ),
      run: seen.run_id === null ? undefined : row('payment_runs', { id: seen.run_id }),
      payment: row('payments', { id: seen.id }),
      line:
        line &&
        row('bank_entries', { bank: line.bank, direction: line.direction, reference: line.reference }),
    },
    decide: (held, at): Decision<PaymentChange> => {
      const { payment } = held
      if (payment === null) throw new Error(`Payment ${seen.id} is gone.`)
      assertSeen(payment, told.revision ?? seen.revision)
      // What it settles was read before: a closing may have used its rest since.
      if (payment.rest_minor !== seen.rest_minor) throw changed(payment)
      if (line !== undefined && held.line !== null) throw bookedBefore(held.line)
      const statements = held.statements.filter((one) => one !== null)
      const takeable = { available: held.ofParty, payable: held.payable, statements: held.open ?? [] }
      const planned = planTold(told, { ...held, payment, statements, settled, line, takeable }, at)
      const accounts = [held.ofParty, held.transit, held.atBank, held.debt]
      const change = paymentChange({ ...planned, party, accounts, dryRun: told.dryRun })
      return told.dryRun
        ? { answer: change, writes: [] }
        : { answer: change, writes: planned.writes, wake: planned.wake }
    },
  })
  if (result.outcome === 'committed') {
    // What it settled is open again: another payment may have come before it was asked for, or an opposite statement since.
    if (told.type === 'payment.return' && !told.dryRun) await setOff(store, { partyId: party_id, currency })
    return result.answer
  }
  throw await usedReference(store, seen, told.reference ?? '', line?.direction ?? seen.direction)
}

interface BankLine {
  bank: string
  direction: 'out' | 'in'
  reference: string
  kind: 'payment' | 'bounce'
}

/** What it is of the bank's statement; none where the bank has booked nothing. */
function lineOf(payment: Row<'payments'>, { type, reference }: Told): BankLine | undefined {
  const { bank, direction, state } = payment
  if (type === 'payment.book') {
    const booked = reference ?? payment.bank_reference
    if (booked !== null) return { bank, direction, reference: booked, kind: 'payment' }
    throw new OperationError('invalid', 'reference: what does the bank call it?', {
      hint: 'A booked payment has the reference of the bank’s entry: --reference TEXT',
    })
  }
  if (type !== 'payment.return' || state !== 'booked') return undefined
  const back = direction === 'out' ? ('in' as const) : ('out' as const)
  if (reference !== undefined) return { bank, direction: back, reference, kind: 'bounce' }
  throw new OperationError('invalid', 'reference: what does the bank call the line that brought it back?', {
    hint: 'It was booked, so its return is a line of its own: --reference TEXT',
  })
}

function assertSeen(payment: Row<'payments'>, seen: number): void {
  if (payment.revision !== seen) throw changed(payment)
}

function changed({ revision }: Row<'payments'>): OperationError {
  return new OperationError(
    'conflict',
    `The payment has changed since you looked (revision ${revision} now).`,
    { hint: 'Look at it again: payment show ID' },
  )
}

interface Held {
  payment: Row<'payments'>
  run: Row<'payment_runs'> | null
  statements: readonly Row<'statements'>[]
  settled: readonly Allocation[]
  takeable: Takeable
  line: BankLine | undefined
}

function planTold(told: Told, held: Held, at: Instant) {
  const { payment: before, run, settled, statements, line } = held
  const { reference, reason, operator } = told
  if (told.type === 'payment.send' && before.state === 'ordered') assertAnchored(before)
  const isExported = run !== null && run.exported_at !== null && before.is_in_file === 1
  const event = eventOf(told, isExported, at)
  const decided = tellPayment(before, event)
  if (!decided.ok) throw refused(before, event, decided)
  const { context } = decided
  const revision = before.revision + 1
  const leavesFile = run !== null && run.exported_at === null && before.is_in_file === 1
  const set = {
    state: decided.state,
    sent_at: context.sentAt,
    booked_at: context.bookedAt,
    returned_at: context.returnedAt,
    // A bounce has its own reference, on its own line.
    bank_reference:
      told.type === 'payment.return' ? before.bank_reference : (reference ?? before.bank_reference),
    reason: reason ?? before.reason,
    ...(told.type === 'payment.return' ? { rest_minor: 0n } : {}),
    revision,
    ...(leavesFile ? { is_in_file: 0 as const } : {}),
    ...decided.stored,
  }
  const payment = { ...before, ...set }
  const done = carryOut(decided.effects, { payment, statements, settled, takeable: held.takeable, at })
  const writes: Write[] = [
    { update: 'payments', key: { id: before.id }, set },
    {
      insert: 'payment_events',
      values: {
        payment_id: before.id,
        sequence: revision,
        told_at: at,
        operator,
        event_json: JSON.stringify({ ...event, ...(reference === undefined ? {} : { reference }) }),
        from_state: before.state,
        to_state: decided.state,
      },
    },
    ...(leavesFile
      ? [{ update: 'payment_runs', key: { id: run.id }, set: { revision: run.revision + 1 } } as const]
      : []),
    ...(line === undefined ? [] : [entryOf(line, before, told, at)]),
    ...done.writes,
  ]
  return { payment, allocations: done.allocations, wake: done.wake, writes }
}

function eventOf({ type, reason }: Told, isExported: boolean, at: Instant): PaymentEvent {
  if (type !== 'payment.return') return { type, at }
  return { type, at, reason: reason ?? '', ...(isExported ? { isExported } : {}) }
}

function entryOf(line: BankLine, payment: Row<'payments'>, told: Told, at: Instant): Write {
  return {
    insert: 'bank_entries',
    values: {
      ...line,
      currency: payment.currency,
      amount_minor: payment.amount_minor,
      value_day: told.valueDay ?? null,
      subject_id: payment.id,
      reason: told.reason ?? '',
      booked_at: at,
      booked_by: told.operator,
    },
  }
}

const verbs: Record<PaymentEvent['type'], string> = {
  'payment.send': 'sent',
  'payment.book': 'booked',
  'payment.return': 'returned',
}

function refused(
  { id, direction }: Row<'payments'>,
  { type }: PaymentEvent,
  { reason, state }: { reason: PaymentRefusal; state: string },
): OperationError {
  if (reason === 'exported') {
    return new OperationError(
      'refused',
      `The payment ${id} is in a file that was exported: the bank may pay it.`,
      {
        hint: 'Where the bank has refused it: payment sent, then payment return with its reason.',
      },
    )
  }
  const came = direction === 'in' ? ' and came in' : ''
  return new OperationError('refused', `The payment ${id} is ${state}${came}: it cannot be ${verbs[type]}.`, {
    hint: `Look at it: payment show ${id}`,
  })
}

/** Somebody else was faster by a moment, or a payment that is not booked yet has the reference. */
async function usedReference(
  store: Store,
  { bank }: Row<'payments'>,
  reference: string,
  direction: 'out' | 'in',
): Promise<OperationError> {
  const [entry] = await store.query(bankEntry, { bank, direction, reference })
  if (entry !== undefined) return bookedBefore(entry)
  return new OperationError(
    'conflict',
    `Another payment of ${bank} has the bank reference ${reference} already.`,
    {
      hint: 'payment list shows which.',
    },
  )
}
