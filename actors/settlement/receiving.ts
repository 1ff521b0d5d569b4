/**
 * Money that comes in is a fact: it is always booked. Of a provider it settles what it owes, of a merchant it is a
 * deposit; what fits nothing waits in suspense for a word (protocol 15.8).
 */
import { formatPrice } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { pairsOfMerchant } from '../../persistence/queries/provisioning.ts'
import { openStatementsOf } from '../../persistence/queries/statements.ts'
import {
  accountId,
  type Decision,
  type Row,
  row,
  rows,
  type Store,
  type Write,
} from '../../persistence/store.ts'
import { exceptionId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { OperationError } from '../foundation/operation.ts'
import { own } from '../orders/foreign-postings.ts'
import { nothingToTake } from '../orders/taking-back.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'
import { bookedBefore, openStake, settledException } from './bank-lines.ts'
import type { Allocation } from './dues.ts'
import { maxStatements, newPayment } from './ordering.ts'
import { type PaymentChange, paymentChange } from './payment-documents.ts'
import { beginPayment } from './payment-gate.ts'
import { atBank, carryOut, ofParty } from './payment-money.ts'
import { assertRoom } from './written.ts'

/** A line of a bank's statement, as an operator tells it. */
export interface WrittenLine {
  bank: Row<'banks'>
  direction: 'out' | 'in'
  reference: string
  amountMinor: bigint
  valueDay: string | undefined
  reason: string
  operator: string
  dryRun: boolean
}

export function lineKey({ bank, direction, reference }: WrittenLine) {
  return { bank: bank.name, direction, reference }
}

export function lineEntry(
  line: WrittenLine,
  kind: Row<'bank_entries'>['kind'],
  subjectId: string | null,
  at: Instant,
): Row<'bank_entries'> {
  return {
    ...lineKey(line),
    kind,
    currency: line.bank.currency,
    amount_minor: line.amountMinor,
    value_day: line.valueDay ?? null,
    subject_id: subjectId,
    reason: line.reason,
    booked_at: at,
    booked_by: line.operator,
  }
}

/** Whether a party's money of this currency has a place in the ledger that it can use. */
export async function hasPlace(store: Store, party: Row<'parties'>, currency: string): Promise<boolean> {
  if (party.kind === 'provider') return true
  const pairs = await store.query(pairsOfMerchant, { merchantId: party.id })
  return pairs.some((pair) => pair.currency === currency)
}

/** @throws OperationError where the line was booked before, and nothing is written. */
export async function receivePayment(
  store: Store,
  party: Row<'parties'>,
  line: WrittenLine,
  /** Its money waits in suspense: the line is booked, and whose it is is known now. */
  identified?: Row<'exceptions'>,
): Promise<PaymentChange> {
  const { currency, name: bank } = line.bank
  const { amountMinor, reference, operator, dryRun } = line
  const isProvider = party.kind === 'provider'
  const place = {
    id: '',
    party_id: party.id,
    currency,
    amount_minor: amountMinor,
    bank,
    party_account: isProvider ? ('provider' as const) : ('available' as const),
  }
  const open = isProvider
    ? await store.query(openStatementsOf, { partyId: party.id, currency, limit: maxStatements })
    : []
  const result = await store.step({
    rows: {
      // Deposits by hand look at lines of banks, and wait meanwhile.
      merchant: isProvider ? undefined : row('parties', { id: party.id }),
      deposit: isProvider ? undefined : row('account_deposits', { merchant_id: party.id, reference }),
      ofParty: row('accounts', { id: accountId(ofParty(place)) }),
      atBank: row('accounts', { id: accountId(atBank(place)) }),
      debt: row('accounts', { id: accountId({ kind: 'debt', ownerId: party.id, currency }) }),
      statements: rows(
        'statements',
        open.map(({ number }) => ({ party_id: party.id, currency, number })),
      ),
      line: row('bank_entries', lineKey(line)),
      exception: identified && row('exceptions', { id: identified.id }),
    },
    decide: (held, at): Decision<PaymentChange> => {
      if (held.line !== null && identified === undefined) throw bookedBefore(held.line)
      if (identified !== undefined) openStake(held.exception, identified.id)
      if (held.deposit !== null && held.deposit.reversed_at === null) throw depositedBefore(party, reference)
      assertRoom(amountMinor, held.ofParty, held.atBank)
      const id = timeOrderedId(at)
      const begun = beginPayment({ paymentId: id, direction: 'in', amount: `${amountMinor}`, currency, at })
      const payment: Row<'payments'> = {
        ...place,
        id,
        direction: 'in',
        bank_reference: reference,
        run_id: null,
        is_in_file: 0,
        account: null,
        state: begun.state,
        ordered_at: at,
        ordered_by: operator,
        sent_at: null,
        booked_at: begun.context.bookedAt,
        returned_at: null,
        anchored_at: null,
        reason: null,
        rest_minor: 0n,
        revision: 1,
        ...begun.stored,
      }
      const statements = held.statements.filter((one) => one !== null)
      const done = carryOut(begun.effects, { payment, statements, settled: [], takeable: nothingToTake, at })
      const received = { ...payment, rest_minor: isProvider ? restOf(payment, done.allocations) : 0n }
      const writes = [
        ...newPayment(received, begun.effects, operator, at),
        ...(identified === undefined
          ? [{ insert: 'bank_entries', values: lineEntry(line, 'payment', id, at) } as const]
          : [...outOfSuspense(line, id), settledException(held.exception, line, 'identified', at)]),
        ...done.writes,
      ]
      const accounts = [held.ofParty, held.atBank, held.debt]
      const { allocations } = done
      const answer = paymentChange({ payment: received, party, allocations, writes, accounts, dryRun })
      return dryRun ? { answer, writes: [] } : { answer, writes, wake: [...done.wake, 'provisioning'] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw bookedMeanwhile(line)
}

/** What settles nothing yet. */
function restOf({ amount_minor }: Row<'payments'>, allocations: readonly Allocation[]): bigint {
  return allocations.reduce((rest, { amountMinor }) => rest + amountMinor, amount_minor)
}

/** Back to the bank, from where the payment takes it: the line stays what it is, and is the payment's now. */
function outOfSuspense(line: WrittenLine, paymentId: string): Write[] {
  const { currency, name } = line.bank
  const post = {
    kind: 'bank_identified',
    debit: own('suspense', currency),
    credit: { kind: 'bank', ownerId: name, currency } as const,
    amountMinor: line.amountMinor,
    orderId: null,
    reference: paymentId,
  }
  const set = { kind: 'payment', subject_id: paymentId } as const
  return [{ post }, { update: 'bank_entries', key: lineKey(line), set }]
}

export function bookedMeanwhile({ bank, reference }: WrittenLine): OperationError {
  return new OperationError('conflict', `The line ${reference} of ${bank.name} was booked already.`, {
    hint: 'bank list shows it.',
  })
}

function depositedBefore({ name }: Row<'parties'>, reference: string): OperationError {
  return new OperationError(
    'conflict',
    `${name} has a deposit ${reference} already: it was booked by hand.`,
    {
      hint: `merchant show "${name}" lists its deposits. To book it as the bank’s line instead: deposit reverse "${name}" "${reference}", and then again.`,
    },
  )
}

/** Of a line that nobody knows whose it is. */
export function unidentifiedId({ bank, direction, reference }: WrittenLine): string {
  return exceptionId('bank_unidentified', bank.name, direction, reference)
}

/** The postings and the exception of money that fits nothing. */
export function unidentifiedWrites(line: WrittenLine, at: Instant, hint: string | null): Write[] {
  const { bank, direction, reference, amountMinor, reason } = line
  const { currency } = bank
  const id = unidentifiedId(line)
  const [there, waiting] = [
    { kind: 'bank', ownerId: bank.name, currency } as const,
    own('suspense', currency),
  ]
  const [debit, credit] = direction === 'in' ? [there, waiting] : [waiting, there]
  const minor = direction === 'in' ? amountMinor : -amountMinor
  return [
    { post: { kind: 'bank_unidentified', debit, credit, amountMinor, orderId: null, reference: id } },
    {
      insert: 'exceptions',
      values: newException({
        id,
        kind: 'bank_unidentified',
        order_id: null,
        reason:
          `${formatPrice(amountMinor, currency)} ${currency} ${direction === 'in' ? 'came to' : 'left'} the bank account ` +
          `${bank.name} (${reference}), and it is not known whose it is.${hint === null ? '' : ` ${hint}`}`,
        evidence: {
          stake: { currency, minor: minor.toString() },
          bank: bank.name,
          direction,
          reference,
          valueDay: line.valueDay ?? null,
          said: reason,
        },
        opened_at: at,
        amount: formatPrice(amountMinor, currency),
        asset: currency,
      }),
    },
  ]
}
