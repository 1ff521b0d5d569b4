/** The gate of payments. */
import {
  type PaymentContext,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentInput,
  type PaymentState,
  payment,
  paymentStates,
} from '../../machines/payment.ts'
import { createRowGate, type StoredSnapshot, type Told } from '../foundation/row-gate.ts'

/** `exported`: the file of its run has it, so that it may be paid. `wrong_state`: there is no such event in it. */
export type PaymentRefusal = 'wrong_state' | 'exported'

const gate = createRowGate<PaymentState, PaymentContext, PaymentEvent, PaymentEffect, PaymentInput>({
  name: 'payment',
  chart: payment,
  states: paymentStates,
  idle: { paymentId: '', direction: 'out', amount: '0', currency: '', at: 0 },
})

export const beginPayment = gate.begin

/** @throws SnapshotError for a snapshot that this program cannot read. */
export function tellPayment(
  stored: StoredSnapshot,
  event: PaymentEvent,
):
  | Told<PaymentState, PaymentContext, PaymentEffect>
  | { ok: false; reason: PaymentRefusal; state: PaymentState } {
  const told = gate.tell(stored, event)
  if (told.ok) return told
  const isExported = told.state === 'ordered' && event.type === 'payment.return'
  return { ...told, reason: isExported ? 'exported' : 'wrong_state' }
}
