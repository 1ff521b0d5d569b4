/**
 * What a payment's effects write: postings and allocations, as one total table (protocol 15.8). Pure.
 *
 * A payment's money is in one place at a time: with its party, in *transit*, or at the bank.
 */
import type { PaymentEffect, PaymentMovement } from '../../machines/payment.ts'
import type { Instant } from '../../machines/time.ts'
import type { AccountRef, Posting, Row, Topic, Write } from '../../persistence/store.ts'
import { move } from '../orders/postings.ts'
import { type Takeable, takeBack } from '../orders/taking-back.ts'
import { type Allocation, allocate, allocationWrites, type Statement } from './dues.ts'

type Moved = Pick<Row<'payments'>, 'id' | 'party_id' | 'currency' | 'amount_minor' | 'bank' | 'party_account'>

type Place = (payment: Moved) => AccountRef

/** Where it was owed, or has gone. */
export const ofParty: Place = ({ party_account, party_id, currency }) => ({
  kind: party_account,
  ownerId: party_id,
  currency,
})
export const inTransit: Place = ({ party_id, currency }) => ({ kind: 'transit', ownerId: party_id, currency })
export const atBank: Place = ({ bank, currency }) => ({ kind: 'bank', ownerId: bank, currency })

const movements: Record<PaymentMovement, { from: Place; to: Place }> = {
  order: { from: ofParty, to: inTransit },
  restore: { from: inTransit, to: ofParty },
  book: { from: inTransit, to: atBank },
  bounce: { from: atBank, to: inTransit },
  receive: { from: atBank, to: ofParty },
  withdraw: { from: ofParty, to: atBank },
}

function paymentPosting(movement: PaymentMovement, payment: Moved): Posting {
  const { from, to } = movements[movement]
  return {
    kind: `payment_${movement}`,
    debit: from(payment),
    credit: to(payment),
    amountMinor: payment.amount_minor,
    orderId: null,
    reference: payment.id,
  }
}

export interface Settling {
  payment: Row<'payments'>
  /** Held: the open ones that it may settle, or those that it has settled a part of. */
  statements: readonly Statement[]
  /** What it settles so far. */
  settled: readonly Allocation[]
  /** Of one that came in and goes back: what its merchant has. */
  takeable: Takeable
  at: Instant
}

export interface CarriedOut {
  writes: Write[]
  wake: Topic[]
  /** What it settles behind them. */
  allocations: Allocation[]
}

export function carryOut(effects: readonly PaymentEffect[], settling: Settling): CarriedOut {
  const { payment, statements, settled, takeable, at } = settling
  const moment = { paymentId: payment.id, occasion: String(payment.revision), at }
  const done: CarriedOut = { writes: [], wake: [], allocations: [...settled] }
  for (const effect of effects) {
    if (effect.type === 'money.move') {
      const posting = paymentPosting(effect.params.movement, payment)
      if (posting.debit.kind === 'available') done.writes.push(...takeBack(posting, takeable, at))
      else {
        const moved = move(posting)
        done.writes.push(...moved.writes)
        done.wake.push(...moved.wake)
      }
    } else if (effect.type === 'due.settle') {
      const sign = payment.direction === 'out' ? 1n : -1n
      done.allocations = allocate(statements, sign * payment.amount_minor)
      done.writes.push(...allocationWrites(statements, done.allocations, moment))
    } else if (effect.type === 'due.release') {
      const released = settled.map(({ number, amountMinor }) => ({ number, amountMinor: -amountMinor }))
      done.writes.push(...allocationWrites(statements, released, moment))
      done.allocations = []
    }
  }
  return done
}
